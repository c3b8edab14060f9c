/** Share time: of the holders that wait, the one that has used the least goes first. This changes nothing but its own state. */
export interface Turns<Work> {
  /** Return false when too much work of the holder is waiting already. */
  add(holder: string, work: Work): boolean
  /** Take the next work of the holder whose turn it is. */
  next(): { readonly holder: string; readonly work: Work } | undefined
  /** Add the time that work has taken to the time that its holder has used. */
  charge(holder: string, ms: number): void
  /** Take all work of a holder, or of every holder. */
  takeAll(holder?: string): readonly Work[]
}

interface Holder<Work> {
  readonly holder: string
  readonly waiting: Work[]
  /** In milliseconds. */
  used: number
}

/** @param most the most work of one holder that waits at a time; by default it has no bound */
export function createTurns<Work>(most = Number.POSITIVE_INFINITY): Turns<Work> {
  const holders = new Map<string, Holder<Work>>()
  /** The time that the holder served last had used. A holder that comes later starts here, so it is owed nothing. */
  let level = 0

  return {
    add(holder, work) {
      const own = holders.get(holder) ?? { holder, waiting: [], used: level }
      if (own.waiting.length >= most) return false
      if (own.waiting.length === 0) own.used = Math.max(own.used, level)
      own.waiting.push(work)
      holders.set(holder, own)
      return true
    },
    next() {
      let first: Holder<Work> | undefined
      for (const one of holders.values()) {
        if (one.waiting.length > 0) first = first && first.used <= one.used ? first : one
        // It has used no more time than a new holder starts with, so nothing is lost if it is forgotten.
        else if (one.used <= level) holders.delete(one.holder)
      }
      if (!first) return undefined
      level = first.used
      return { holder: first.holder, work: first.waiting.shift()! }
    },
    charge(holder, ms) {
      const own = holders.get(holder)
      if (own) own.used += ms
    },
    takeAll(holder) {
      const taken = holder === undefined ? [...holders.values()] : [holders.get(holder)]
      return taken.flatMap((own) => own?.waiting.splice(0) ?? [])
    },
  }
}
