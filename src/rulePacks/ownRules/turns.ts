/** The requests of companies to the thread, and the company whose turn it is. It changes nothing but its own state. */
export interface Turns<Asked> {
  /** Return false when too many requests of the company are waiting already. */
  add(companyId: string, asked: Asked): boolean
  /** Take the next request: of the waiting companies, the one that has used the least time goes first. */
  next(): { readonly companyId: string; readonly asked: Asked } | undefined
  /** Add the time that a request has taken to the time that its company has used. */
  charge(companyId: string, ms: number): void
  /** Take all requests of a company, or of every company. */
  takeAll(companyId?: string): readonly Asked[]
}

interface Share<Asked> {
  readonly waiting: Asked[]
  /** In milliseconds. */
  used: number
}

/** @param most the most requests of one company that wait at a time */
export function createTurns<Asked>(most: number): Turns<Asked> {
  const shares = new Map<string, Share<Asked>>()
  /** The time that the company served last had used. A company that comes later starts here, so it is owed nothing. */
  let level = 0

  /** Drop the companies that wait for nothing and have used no more time than the others. */
  function forgetIdle(): void {
    for (const [companyId, { waiting, used }] of shares)
      if (waiting.length === 0 && used <= level) shares.delete(companyId)
  }

  return {
    add(companyId, asked) {
      const share = shares.get(companyId) ?? { waiting: [], used: level }
      if (share.waiting.length >= most) return false
      if (share.waiting.length === 0) share.used = Math.max(share.used, level)
      share.waiting.push(asked)
      shares.set(companyId, share)
      return true
    },
    next() {
      let first: [string, Share<Asked>] | undefined
      for (const one of shares)
        if (one[1].waiting.length > 0 && !(first && first[1].used <= one[1].used)) first = one
      if (!first) return undefined
      const [companyId, { waiting, used }] = first
      level = used
      forgetIdle()
      return { companyId, asked: waiting.shift()! }
    },
    charge(companyId, ms) {
      const share = shares.get(companyId)
      if (share) share.used += ms
    },
    takeAll(companyId) {
      const taken = companyId === undefined ? [...shares.values()] : [shares.get(companyId)]
      return taken.flatMap((share) => share?.waiting.splice(0) ?? [])
    },
  }
}
