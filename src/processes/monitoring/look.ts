import { ifInTime } from '../../lib/inTime.ts'
import type { PolicyStatus } from '../../policies/policyStatus.ts'
import type { BytesOfAll } from '../../projections/company/dailyBytes.ts'
import type { EndpointsOfState } from '../../projections/company/webhooks.ts'
import type { RunningRun } from '../../projections/engine/operations/runs.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'
import type { ProjectionState } from '../../projections/engine/schema/schema.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import type { LeaseStatus } from '../../stores/leading/leaseStatus.ts'

/** The sources of a look. */
export interface Looks {
  readonly eventStore: Pick<EventStore, 'last' | 'readAll' | 'eventAt'>
  readonly positions: Pick<Positions, 'statuses'>
  readonly readPolicyStatuses: () => Promise<readonly PolicyStatus[]>
  readonly readSignerStatus: () => Promise<LeaseStatus | null>
  readonly readSenderStatus: () => Promise<LeaseStatus | null>
  readonly countEndpoints: () => Promise<readonly EndpointsOfState[]>
  readonly listRuns: () => Promise<readonly RunningRun[]>
  readonly readDailyBytes: () => Promise<BytesOfAll>
  readonly now: () => Date
}

/** A scrape does not wait for a store that does not answer: its values are left out. */
const withinMs = 1_000

/** The state of the whole service at one scrape. */
export interface Look {
  readonly head: number | undefined
  readonly projections: readonly ProjectionState[]
  readonly policies: readonly PolicyStatus[]
  readonly signer: LeaseStatus | null
  /** Undefined when unknown; null if no process has ever sent. */
  readonly sender: LeaseStatus | null | undefined
  readonly endpoints: readonly EndpointsOfState[] | undefined
  readonly runs: readonly RunningRun[]
  readonly dailyBytes: BytesOfAll | undefined
  /** Age in seconds of the first event that has not been applied; 0 when there is none, undefined when unknown. */
  lagOf(waiting: Waiting): number | undefined
}

/** The events up to `position` have been applied. `since` is the position of the first other one, if it is known. */
interface Waiting {
  readonly position: number
  readonly since?: number | null
}

/** Return when the first event that has not been applied was recorded, in milliseconds since 1970. */
async function waitingSince(eventStore: Looks['eventStore'], { position, since }: Waiting): Promise<number> {
  // Read from an event: a store may refuse a position between two events.
  const events = since ? [await eventStore.eventAt(since)] : eventStore.readAll(position)
  for await (const event of events) {
    // An event of another program may have any metadata, or none.
    const at = Date.parse(event?.metadata?.occurredAt ?? '')
    if (Number.isFinite(at)) return at
  }
  return Number.POSITIVE_INFINITY
}

export function createLook({
  eventStore,
  positions,
  readPolicyStatuses,
  readSignerStatus,
  readSenderStatus,
  countEndpoints,
  listRuns,
  readDailyBytes,
  now,
}: Looks) {
  /** Times by position. The event after a position never changes, so each is looked up once. */
  let sinceBefore = new Map<number, number>()

  return async (): Promise<Look> => {
    const [policies = [], signer = null, sender, endpoints, runs = [], dailyBytes] = await Promise.all([
      ifInTime(readPolicyStatuses(), withinMs),
      ifInTime(readSignerStatus(), withinMs),
      ifInTime(readSenderStatus(), withinMs),
      ifInTime(countEndpoints(), withinMs),
      ifInTime(listRuns(), withinMs),
      ifInTime(readDailyBytes(), withinMs),
    ])
    const projections = positions.statuses()
    const reached = new Map<number, Waiting>(
      [...projections, ...policies].map((waiting) => [waiting.position, waiting]),
    )
    // Read the head last, so that no position is beyond it.
    const last = await ifInTime(
      eventStore.last().then((event) => ({ position: event?.position ?? 0 })),
      withinMs,
    )
    const sinceNow = new Map<number, number>()
    const behind = [...reached.values()].filter(({ position }) => !last || position < last.position)
    await Promise.all(
      behind.map(async (waiting) => {
        const { position } = waiting
        const since =
          sinceBefore.get(position) ?? (await ifInTime(waitingSince(eventStore, waiting), withinMs))
        if (since !== undefined && Number.isFinite(since)) sinceNow.set(position, since)
      }),
    )
    sinceBefore = sinceNow
    return {
      head: last?.position,
      projections,
      policies,
      signer,
      sender,
      endpoints,
      runs,
      dailyBytes,
      lagOf({ position }) {
        if (last && position >= last.position) return 0
        const since = sinceNow.get(position)
        return since === undefined ? undefined : Math.max(0, now().getTime() - since) / 1_000
      },
    }
  }
}
