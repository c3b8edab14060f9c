import { hash as hashOf } from 'node:crypto'

/** The Merkle tree of a log, as RFC 6962 hashes it, and its tiles, as C2SP tlog-tiles names them. */

/** The part of a tree that is needed to add entries to it, as plain JSON. */
export interface Frontier {
  readonly size: number
  /** The roots of the complete subtrees in base64, the largest first: one for each 1 in the binary form of the size. */
  readonly subtrees: readonly string[]
}

export const emptyFrontier: Frontier = { size: 0, subtrees: [] }

export interface Tree {
  readonly size: number
  /** Add an entry at the end. */
  add(entry: string): void
  /** Return the tree head. */
  root(): Buffer
  frontier(): Frontier
}

/** Takes a hash that belongs to a tile, with the level of the tile. Hashes of a level come in their order. */
type KeepHash = (tileLevel: number, hash: Buffer) => void

export const hashBytes = 32
/** Levels of the tree in one tile, and hashes in a complete tile. */
export const tileHeight = 8
export const tileWidth = 2 ** tileHeight

/** @param from the tree to add to; an empty one by default */
export function createTree(keep: KeepHash = () => {}, from = emptyFrontier): Tree {
  let frontier = from
  return {
    get size() {
      return frontier.size
    },
    add(entry) {
      frontier = withLeaf(frontier, leafHash(entry), keep)
    },
    root: () => rootOf(frontier),
    frontier: () => frontier,
  }
}

/** Add the hash of an entry. */
export function withLeaf({ size, subtrees }: Frontier, leaf: Buffer, keep: KeepHash): Frontier {
  let hash = leaf
  let left = subtrees.length
  keep(0, hash)
  for (let level = 0, rest = size; rest % 2 === 1; level += 1, rest = Math.floor(rest / 2)) {
    left -= 1
    hash = nodeHash(Buffer.from(subtrees[left]!, 'base64'), hash)
    if ((level + 1) % tileHeight === 0) keep((level + 1) / tileHeight, hash)
  }
  return { size: size + 1, subtrees: [...subtrees.slice(0, left), hash.toString('base64')] }
}

/** Return the tree head. */
export function rootOf({ subtrees }: Pick<Frontier, 'subtrees'>): Buffer {
  if (subtrees.length === 0) return sha256(Buffer.of())
  return subtrees
    .map((hash): Buffer => Buffer.from(hash, 'base64'))
    .reduceRight((right, left) => nodeHash(left, right))
}

interface Tiles {
  keep: KeepHash
  /** The tiles by their paths, such as `tile/0/x001/067` or, for one of 5 hashes, `tile/0/000.p/5`. */
  files(): Iterable<readonly [path: string, bytes: Buffer]>
}

/** Hold the tiles of a tree in memory: 32 bytes for each entry. */
export function createTiles(): Tiles {
  const levels: { readonly tiles: Buffer[]; hashes: number }[] = []
  return {
    keep(tileLevel, hash) {
      levels[tileLevel] ??= { tiles: [], hashes: 0 }
      const level = levels[tileLevel]
      const place = level.hashes % tileWidth
      if (place === 0) level.tiles.push(Buffer.alloc(tileWidth * hashBytes))
      hash.copy(level.tiles.at(-1)!, place * hashBytes)
      level.hashes += 1
    },
    *files() {
      for (const [tileLevel, { tiles, hashes }] of levels.entries())
        for (const [index, tile] of tiles.entries()) {
          const width = Math.min(hashes - index * tileWidth, tileWidth)
          const part = width < tileWidth ? `.p/${width}` : ''
          yield [`tile/${tileLevel}/${tilePath(index)}${part}`, tile.subarray(0, width * hashBytes)]
        }
    },
  }
}

/** 1234067 is `x001/x234/067`. */
function tilePath(index: number): string {
  const groups: string[] = []
  for (let rest = index; rest > 0 || groups.length === 0; rest = Math.floor(rest / 1_000))
    groups.unshift(String(rest % 1_000).padStart(3, '0'))
  return groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group)).join('/')
}

export function leafHash(entry: string): Buffer {
  return sha256(`\0${entry}`)
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  const node = Buffer.allocUnsafe(1 + left.length + right.length)
  node[0] = 1
  left.copy(node, 1)
  right.copy(node, 1 + left.length)
  return sha256(node)
}

/**
 * Return the head of a complete subtree from the hashes of a level of it, one after the other, which it overwrites. It
 * takes a third of the time of `nodeHash` for each node, and leaves no garbage.
 */
export function headOfHashes(hashes: Buffer): Buffer {
  const node = Buffer.alloc(1 + 2 * hashBytes, 1)
  for (let width = hashes.length / hashBytes / 2; width >= 1; width /= 2)
    for (let place = 0; place < width; place += 1) {
      hashes.copy(node, 1, 2 * place * hashBytes, 2 * (place + 1) * hashBytes)
      hashes.write(hashOf('sha256', node, 'binary'), place * hashBytes, 'binary')
    }
  return hashes.subarray(0, hashBytes)
}

/** A hash in one call takes half as long as one that is updated. */
function sha256(content: string | Buffer): Buffer {
  return hashOf('sha256', content, 'buffer')
}
