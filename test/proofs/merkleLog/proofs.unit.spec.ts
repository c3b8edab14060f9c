import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  consistencyRanges,
  headOfRuns,
  headsAround,
  inclusionRanges,
  type Range,
  rangesAround,
  runsOf,
} from '../../../src/proofs/merkleLog/proofs.ts'
import { createTree, leafHash } from '../../../src/proofs/merkleLog/tree.ts'
import { isConsistent, isIncluded } from '../signing/verifyProof.ts'

/** A tree with the hashes that tiles hold, and the proofs from them. */
function treeOf(size: number) {
  const levels: Buffer[][] = []
  const heads: string[] = []
  const tree = createTree((level, hash) => {
    levels[level] ??= []
    levels[level].push(hash)
  })
  heads.push(tree.root().toString('base64'))
  for (let index = 0; index < size; index += 1) {
    tree.add(`entry ${index}`)
    heads.push(tree.root().toString('base64'))
  }
  const proofOf = (ranges: readonly Range[]) =>
    ranges.map((range) =>
      headOfRuns(
        runsOf(range).map(({ tileLevel, first, count }) =>
          Buffer.concat(levels[tileLevel]!.slice(first, first + count)),
        ),
      ).toString('base64'),
    )
  return { heads, proofOf }
}

// The proofs may need hashes of level 1, of which the first stands for 256 entries.
const most = 1_200
const { heads, proofOf } = treeOf(most)
const places = fc
  .nat(most - 1)
  .chain((index) => fc.record({ index: fc.constant(index), size: fc.integer({ min: index + 1, max: most }) }))

describe('a proof', () => {
  it('shows for every entry that a tree of any size has it', () => {
    fc.assert(
      fc.property(places, ({ index, size }) => {
        const proof = proofOf(inclusionRanges(index, { from: 0, to: size }))
        const hash = leafHash(`entry ${index}`).toString('base64')
        const claim = { leafIdx: index, treeSize: size, root: heads[size]!, leafHash: hash, proof }
        expect(isIncluded(claim)).toBe(true)
        expect(isIncluded({ ...claim, leafIdx: (index + 1) % size })).toBe(size === 1)
      }),
    )
  })

  it('shows for any two sizes that the larger tree continues the smaller', () => {
    fc.assert(
      fc.property(places, ({ index, size }) => {
        const from = index + 1
        const proof = proofOf(consistencyRanges({ from, to: size }))
        const claim = { size1: from, size2: size, root1: heads[from]!, root2: heads[size]!, proof }
        expect(isConsistent(claim)).toBe(true)
        if (from < size) expect(isConsistent({ ...claim, root1: heads[from - 1]! })).toBe(false)
      }),
    )
  })

  it('gives the head of a former tree from hashes that give the head of the present one', () => {
    fc.assert(
      fc.property(places, fc.nat(), ({ index, size }, changed) => {
        const [former, whole] = [index + 1, { from: 0, to: size }]
        const ranges = rangesAround(former, whole)
        const hashes = proofOf(ranges).map((head) => Buffer.from(head, 'base64'))
        const found = headsAround(former, whole, hashes)
        expect(found.older.toString('base64')).toBe(heads[former])
        expect(found.whole.toString('base64')).toBe(heads[size])
        const forged = hashes.with(changed % hashes.length, Buffer.alloc(32))
        expect(headsAround(former, whole, forged).whole.toString('base64')).not.toBe(heads[size])
      }),
    )
  })

  it('gives the head of every tree', () => {
    for (let size = 1; size <= most; size += 1)
      expect(proofOf([{ from: 0, to: size }])).toEqual([heads[size]])
  })
})

describe('the verifier of the specs', () => {
  const hash = createTree().root().toString('base64')
  /** A hash altered, left out, put in or repeated. */
  const otherProofs = (proof: readonly string[], at: number) => [
    [...proof, hash],
    [hash, ...proof],
    ...(proof.length > 0
      ? [
          proof.toSpliced(at % proof.length, 1),
          proof.with(at % proof.length, hash),
          [...proof, proof.at(-1)!],
        ]
      : []),
  ]

  it('refuses an inclusion with another proof, head, leaf or size', () => {
    fc.assert(
      fc.property(places, fc.nat(), ({ index, size }, at) => {
        const proof = proofOf(inclusionRanges(index, { from: 0, to: size }))
        const leaf = leafHash(`entry ${index}`).toString('base64')
        const claim = { leafIdx: index, treeSize: size, root: heads[size]!, leafHash: leaf, proof }
        for (const proof of otherProofs(claim.proof, at)) expect(isIncluded({ ...claim, proof })).toBe(false)
        expect(isIncluded({ ...claim, root: hash })).toBe(false)
        expect(isIncluded({ ...claim, leafHash: hash })).toBe(false)
        expect(isIncluded({ ...claim, leafIdx: size })).toBe(false)
      }),
    )
  })

  it('refuses a continuation with another proof, head or size', () => {
    fc.assert(
      fc.property(places, fc.nat(), ({ index, size }, at) => {
        const from = index + 1
        const proof = proofOf(consistencyRanges({ from, to: size }))
        const claim = { size1: from, size2: size, root1: heads[from]!, root2: heads[size]!, proof }
        for (const proof of otherProofs(claim.proof, at))
          expect(isConsistent({ ...claim, proof })).toBe(false)
        expect(isConsistent({ ...claim, root2: hash })).toBe(false)
        expect(isConsistent({ ...claim, size1: 0 })).toBe(false)
        expect(isConsistent({ ...claim, size1: size + 1 })).toBe(false)
      }),
    )
  })
})
