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
  readonly waiting: Work[]
  /** In milliseconds. */
  used: number
}

/** @param most the most work of one holder that waits at a time; by default it has no bound */
export function createTurns<Work>(most = Number.POSITIVE_INFINITY): Turns<Work> {
  const holders = new Map<string, Holder<Work>>()
  /** The time that the holder served last had used. A holder that comes later starts here, so it is owed nothing. */
  let level = 0

  /** Drop the holders that wait for nothing and have used no more time than the others. */
  function forgetIdle(): void {
    for (const [holder, { waiting, used }] of holders)
      if (waiting.length === 0 && used <= level) holders.delete(holder)
  }

  return {
    add(holder, work) {
      const own = holders.get(holder) ?? { waiting: [], used: level }
      if (own.waiting.length >= most) return false
      if (own.waiting.length === 0) own.used = Math.max(own.used, level)
      own.waiting.push(work)
      holders.set(holder, own)
      return true
    },
    next() {
      let first: [string, Holder<Work>] | undefined
      for (const one of holders)
        if (one[1].waiting.length > 0 && !(first && first[1].used <= one[1].used)) first = one
      if (!first) return undefined
      const [holder, { waiting, used }] = first
      level = used
      forgetIdle()
      return { holder, work: waiting.shift()! }
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
