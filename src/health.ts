import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from './eventStore.ts'
import type { Projection } from './projections/projection.ts'
import type { Positions } from './projections/waitFor.ts'

/** What the service needs to be ready, each by name: green means that positions move, not that a process runs. */
export type Health = () => Promise<readonly { readonly name: string; readonly ready: boolean }[]>

export interface HealthOptions {
  readonly eventStore: EventStore
  readonly positions: Positions
  readonly projections: readonly Projection[]
  /** Throws when the identity provider cannot be asked for its keys. */
  readonly askProvider: () => Promise<void>
  readonly clock: () => number
}

/** Whoever does not answer within this time is not ready. */
const withinMs = 1_000
/** PostgreSQL is asked every half second; silence for this long means that it does not answer. */
const deafAfterMs = 2_000

const inTime = async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
  const timer = new AbortController()
  const late = pause(withinMs, undefined, { signal: timer.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } catch {
    return undefined
  } finally {
    timer.abort()
  }
}

export const createHealth =
  ({ eventStore, positions, projections, askProvider, clock }: HealthOptions): Health =>
  async () => {
    const [last, provider] = await Promise.all([
      inTime(eventStore.last().then((event) => ({ position: event?.position ?? 0 }))),
      inTime(askProvider().then(() => true)),
    ])
    const caughtUp = await Promise.all(
      projections.map(async (projection) => ({
        name: `projection ${projection.name}`,
        ready: await positions.waitFor([projection], last?.position ?? 0, withinMs),
      })),
    )
    const stopped = new Set(
      positions.statuses().flatMap(({ name, status }) => (status === 'failed' ? [`projection ${name}`] : [])),
    )
    return [
      { name: 'event store', ready: last !== undefined },
      { name: 'PostgreSQL', ready: clock() - positions.lastHeardAt < deafAfterMs },
      { name: 'identity provider', ready: provider === true },
      ...caughtUp.map(({ name, ready }) => ({ name, ready: ready && !stopped.has(name) })),
    ]
  }
