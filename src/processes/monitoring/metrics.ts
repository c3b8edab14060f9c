import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Release } from '../../lib/release.ts'
import type { ApprovalReviewObserver } from '../../policies/approvalReview.ts'
import type { RuleTaggingObserver } from '../../policies/ruleTagging.ts'
import type { PolicyObserver } from '../../policies/work.ts'
import type { ProjectorObserver } from '../../projections/engine/projector/leader.ts'
import type { CacheObserver } from '../../projections/engine/reading/readCache.ts'
import { type WebhookOutcome, webhookOutcomes } from '../../webhooks/place.ts'

/** The counters and timers of this process, except those of HTTP requests. */
export interface Metrics {
  readonly registry: Registry
  observeAppend(milliseconds: number, conflict: boolean): void
  /** The event store's client failed where nobody hears it. */
  clientFailed(): void
  /** The server's subscription ended by itself. */
  subscriptionDropped(): void
  readonly projector: ProjectorObserver
  /** @param name the policy that is observed */
  policy(name: string): PolicyObserver
  readonly ruleTagging: RuleTaggingObserver
  readonly approvalReview: ApprovalReviewObserver
  webhookRequest(outcome: WebhookOutcome): void
  cache(name: 'commands' | 'lists' | 'filteredLists' | 'memberships'): Required<CacheObserver>
}

/** The event loop wakes up for each sample, also while nothing happens. */
const eventLoopSampledEveryMs = 100

export function createMetrics(release: Release): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampledEveryMs })
  new Gauge({
    name: 'heatmark_build_info',
    help: 'Always 1; the labels say which release runs.',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ version: release.version, commit: release.commit ?? '' }, 1)
  const dropped = new Counter({
    name: 'heatmark_subscriptions_dropped_total',
    help: 'Subscriptions of this process that ended and were opened again; some are normal.',
    registers,
  })
  return {
    registry,
    observeAppend: measureAppends(registers),
    clientFailed: countClientFaults(registers),
    subscriptionDropped: () => dropped.inc(),
    projector: measureProjector(registers),
    policy: measurePolicies(registers),
    ruleTagging: measureRuleTagging(registers),
    approvalReview: measureApprovalReview(registers),
    webhookRequest: countWebhookRequests(registers),
    cache: measureCaches(registers),
  }
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

function measureAppends(registers: Registry[]): Metrics['observeAppend'] {
  const append = new Histogram({
    name: 'heatmark_append_duration_seconds',
    help: 'Time from an append until the answer of the event store, with retries.',
    buckets: seconds,
    registers,
  })
  const conflicts = new Counter({
    name: 'heatmark_append_conflicts_total',
    help: 'Appends that another writer preceded, so that the command was decided again.',
    registers,
  })
  return (milliseconds, conflict) => {
    append.observe(milliseconds / 1_000)
    if (conflict) conflicts.inc()
  }
}

function countClientFaults(registers: Registry[]): Metrics['clientFailed'] {
  const faults = new Counter({
    name: 'heatmark_event_store_client_faults_total',
    help: 'Errors of the event store client that nobody heard, so that this process took a new client.',
    registers,
  })
  return () => faults.inc()
}

function measureProjector(registers: Registry[]): ProjectorObserver {
  const leading = new Gauge({
    name: 'heatmark_projector_leading',
    help: '1 while this process holds the lease of the projector.',
    registers,
  })
  const batchSize = new Histogram({
    name: 'heatmark_projector_batch_events',
    help: 'Events that the projector applies in one transaction.',
    buckets: [1, 2, 5, 10, 50, 100, 500, 1_000, 5_000],
    registers,
  })
  const batchTime = new Histogram({
    name: 'heatmark_projector_batch_duration_seconds',
    help: 'Time to fold a batch of events and to commit its rows.',
    buckets: seconds,
    registers,
  })
  return {
    batch(events, milliseconds) {
      batchSize.observe(events)
      batchTime.observe(milliseconds / 1_000)
    },
    leading: (leads) => leading.set(leads ? 1 : 0),
  }
}

function measurePolicies(registers: Registry[]): Metrics['policy'] {
  const leading = new Gauge({
    name: 'heatmark_policy_leading',
    help: '1 while this process holds the lease of the policy.',
    labelNames: ['policy'],
    registers,
  })
  return (policy) => {
    leading.set({ policy }, 0)
    return { leading: (leads) => leading.set({ policy }, leads ? 1 : 0) }
  }
}

function measureRuleTagging(registers: Registry[]): RuleTaggingObserver {
  const subjects = new Counter({
    name: 'heatmark_policy_evaluated_subjects_total',
    help: 'Subjects that this process has evaluated against the subscribed rule packs, in the background.',
    registers,
  })
  const evaluations = new Counter({
    name: 'heatmark_policy_evaluations_total',
    help: 'Subscriptions, upgrades and unsubscriptions for which this process has evaluated the last subject.',
    registers,
  })
  return { onEvaluated: () => subjects.inc(), onFinished: () => evaluations.inc() }
}

function measureApprovalReview(registers: Registry[]): ApprovalReviewObserver {
  const reviewed = new Counter({
    name: 'heatmark_policy_reviewed_bars_total',
    help: 'Approved bars that this process has judged once more after a change.',
    registers,
  })
  const withdrawn = new Counter({
    name: 'heatmark_policy_withdrawn_approvals_total',
    help: 'Approvals that this process has withdrawn because of a Block.',
    registers,
  })
  return {
    onReviewed(isWithdrawn) {
      reviewed.inc()
      if (isWithdrawn) withdrawn.inc()
    },
  }
}

function countWebhookRequests(registers: Registry[]): Metrics['webhookRequest'] {
  const requests = new Counter({
    name: 'heatmark_webhook_requests_total',
    help: 'Requests of this process to webhooks, by outcome: accepted, refused by another status, or unanswered.',
    labelNames: ['outcome'],
    registers,
  })
  // A rate needs all series before their first increase.
  for (const outcome of webhookOutcomes) requests.inc({ outcome }, 0)
  return (outcome) => requests.inc({ outcome })
}

function measureCaches(registers: Registry[]): Metrics['cache'] {
  const lookUps = new Counter({
    name: 'heatmark_cache_requests_total',
    help: 'Cache look-ups, by result (hit or miss): lists, roles of members, folded streams.',
    labelNames: ['cache', 'result'],
    registers,
  })
  const sizes = new Map<string, () => number>()
  new Gauge({
    name: 'heatmark_cache_bytes',
    help: 'Size of a cache, as counted against its limit.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, size] of sizes) this.set({ cache }, size())
    },
  })
  return (cache) => {
    // A rate needs both series before their first increase.
    const hits = lookUps.labels({ cache, result: 'hit' })
    const misses = lookUps.labels({ cache, result: 'miss' })
    hits.inc(0)
    misses.inc(0)
    return { onLookUp: (hit) => (hit ? hits : misses).inc(), holds: (size) => void sizes.set(cache, size) }
  }
}
