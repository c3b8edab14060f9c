/**
 * Read for a key, or share another caller's read. A caller that asks while as many reads of the key are under way as may
 * be gets the next one, so every read begins after all the calls that it answers.
 */
type SharedReads = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>

/** The reads of one key. */
interface Reads {
  underWay: number
  next?: { readonly result: Promise<unknown>; begin(): void } | undefined
}

/** @param atOnce the most reads of one key under way at the same time */
export function createSharedReads(atOnce = 1): SharedReads {
  const keys = new Map<string, Reads>()

  const begin = <Result>(key: string, reads: Reads, read: () => Promise<Result>): Promise<Result> => {
    const now = read()
    reads.underWay += 1
    keys.set(key, reads)
    const end = () => {
      reads.underWay -= 1
      if (reads.next) reads.next.begin()
      else if (reads.underWay === 0) keys.delete(key)
    }
    now.then(end, end)
    return now
  }

  return <Result>(key: string, read: () => Promise<Result>) => {
    const reads = keys.get(key) ?? { underWay: 0 }
    if (reads.underWay < atOnce) return begin(key, reads, read)
    if (!reads.next) {
      const { promise: result, resolve } = Promise.withResolvers<unknown>()
      reads.next = {
        result,
        begin() {
          reads.next = undefined
          resolve(begin(key, reads, read))
        },
      }
    }
    return reads.next.result as Promise<Result>
  }
}
