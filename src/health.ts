import { differsBy, tolerableSkewMs } from './clockSkew.ts'
import type { EventStore } from './eventStore.ts'
import { inTime } from './inTime.ts'
import type { PolicyStanding } from './policies/standing.ts'
import { type MissingTables, missingNames, rebuildTodo } from './projections/operations/missingTables.ts'
import type { Projection } from './projections/projection.ts'
import type { Positions } from './projections/reading/waitFor.ts'
import type { ProjectionState } from './projections/schema/schema.ts'

/** What the service needs, each by name: green means that positions move, not that a process runs. */
export type Health = () => Promise<readonly Part[]>

export interface Part {
  readonly name: string
  readonly ready: boolean
  /** Work behind the requests, which are served without it. */
  readonly background?: boolean
  /** How far a read model is that has not caught up. */
  readonly behind?: { readonly position: number; readonly head: number }
  /** The tables that a read model lacks, and columns of them, such as `tag_1.name`. */
  readonly missing?: { readonly tables: readonly string[]; readonly todo: string }
}

/** The parts without which requests cannot be served. */
export const keepFromServing = (parts: readonly Part[]): Part[] =>
  parts.filter(({ ready, background = false }) => !ready && !background)

export interface HealthOptions {
  readonly eventStore: EventStore
  readonly positions: Positions
  readonly projections: readonly Projection[]
  readonly policyNames: readonly string[]
  /** @throws PostgresUnavailable */
  readonly lookAtPolicies: () => Promise<readonly PolicyStanding[]>
  /** @throws PostgresUnavailable */
  readonly findMissing: (states: readonly ProjectionState[]) => Promise<MissingTables>
  /** Throws when the identity provider cannot be asked for its keys. */
  readonly askProvider: () => Promise<void>
  readonly clock: () => number
}

/** Whoever does not answer within this time is not ready. */
const withinMs = 1_000
/** PostgreSQL is asked every half second; silence for this long means that it does not answer. */
const deafAfterMs = 2_000
/** Another process takes the policy's lease in about 5 s: standing still for longer means that none does. */
const stalledAfterMs = 15_000

/**
 * Whether a policy gets on, as seen from one look to the next. A node is not taken out of service because a
 * policy stands still, or has parked a company: requests are served as well as ever, and sending them elsewhere
 * mends nothing. Any process may be the one that holds the policy up, also one without HTTP, so every node
 * names it.
 */
const watchPolicy = (clock: () => number) => {
  let seen = ''
  let movedAt = clock()
  return ({ position, servedAt, trouble, parked }: PolicyStanding, head: number): boolean => {
    const now = `${position} ${servedAt}`
    if (now !== seen || position >= head) movedAt = clock()
    seen = now
    return trouble === null && parked === 0 && clock() - movedAt < stalledAfterMs
  }
}

export const createHealth = ({
  eventStore,
  positions,
  projections,
  policyNames,
  lookAtPolicies,
  findMissing,
  askProvider,
  clock,
}: HealthOptions): Health => {
  const watches = policyNames.map((name) => ({ name, getsOn: watchPolicy(clock) }))
  return async () => {
    const [last, provider, standings, missingTables] = await Promise.all([
      inTime(
        eventStore.last().then((event) => ({ position: event?.position ?? 0 })),
        withinMs,
      ),
      inTime(
        askProvider().then(() => true),
        withinMs,
      ),
      inTime(lookAtPolicies(), withinMs),
      inTime(findMissing(positions.statuses()), withinMs),
    ])
    const head = last?.position ?? 0
    const skew = positions.clockSkew()
    const readModels = await Promise.all(
      projections.map(async (projection): Promise<Part> => {
        const caughtUp = await positions.waitFor([projection], head, withinMs)
        const missing = missingTables?.get(projection.name)
        const state = positions.statuses().find(({ name }) => name === projection.name)
        return {
          name: `projection ${projection.name}`,
          ready: caughtUp && state?.status !== 'failed' && !missing,
          ...(!caughtUp && { behind: { position: state?.position ?? 0, head } }),
          ...(missing && {
            missing: { tables: missingNames(missing), todo: rebuildTodo(projection.name) },
          }),
        }
      }),
    )
    return [
      { name: 'event store', ready: last !== undefined && !positions.isRewound() },
      { name: 'clock', ready: !skew || !differsBy(tolerableSkewMs, skew) },
      { name: 'PostgreSQL', ready: clock() - positions.lastHeardAt < deafAfterMs },
      { name: 'identity provider', ready: provider === true },
      ...readModels,
      ...watches.map(({ name, getsOn }): Part => {
        const standing = standings?.find((one) => one.name === name)
        return {
          name: `policy ${name}`,
          ready: standing !== undefined && getsOn(standing, head),
          background: true,
        }
      }),
    ]
  }
}

/** How long one look answers everybody who asks. */
const sharedForMs = 1_000

/** Looks once a second at most: anyone who reaches the port may ask, as often as they like. */
export function sharedHealth(health: Health, clock: () => number): Health {
  let look: Promise<readonly Part[]> | undefined
  let lookedAt = 0
  return () => {
    if (look && clock() - lookedAt < sharedForMs) return look
    lookedAt = Number.POSITIVE_INFINITY
    look = health().finally(() => {
      lookedAt = clock()
    })
    return look
  }
}
