import type { Logger } from 'pino'
import { messageOf } from '../../lib/failure.ts'
import { ifInTime, inTime } from '../../lib/inTime.ts'
import type { PolicyStatus } from '../../policies/policyStatus.ts'
import {
  type MissingTables,
  missingNames,
  rebuildTodo,
} from '../../projections/engine/operations/missingTables.ts'
import type { Projection } from '../../projections/engine/projection.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'
import type { ProjectionState } from '../../projections/engine/schema/schema.ts'
import type { Skip } from '../../projections/engine/schema/skips.ts'
import { type EventStore, storeAnswersWithinMs } from '../../stores/eventStore.ts'
import type { LeaseStatus } from '../../stores/leading/leaseStatus.ts'
import { differsBy, tolerableSkewMs } from '../../stores/postgres/clockSkew.ts'

/** Look at every part that the service needs. A part is ready when it does its work, not when its process runs. */
export type Health = () => Promise<readonly Part[]>

export interface Part {
  readonly name: string
  readonly ready: boolean
  /** It says why the part is not ready, where the part has told. */
  readonly cause?: string | undefined
  /** Requests are served without it, such as work in the background. */
  readonly background?: boolean
  /** The position of a read model that has not caught up. */
  readonly behind?: { readonly position: number; readonly head: number }
  /** Tables and columns that a read model lacks, such as `tag_1.name`. */
  readonly missing?: { readonly tables: readonly string[]; readonly todo: string }
}

/** Return the parts that are not ready and without which requests cannot be served. */
export function keepFromServing(parts: readonly Part[]): Part[] {
  return parts.filter(({ ready, background = false }) => !ready && !background)
}

export interface HealthOptions {
  readonly eventStore: EventStore
  /** Whether the store refused the last append because its disk is full. */
  readonly isStoreFull: () => boolean
  readonly positions: Positions
  readonly projections: readonly Projection[]
  readonly policyNames: readonly string[]
  /** @throws PostgresUnavailable */
  readonly readPolicyStatuses: () => Promise<readonly PolicyStatus[]>
  /** @throws PostgresUnavailable */
  readonly readSignerStatus: () => Promise<LeaseStatus | null>
  /** @throws PostgresUnavailable */
  readonly readSenderStatus: () => Promise<LeaseStatus | null>
  /** @throws PostgresUnavailable */
  readonly findMissing: (states: readonly ProjectionState[]) => Promise<MissingTables>
  /** @throws PostgresUnavailable */
  readonly findSkips: () => Promise<readonly Pick<Skip, 'automatic'>[]>
  /** Throws when the identity provider cannot be asked for its keys. */
  readonly askProvider: () => Promise<void>
  /** Whether tokens are verified by the last keys of the identity provider while it does not answer. */
  readonly lastKeysServe: () => boolean
  readonly clock: () => number
}

/** A part that does not answer within this time is not ready. The event store has as long as commands give it. */
const withinMs = 1_000
/** PostgreSQL is asked every half second; silence for this long means that it does not answer. */
const deafAfterMs = 2_000
/** Another process takes over a lease in about 5 s. After this time, none runs. */
const stalledAfterMs = 15_000

export function createHealth(options: HealthOptions): Health {
  const { positions, projections, policyNames, clock } = options
  const watches = policyNames.map((name) => ({ name, getsOn: watchPolicy(clock) }))
  const signs = watchLease(clock)
  const sends = watchLease(clock)
  return async () => {
    const answers = await askAll(options)
    const { statuses, signer, sender, missingTables, skips } = answers
    const head = answers.last?.position ?? 0
    const readModels = await Promise.all(
      projections.map((projection) => readModelPart(positions, projection, head, missingTables)),
    )
    return [
      ...dependencyParts(options, answers),
      ...readModels,
      ...(skips.some(({ automatic }) => automatic)
        ? [{ name: 'events that read models skip', ready: false, background: true }]
        : []),
      ...watches.map(({ name, getsOn }): Part => {
        const status = statuses?.find((one) => one.name === name)
        return {
          name: `policy ${name}`,
          ready: status !== undefined && getsOn(status, head),
          background: true,
        }
      }),
      // A service without a key has no signer.
      {
        name: 'signer',
        ready: signer === null || (signer !== undefined && signs(signer)),
        background: true,
      },
      { name: 'webhooks', ready: sender !== undefined && sends(sender ?? neverHeld), background: true },
    ]
  }
}

type Answers = Awaited<ReturnType<typeof askAll>>

