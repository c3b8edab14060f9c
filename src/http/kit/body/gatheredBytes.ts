/**
 * Bytes put together as they come, in one buffer. A client may send single bytes, and to keep an object for each would
 * take four hundred times as much memory.
 */
interface GatheredBytes {
  add(part: Buffer): void
  /** Returns all bytes since the last call. */
  take(): Buffer
}

/** @param expected the bytes that will come, as far as it is known. They have room from the first part on. */
export function createGatheredBytes(expected = 0): GatheredBytes {
  let buffer = empty
  let length = 0
  return {
    add(part) {
      const needed = length + part.length
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, expected, 2 * buffer.length))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      part.copy(buffer, length)
      length = needed
    },
    take() {
      const all = buffer.subarray(0, length)
      buffer = empty
      length = 0
      return all
    },
  }
}

const empty = Buffer.alloc(0)
