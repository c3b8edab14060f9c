import { describe, expect, it } from 'vitest'
import { createTiles, createTree } from '../../../src/proofs/merkleLog/tree.ts'

/** The entries of the example tree of Certificate Transparency, and its heads by size. */
const entries = ['', '\x00', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno']
const heads = new Map([
  [0, '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
  [1, 'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0='],
  [2, '+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU='],
  [3, 'rra8/idLcKFPsGel5VeCZNsPqbUa9eC6FZFY8yngbnc='],
  [5, 'Tju7H3tHjc/nH7YxYxUZo7yhLJrvyhYSv85ME6hiZNQ='],
  [6, 'duZ9rbzfHhDht03cYIq9L5jfsW+851J3tSMqEn8gh+8='],
  [7, '3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw='],
  [8, 'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg='],
])

describe('a tree', () => {
  it('has the heads of the published example', () => {
    const tree = createTree()
    const met = new Map<number, string>()
    const note = () => met.set(tree.size, tree.root().toString('base64'))
    note()
    for (const entry of entries) {
      tree.add(entry)
      note()
    }
    for (const [size, head] of heads) expect(met.get(size), `size ${size}`).toBe(head)
  })

  it.each([
    [0, []],
    [5, ['tile/0/000.p/5']],
    [256, ['tile/0/000', 'tile/1/000.p/1']],
    [257, ['tile/0/000', 'tile/0/001.p/1', 'tile/1/000.p/1']],
  ])('of %i entries has the tiles that tlog-tiles names', (size, paths) => {
    const tiles = createTiles()
    const tree = createTree(tiles.keep)
    for (let index = 0; index < size; index += 1) tree.add(String(index))
    expect([...tiles.files()].map(([path]) => path)).toEqual(paths)
    // The one hash of level 1 is the head of the tree of the first 256 entries.
    const above = new Map(tiles.files()).get('tile/1/000.p/1')
    if (size === 256) expect(above).toEqual(tree.root())
  })
})
