import { createHash } from 'node:crypto'

/** The verification of RFC 9162, 2.1.3.2 and 2.1.4.2. It shares no code with the service, which makes the proofs. */

const hashOf = (left: Buffer, right: Buffer) =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()

export interface Inclusion {
  readonly leafIdx: number
  readonly treeSize: number
  readonly root: string
  readonly leafHash: string
  readonly proof: readonly string[] | null
}

export function isIncluded({ leafIdx, treeSize, root, leafHash, proof }: Inclusion): boolean {
  if (leafIdx >= treeSize || bytes(leafHash).length !== 32) return false
  let [fn, sn] = [leafIdx, treeSize - 1]
  let head = bytes(leafHash)
  for (const sibling of (proof ?? []).map(bytes)) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      head = hashOf(sibling, head)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else head = hashOf(head, sibling)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && head.equals(bytes(root))
}

export interface Consistency {
  readonly size1: number
  readonly size2: number
  readonly root1: string
  readonly root2: string
  readonly proof: readonly string[] | null
}

export function isConsistent({ size1, size2, root1, root2, proof }: Consistency): boolean {
  const hashes = (proof ?? []).map(bytes)
  if (size1 === 0 || size1 > size2) return false
  if (size1 === size2) return hashes.length === 0 && root1 === root2
  if (hashes.length === 0) return false
  const path = Number.isInteger(Math.log2(size1)) ? [bytes(root1), ...hashes] : hashes
  let [fn, sn] = [size1 - 1, size2 - 1]
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)]
  let [fr, sr] = [path[0]!, path[0]!]
  for (const hash of path.slice(1)) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      ;[fr, sr] = [hashOf(hash, fr), hashOf(hash, sr)]
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else sr = hashOf(sr, hash)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && fr.equals(bytes(root1)) && sr.equals(bytes(root2))
}

function half(n: number): number {
  return Math.floor(n / 2)
}

function bytes(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}
