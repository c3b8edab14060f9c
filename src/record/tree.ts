import { createHash } from 'node:crypto'

/** The Merkle tree of a log, as RFC 6962 hashes it, and its tiles, as C2SP tlog-tiles names them. */

export interface Tree {
  readonly size: number
  /** Add an entry at the end. */
  add(entry: string): void
  /** Return the tree head. */
  root(): Buffer
}

const hashBytes = 32
/** Levels of the tree in one tile, and hashes in a complete tile. */
const tileHeight = 8
const tileWidth = 2 ** tileHeight

/** @param keep takes each hash that belongs into a tile, by the level of the tile */
export function createTree(keep: (tileLevel: number, hash: Buffer) => void = () => {}): Tree {
  let size = 0
  /** The roots of the complete subtrees, one for each 1 in the binary form of the size. */
  const subtrees: (Buffer | undefined)[] = []
  return {
    get size() {
      return size
    },
    add(entry) {
      let hash = leafHash(entry)
      let level = 0
      keep(0, hash)
      for (let left = subtrees[0]; left; left = subtrees[level]) {
        hash = nodeHash(left, hash)
        subtrees[level] = undefined
        level += 1
        if (level % tileHeight === 0) keep(level / tileHeight, hash)
      }
      subtrees[level] = hash
      size += 1
    },
    root() {
      const [smallest, ...larger] = subtrees.filter((subtree) => subtree !== undefined)
      if (!smallest) return createHash('sha256').digest()
      return larger.reduce((right, left) => nodeHash(left, right), smallest)
    },
  }
}

export interface Tiles {
  keep(tileLevel: number, hash: Buffer): void
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

function leafHash(entry: string): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(entry).digest()
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
}
