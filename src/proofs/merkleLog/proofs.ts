import { headOfHashes, nodeHash, rootOf, tileHeight } from './tree.ts'

/**
 * The proofs of RFC 6962. They consist of heads of ranges of entries. A head is made from complete subtrees, and these
 * from hashes that are in tiles.
 */

/** Entries from `from` up to but not including `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Hashes of a tile level, one after the other. */
interface HashRun {
  readonly tileLevel: number
  readonly first: number
  readonly count: number
}

/** Return the ranges whose heads prove that the entry with this index is in the tree of this size (RFC 6962, 2.1.1). */
export function inclusionRanges(index: number, { from, to }: Range): Range[] {
  if (to - from === 1) return []
  const middle = from + splitOf(to - from)
  return index < middle
    ? [...inclusionRanges(index, { from, to: middle }), { from: middle, to }]
    : [...inclusionRanges(index, { from: middle, to }), { from, to: middle }]
}

/** Return the ranges whose heads prove that the tree of size `to` continues the tree of size `from` (2.1.2). */
export function consistencyRanges({ from, to }: Range): Range[] {
  return from === to ? [] : continuedIn(from, { from: 0, to }, true)
}

/** @param isWhole whether the older tree has all of the range, so that its head is known */
function continuedIn(size: number, { from, to }: Range, isWhole: boolean): Range[] {
  if (size === to - from) return isWhole ? [] : [{ from, to }]
  const split = splitOf(to - from)
  const middle = from + split
  return size <= split
    ? [...continuedIn(size, { from, to: middle }, isWhole), { from: middle, to }]
    : [...continuedIn(size - split, { from: middle, to }, false), { from, to: middle }]
}

/** Return ranges that make a tree, each on one side of `size`. The ranges before `size` make the tree of that size. */
export function rangesAround(size: number, { from, to }: Range): Range[] {
  if (size <= from || size >= to) return [{ from, to }]
  const middle = from + splitOf(to - from)
  return [...rangesAround(size, { from, to: middle }), ...rangesAround(size, { from: middle, to })]
}

/** Return the heads of two trees from those of `rangesAround`: the tree of that size, and the whole. */
export function headsAround(
  size: number,
  whole: Range,
  heads: readonly Buffer[],
): { readonly older: Buffer; readonly whole: Buffer } {
  const ranges = rangesAround(size, whole)
  const headOf = new Map(ranges.map(({ from }, place) => [from, heads[place]!]))
  const join = ({ from, to }: Range): Buffer => {
    if (size <= from || size >= to) return headOf.get(from)!
    const middle = from + splitOf(to - from)
    return nodeHash(join({ from, to: middle }), join({ from: middle, to }))
  }
  const before = ranges.filter(({ to }) => to <= size)
  const subtrees = before.map(({ from }) => headOf.get(from)!.toString('base64'))
  return { older: rootOf({ subtrees }), whole: join(whole) }
}

/** Return the runs of hashes that make the head of a range: one for each complete subtree, the largest first. */
export function runsOf({ from, to }: Range): HashRun[] {
  const runs: HashRun[] = []
  for (let next = from; next < to; ) {
    const level = Math.floor(Math.log2(to - next))
    const tileLevel = Math.floor(level / tileHeight)
    const count = 2 ** (level % tileHeight)
    runs.push({ tileLevel, first: (next / 2 ** level) * count, count })
    next += 2 ** level
  }
  return runs
}

/** Return the head of a range from the hashes of its `runsOf`, those of each one after the other. They are overwritten. */
export function headOfRuns(runs: readonly Buffer[]): Buffer {
  return rootOf({ subtrees: runs.map((hashes) => headOfHashes(hashes).toString('base64')) })
}

/** Return the head of a tree from the hash of an entry and the proof that the tree has it, in base64. */
export function headFrom(leaf: Buffer, index: number, { from, to }: Range, proof: readonly string[]): Buffer {
  if (to - from === 1) return leaf
  const middle = from + splitOf(to - from)
  const sibling = Buffer.from(proof.at(-1)!, 'base64')
  const rest = proof.slice(0, -1)
  return index < middle
    ? nodeHash(headFrom(leaf, index, { from, to: middle }, rest), sibling)
    : nodeHash(sibling, headFrom(leaf, index, { from: middle, to }, rest))
}

/** Return the largest power of 2 below a number of entries that is greater than 1. */
function splitOf(entries: number): number {
  return 2 ** Math.floor(Math.log2(entries - 1))
}
