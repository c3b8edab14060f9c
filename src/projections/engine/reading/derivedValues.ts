import { createReadCache } from './readCache.ts'
import type { Reading } from './reader.ts'
import type { Named, Positions } from './waitFor.ts'

/** Values that are computed from many rows of a company. They are kept until one of these rows may have changed. */

export interface Derivation<Value> {
  /** Unique among all derivations. */
  readonly name: string
  /** The projections that it is computed from. */
  readonly reads: readonly Named[]
  readonly compute: (reading: Reading, companyId: string) => Promise<Value>
  /** About how many bytes the value takes. */
  readonly sizeOf: (value: Value) => number
}

/** Return a value as the snapshot shows it. */
export type Derive = <Value>(
  derivation: Derivation<Value>,
  reading: Reading,
  companyId: string,
) => Promise<Value>

export const deriveAnew: Derive = ({ compute }, reading, companyId) => compute(reading, companyId)

interface DeriveOptions {
  readonly positions: Pick<Positions, 'positionOf' | 'onChange' | 'lastHeardAt'>
  /** The clock of `positions`. */
  readonly clock: () => number
  /** Bound of all values together, in bytes. */
  readonly maxSize: number
}

interface Kept {
  readonly value: unknown
  /** The position of the snapshot that it was computed from. */
  readonly computedAt: number
  readonly size: number
}

/** Return a function that computes a value once for all snapshots that show the same rows of the company. */
export function createDerive({ positions, clock, maxSize }: DeriveOptions): Derive {
  const cache = createReadCache<Kept>({ positions, clock, maxSize, sizeOf: ({ size }) => size })
  const derive: Derive = async (derivation, reading, companyId) => {
    const { name, reads, compute, sizeOf } = derivation
    const anew = () => compute(reading, companyId)
    const lacksFacts = (await reading.lack(companyId)) !== undefined
    const { position } = reading
    // This node has heard of changes that the snapshot does not show.
    const isBehind = position < positions.positionOf(reads)
    if (lacksFacts || reading.isEarlier || isBehind) return anew()
    let isOwn = false
    const found = cache.get({ companyId, name, reads }, async () => {
      isOwn = true
      const value = await anew()
      return { value: { value, computedAt: position, size: sizeOf(value) }, position }
    })
    const kept = await found.catch((error) => {
      if (isOwn) throw error
    })
    // The read of another caller failed, for example because its connection was lost. This one may succeed.
    if (!kept) return derive(derivation, reading, companyId)
    const isOfSnapshot = kept.value.computedAt <= position && position <= kept.position
    return isOfSnapshot ? (kept.value.value as Awaited<ReturnType<typeof anew>>) : anew()
  }
  return derive
}
