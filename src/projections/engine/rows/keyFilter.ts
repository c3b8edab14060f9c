/** A Bloom filter: remembers in little memory which keys may have been written. */
interface KeyFilter {
  add(key: string): void
  /** False: it was never added, surely. True: it probably was. */
  has(key: string): boolean
}

/** 1 MiB: of 500,000 keys one in 200 others is mistaken for one of them, of 2,000,000 one in seven. */
const bits = 2 ** 23
const probes = 3

export function createKeyFilter(): KeyFilter {
  let words: Uint32Array | undefined
  return {
    add(key) {
      words ??= new Uint32Array(bits / 32)
      let place = hash(key)
      const step = strideOf(place)
      for (let probe = 0; probe < probes; probe++, place += step) {
        const bit = place & (bits - 1)
        words[bit >>> 5]! |= 1 << (bit & 31)
      }
    },
    has(key) {
      if (!words) return false
      let place = hash(key)
      const step = strideOf(place)
      for (let probe = 0; probe < probes; probe++, place += step) {
        const bit = place & (bits - 1)
        if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
      }
      return true
    },
  }
}

/** FNV-1a over UTF-16 code units. */
function hash(key: string): number {
  let mixed = 0x811c9dc5
  for (let index = 0; index < key.length; index++)
    mixed = Math.imul(mixed ^ key.charCodeAt(index), 0x01000193)
  return mixed
}

/** Another number from the same hash, by MurmurHash's finaliser: odd, so that it steps through all bits. */
function strideOf(hashed: number): number {
  const mixed = Math.imul(hashed ^ (hashed >>> 16), 0x85ebca6b)
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) | 1
}
