/** Count what each holder has of something that all holders share, such as bytes. A holder is a company, a caller or a stream. */
interface Shares {
  /** Return what all holders have together. */
  total(): number
  of(holder: string): number
  /** @param amount negative for what the holder gives back */
  add(holder: string, amount: number): void
  /** Return the holder with the largest share. @throws TypeError when nobody has any */
  largestHolder(): string
}

export function createShares(): Shares {
  const shares = new Map<string, number>()
  let total = 0
  return {
    total: () => total,
    of: (holder) => shares.get(holder) ?? 0,
    add(holder, amount) {
      const share = (shares.get(holder) ?? 0) + amount
      total += amount
      if (share > 0) shares.set(holder, share)
      else shares.delete(holder)
    },
    largestHolder: () => [...shares].reduce((most, one) => (one[1] > most[1] ? one : most))[0],
  }
}
