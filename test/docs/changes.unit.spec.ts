import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changes, edited } from './changes.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it.each(changes)('the page lists the files of: $name', ({ name, files, texts }) => {
  const page = read('docs/adding-a-field.md')
  const [, listed, named] = page.match(new RegExp(`^\\| ${name} \\| (.*) \\| (.*) \\|$`, 'm')) ?? []
  const pathsIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path)
  expect(pathsIn(listed)).toEqual(Object.keys(files))
  expect(pathsIn(named)).toEqual(Object.keys(texts).map((path) => path.replace('src/portal/', '')))
})

it.each(changes)('the sources have the lines that this change builds on: $name', ({ files, texts }) => {
  for (const [path, edits] of Object.entries({ ...files, ...texts }))
    if (typeof edits !== 'string') expect(edited(path, read(path), edits)).not.toBe(read(path))
})
