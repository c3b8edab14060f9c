import { Gauge, type Registry } from 'prom-client'
import type { PolicyStatus } from '../../policies/policyStatus.ts'
import type { BytesOfAll } from '../../projections/company/dailyBytes.ts'
import { type EndpointsOfState, webhookStates } from '../../projections/company/webhooks.ts'
import type { RunningRun } from '../../projections/engine/operations/runs.ts'
import type { ProjectionState } from '../../projections/engine/schema/schema.ts'
import type { LeaseStatus } from '../../stores/leading/leaseStatus.ts'
import { createLook, type Look, type Looks } from './look.ts'

/**
 * Gauges that are looked up at each scrape, in every process: the positions of read models and policies, the signer, the
 * webhooks, and the progress of operators' runs. Their values are therefore right in processes that project nothing, too.
 */
interface GaugesOptions extends Looks {
  readonly registry: Registry
}

/** Add the gauges to the registry. */
export function addGauges(options: GaugesOptions): void {
  const gauge = createGauges(options)
  addPositions(gauge)
  addPolicies(gauge)
  addSigner(gauge)
  addWebhooks(gauge)
  addRuns(gauge)
  addDailyBytes(gauge)
}

type Sample = readonly [labels: Record<string, string>, value: number | undefined]

/** Add one gauge. Unknown values are left out. */
type AddGauge = (
  name: string,
  help: string,
  labelNames: readonly string[],
  samples: (look: Look) => readonly Sample[],
) => void

function createGauges(options: GaugesOptions): AddGauge {
  const look = createLook(options)
  let looking: Promise<Look> | undefined
  /** All gauges of one scrape share a look. */
  const sharedLook = (): Promise<Look> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  return (name, help, labelNames, samples) => {
    new Gauge({
      name: `heatmark_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [options.registry],
      async collect() {
        const measured = samples(await sharedLook())
        this.reset()
        // A gauge without labels would show 0 for an unknown value.
        if (labelNames.length === 0 && measured.every(([, value]) => value === undefined)) this.remove({})
        for (const [labels, value] of measured) if (value !== undefined) this.set(labels, value)
      },
    })
  }
}

function addPositions(gauge: AddGauge): void {
  const of = (value: (state: ProjectionState, look: Look) => number | undefined) => (look: Look) =>
    look.projections.map((state): Sample => [{ projection: state.name }, value(state, look)])
  const labels = ['projection']
  gauge('event_store_position', 'Position of the last event in the event store.', [], ({ head }) => [
    [{}, head],
  ])
  gauge(
    'projection_position',
    'Position of the last event that this projection has applied.',
    labels,
    of(({ position }) => position),
  )
  gauge(
    'projection_lag_seconds',
    'Age of the oldest event that this projection has not applied yet; 0 when there is none.',
    labels,
    of((state, { lagOf }) => lagOf(state)),
  )
  gauge(
    'projection_running',
    '1 while this projection runs, 0 when it has stopped.',
    labels,
    of(({ status }) => (status === 'running' ? 1 : 0)),
  )
}

function addPolicies(gauge: AddGauge): void {
  const of = (value: (status: PolicyStatus, look: Look) => number | undefined) => (look: Look) =>
    look.policies.map((status): Sample => [{ policy: status.name }, value(status, look)])
  const labels = ['policy']
  gauge(
    'policy_position',
    'Position of the last event that this policy has applied.',
    labels,
    of(({ position }) => position),
  )
  gauge(
    'policy_lag_seconds',
    'Age of the oldest event that this policy has not finished with; 0 when there is none.',
    labels,
    of((status, { lagOf }) => lagOf(status)),
  )
  gauge(
    'policy_held',
    '1 while a process holds the lease of this policy, 0 while none does.',
    labels,
    of(({ held }) => (held ? 1 : 0)),
  )
  gauge(
    'policy_condition',
    '1 while something keeps this policy from its work.',
    labels,
    of(({ condition }) => (condition === null ? 0 : 1)),
  )
  gauge(
    'policy_jobs',
    'Open jobs of this policy, without those of parked companies.',
    labels,
    of(({ jobs }) => jobs),
  )
  gauge(
    'policy_parked_companies',
    'Companies that this policy could not serve and tries again.',
    labels,
    of(({ parked }) => parked),
  )
}

/** A service whose histories nobody has ever signed has no values. */
function addSigner(gauge: AddGauge): void {
  const of = (value: (status: LeaseStatus) => boolean) => (look: Look) =>
    look.signer ? [[{}, value(look.signer) ? 1 : 0] satisfies Sample] : []
  gauge(
    'signer_held',
    '1 while a process holds the lease of the signer, 0 while none does.',
    [],
    of(({ isHeld }) => isHeld),
  )
  gauge(
    'signer_condition',
    '1 while a changed history cannot be signed, or a place takes no anchors.',
    [],
    of(({ condition }) => condition !== null),
  )
}

function addWebhooks(gauge: AddGauge): void {
  const ofSender = (value: (status: LeaseStatus | null) => boolean) => (look: Look) =>
    look.sender === undefined ? [] : [[{}, value(look.sender) ? 1 : 0] satisfies Sample]
  gauge(
    'webhook_sender_held',
    '1 while a process holds the lease of the sender of webhooks, 0 while none does.',
    [],
    ofSender((status) => status?.isHeld ?? false),
  )
  gauge(
    'webhook_sender_condition',
    '1 while something keeps the sender of webhooks from its work.',
    [],
    ofSender((status) => typeof status?.condition === 'string'),
  )
  const ofState = (value: (endpoints: EndpointsOfState | undefined) => number | undefined) => (look: Look) =>
    look.endpoints
      ? webhookStates.map(
          (state): Sample => [{ state }, value(look.endpoints!.find((one) => one.state === state))],
        )
      : []
  gauge(
    'webhook_endpoints',
    'Webhooks of all companies, by state.',
    ['state'],
    ofState((endpoints) => endpoints?.endpoints ?? 0),
  )
  gauge(
    'webhook_lag_seconds',
    'Age of the oldest change that a webhook in this state has not accepted; 0 when there is none.',
    ['state'],
    ofState((endpoints) => endpoints?.lagSeconds ?? 0),
  )
}

function addRuns(gauge: AddGauge): void {
  const of = (value: (run: RunningRun) => number) => (look: Look) =>
    look.runs.map((run): Sample => [{ kind: run.kind, projection: run.projection }, value(run)])
  const labels = ['kind', 'projection']
  gauge(
    'run_progress_ratio',
    'Progress of a rebuild or verification that runs in any process, from 0 to 1.',
    labels,
    of(({ progress }) => progress),
  )
  gauge(
    'run_events_per_second',
    'Events per second that a rebuild or verification folds.',
    labels,
    of(({ eventsPerSecond }) => eventsPerSecond),
  )
}

function addDailyBytes(gauge: AddGauge): void {
  const of = (value: (bytes: BytesOfAll) => number) => (look: Look) =>
    look.dailyBytes ? [[{}, value(look.dailyBytes)] satisfies Sample] : []
  gauge(
    'daily_event_bytes',
    'Bytes of the events that all companies have recorded today (UTC).',
    [],
    of(({ bytes }) => bytes),
  )
  gauge(
    'companies_at_daily_bound',
    'Companies that have used up their bytes of today (UTC).',
    [],
    of(({ companiesAtBound }) => companiesAtBound),
  )
}
