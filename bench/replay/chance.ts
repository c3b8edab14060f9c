/** Random numbers from a seed, so every run produces the same history. */
export interface Chance {
  /** From 0 up to, not including, `below`. */
  below(below: number): number
  /** True with this probability. */
  of(probability: number): boolean
  between(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  uuid(): string
}

/** Source: the Mulberry32 generator. */
export function createChance(seed: number): Chance {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)
  const hex = () => next().toString(16).padStart(8, '0')
  return {
    below,
    of: (probability) => next() / 2 ** 32 < probability,
    between: (least, most) => least + below(most - least + 1),
    pick: (items) => items[below(items.length)]!,
    uuid() {
      const digits = hex() + hex() + hex() + hex()
      const [a, b, c, d] = [
        digits.slice(0, 8),
        digits.slice(8, 12),
        digits.slice(13, 16),
        digits.slice(17, 20),
      ]
      return `${a}-${b}-4${c}-8${d}-${digits.slice(20)}`
    },
  }
}
