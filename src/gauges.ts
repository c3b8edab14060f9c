import { Gauge, type Registry } from 'prom-client'
import type { EventStore } from './eventStore.ts'
import { inTime } from './inTime.ts'
import type { PolicyStanding } from './policies/standing.ts'
import type { RunningRun } from './projections/operations/runs.ts'
import type { Positions } from './projections/reading/waitFor.ts'
import type { ProjectionState } from './projections/schema/schema.ts'

/**
 * Figures that are looked up when they are asked for, in every process alike: how far the read models, the
 * policy and operators' runs are. So they are true also where, and while, nothing moves.
 */
export interface GaugesOptions {
  readonly registry: Registry
  readonly eventStore: Pick<EventStore, 'last' | 'readAll' | 'eventAt'>
  readonly positions: Pick<Positions, 'statuses'>
  readonly lookAtPolicies: () => Promise<readonly PolicyStanding[]>
  readonly listRuns: () => Promise<readonly RunningRun[]>
  readonly now: () => Date
}

/** Whoever collects the figures must not wait for a store that is away: what it would say is left out. */
const withinMs = 1_000

interface Look {
  readonly head: number | undefined
  readonly projections: readonly ProjectionState[]
  readonly policies: readonly PolicyStanding[]
  readonly runs: readonly RunningRun[]
  /** Age in seconds of the first event that is waited for; 0 for none, undefined if it is not known. */
  lagOf(waiting: Waiting): number | undefined
}

/** Everything up to `position` is dealt with; `since` is the position of the first event that is not, where it is known. */
interface Waiting {
  readonly position: number
  readonly since?: number | null
}

/** When the first event that is waited for was recorded, in milliseconds since the epoch. */
const waitingSince = async (
  eventStore: GaugesOptions['eventStore'],
  { position, since }: Waiting,
): Promise<number> => {
  // Reading begins at an event: a store need not answer for a position between two of them.
  const events = since ? [await eventStore.eventAt(since)] : eventStore.readAll(position)
  for await (const event of events) {
    // Another program's event has whatever metadata it likes, or none.
    const at = Date.parse(event?.metadata?.occurredAt ?? '')
    if (Number.isFinite(at)) return at
  }
  return Number.POSITIVE_INFINITY
}

const createLook = ({ eventStore, positions, lookAtPolicies, listRuns, now }: GaugesOptions) => {
  /** By position. What follows an event never changes, so what stands still is looked up once. */
  let known = new Map<number, number>()

  return async (): Promise<Look> => {
    const [policies = [], runs = []] = await Promise.all([
      inTime(lookAtPolicies(), withinMs),
      inTime(listRuns(), withinMs),
    ])
    const projections = positions.statuses()
    const reached = new Map<number, Waiting>(
      [...projections, ...policies].map((waiting) => [waiting.position, waiting]),
    )
    // Asked for last, so that nothing seems to be ahead of the store.
    const last = await inTime(
      eventStore.last().then((event) => ({ position: event?.position ?? 0 })),
      withinMs,
    )
    const found = new Map<number, number>()
    const behind = [...reached.values()].filter(({ position }) => !last || position < last.position)
    await Promise.all(
      behind.map(async (waiting) => {
        const { position } = waiting
        const since = known.get(position) ?? (await inTime(waitingSince(eventStore, waiting), withinMs))
        if (since !== undefined && Number.isFinite(since)) found.set(position, since)
      }),
    )
    known = found
    return {
      head: last?.position,
      projections,
      policies,
      runs,
      lagOf({ position }) {
        if (last && position >= last.position) return 0
        const since = found.get(position)
        return since === undefined ? undefined : Math.max(0, now().getTime() - since) / 1_000
      },
    }
  }
}

/** Adds them to the registry. */
export const addGauges = (options: GaugesOptions): void => {
  const look = createLook(options)
  let looking: Promise<Look> | undefined
  /** All gauges of a collection are asked at once, and share a look. */
  const shared = (): Promise<Look> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  type Sample = readonly [labels: Record<string, string>, value: number | undefined]
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    samples: (look: Look) => readonly Sample[],
  ) =>
    new Gauge({
      name: `heatmark_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [options.registry],
      async collect() {
        const seen = samples(await shared())
        this.reset()
        // A gauge without labels would go on to say 0 of what is not known.
        if (labelNames.length === 0 && seen.every(([, value]) => value === undefined)) this.remove({})
        for (const [labels, value] of seen) if (value !== undefined) this.set(labels, value)
      },
    })

  const ofProjections = (
    { projections }: Look,
    value: (state: ProjectionState) => number | undefined,
  ): Sample[] => projections.map((state) => [{ projection: state.name }, value(state)])
  const ofPolicies = (
    { policies }: Look,
    value: (standing: PolicyStanding) => number | undefined,
  ): Sample[] => policies.map((standing) => [{ policy: standing.name }, value(standing)])

  gauge('event_store_position', 'Position of the last event of the store.', [], ({ head }) => [[{}, head]])

  gauge('projection_position', 'Position of the last event that its rows show.', ['projection'], (seen) =>
    ofProjections(seen, ({ position }) => position),
  )
  gauge(
    'projection_lag_seconds',
    'How long the first event that its rows do not show has been recorded; 0 when they show all.',
    ['projection'],
    (seen) => ofProjections(seen, seen.lagOf),
  )
  gauge('projection_running', '1 while it is kept up, 0 when it has stopped.', ['projection'], (seen) =>
    ofProjections(seen, ({ status }) => (status === 'running' ? 1 : 0)),
  )

  gauge('policy_position', 'Position of the last event that it has dealt with.', ['policy'], (seen) =>
    ofPolicies(seen, ({ position }) => position),
  )
  gauge(
    'policy_lag_seconds',
    'How long the first event that it has not dealt with has been recorded; 0 when there is none.',
    ['policy'],
    (seen) => ofPolicies(seen, seen.lagOf),
  )
  gauge('policy_held', '1 while any process holds its lease, 0 while none does.', ['policy'], (seen) =>
    ofPolicies(seen, ({ held }) => (held ? 1 : 0)),
  )
  gauge('policy_troubled', '1 while something keeps it from its work.', ['policy'], (seen) =>
    ofPolicies(seen, ({ trouble }) => (trouble === null ? 0 : 1)),
  )
  gauge('policy_jobs', 'Open jobs, without those of parked companies.', ['policy'], (seen) =>
    ofPolicies(seen, ({ jobs }) => jobs),
  )
  gauge('policy_parked_companies', 'Companies that it could not serve and tries again.', ['policy'], (seen) =>
    ofPolicies(seen, ({ parked }) => parked),
  )

  const ofRuns = (value: (run: RunningRun) => number) => (seen: Look) =>
    seen.runs.map((run): Sample => [{ kind: run.kind, projection: run.projection }, value(run)])
  const run = ['kind', 'projection']
  gauge(
    'run_progress_ratio',
    'How far a rebuild or verification that is under way in any process has got, from 0 to 1.',
    run,
    ofRuns(({ progress }) => progress),
  )
  gauge(
    'run_events_per_second',
    'Events that it has folded a second.',
    run,
    ofRuns(({ eventsPerSecond }) => eventsPerSecond),
  )
}