/** Ask every dependency at once. One that does not answer in time leaves its cause. */
async function askAll(options: HealthOptions) {
  const causes: Partial<Record<'store' | 'provider' | 'postgres', string>> = {}
  const orCause = <Value>(part: keyof typeof causes, work: Promise<Value>, limitMs = withinMs) =>
    inTime(work, limitMs, () => new Error(`no answer within ${limitMs} ms`)).catch((error) => {
      causes[part] = messageOf(error)
      return undefined
    })
  const [last, provider, statuses, signer, sender, missingTables, skips = []] = await Promise.all([
    orCause(
      'store',
      options.eventStore.last().then((event) => ({ position: event?.position ?? 0 })),
      storeAnswersWithinMs,
    ),
    orCause(
      'provider',
      options.askProvider().then(() => true),
    ),
    orCause('postgres', options.readPolicyStatuses()),
    ifInTime(options.readSignerStatus(), withinMs),
    ifInTime(options.readSenderStatus(), withinMs),
    ifInTime(options.findMissing(options.positions.statuses()), withinMs),
    ifInTime(options.findSkips(), withinMs),
  ])
  return { causes, last, provider, statuses, signer, sender, missingTables, skips }
}

function dependencyParts(
  { positions, isStoreFull, lastKeysServe, clock }: HealthOptions,
  { causes, last, provider }: Answers,
): readonly Part[] {
  const skew = positions.clockSkew()
  return [
    { name: 'event store', ready: last !== undefined && !positions.isRewound(), cause: causes.store },
    // Reads go on, and all nodes use the same store.
    ...(isStoreFull() ? [{ name: 'room in the event store', ready: false, background: true }] : []),
    { name: 'clock', ready: !skew || !differsBy(tolerableSkewMs, skew) },
    { name: 'PostgreSQL', ready: clock() - positions.lastHeardAt < deafAfterMs, cause: causes.postgres },
    // A slow provider is slow for all nodes at once, and none of them could serve the requests of another.
    {
      name: 'identity provider',
      ready: provider === true,
      cause: causes.provider,
      ...(lastKeysServe() && { background: true }),
    },
  ]
}

/** Write one line when parts stop to work, with the causes, and one when they work again. */
export function reportHealth(health: Health, log: Pick<Logger, 'warn' | 'info'>): Health {
  let failing: readonly string[] = []
  return async () => {
    const parts = await health()
    const now = parts.filter(({ ready }) => !ready)
    const begun = now.filter(({ name }) => !failing.includes(name))
    const ended = failing.filter((name) => !now.some((part) => part.name === name))
    failing = now.map(({ name }) => name)
    if (begun.length > 0)
      log.warn({ parts: begun.map(({ name, cause, behind }) => ({ name, cause, behind })) }, 'not ready')
    if (ended.length > 0) log.info({ parts: ended }, 'ready again')
    return parts
  }
}

/** One look answers every question for this long. */
const sharedForMs = 1_000

/** Look at most once a second, because anyone who reaches the port may ask at any rate. */
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

/**
 * Tell whether a policy makes progress from one look to the next. A node stays in service when a policy stands
 * still or has parked a company: its requests are served, and another node would serve them no better. The process
 * that holds the policy up may have no HTTP, so every node names the policy.
 */
function watchPolicy(clock: () => number) {
  let valueBefore = ''
  let movedAt = clock()
  return ({ position, servedAt, condition, parked }: PolicyStatus, head: number): boolean => {
    const now = `${position} ${servedAt}`
    if (now !== valueBefore || position >= head) movedAt = clock()
    valueBefore = now
    return condition === null && parked === 0 && clock() - movedAt < stalledAfterMs
  }
}

const neverHeld: LeaseStatus = { isHeld: false, condition: null }

/** Tell whether a process holds the lease and does its work. No request waits for it, so a node stays in service without. */
function watchLease(clock: () => number) {
  let heldAt = clock()
  return (status: LeaseStatus): boolean => {
    if (status.isHeld) heldAt = clock()
    return status.condition === null && clock() - heldAt < stalledAfterMs
  }
}

async function readModelPart(
  positions: Positions,
  projection: Projection,
  head: number,
  missingTables: MissingTables | undefined,
): Promise<Part> {
  const caughtUp = await positions.waitFor([projection], head, withinMs)
  const missing = missingTables?.get(projection.name)
  const state = positions.statuses().find(({ name }) => name === projection.name)
  return {
    name: `projection ${projection.name}`,
    ...(projection.isBackground && { background: true }),
    ready: caughtUp && state?.status !== 'failed' && !missing,
    ...(!caughtUp && { behind: { position: state?.position ?? 0, head } }),
    ...(missing && {
      missing: { tables: missingNames(missing), todo: rebuildTodo(projection.name) },
    }),
  }
}
