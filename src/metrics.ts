import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ProjectorObserver } from './projections/leader.ts'

/** What the service counts and times, besides its requests. */
export interface Metrics {
  readonly registry: Registry
  appended(milliseconds: number, conflict: boolean): void
  readonly projector: ProjectorObserver
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const append = new Histogram({
    name: 'heatmark_append_duration_seconds',
    help: 'Time until the event store has answered an append, retries included.',
    buckets: seconds,
    registers,
  })
  const conflicts = new Counter({
    name: 'heatmark_append_conflicts_total',
    help: 'Appends that found the stream changed by somebody else and were decided again.',
    registers,
  })
  const leading = new Gauge({
    name: 'heatmark_projector_leading',
    help: '1 while this process is the one that projects.',
    registers,
  })
  const position = new Gauge({
    name: 'heatmark_projector_position',
    help: 'Position of the last event whose rows are committed.',
    registers,
  })
  const lag = new Gauge({
    name: 'heatmark_projector_lag_seconds',
    help: 'Time from the recording of that event until its rows were committed.',
    registers,
  })
  const batchSize = new Histogram({
    name: 'heatmark_projector_batch_events',
    help: 'Events in one transaction of the projector.',
    buckets: [1, 2, 5, 10, 50, 100, 500, 1_000, 5_000],
    registers,
  })
  const batchTime = new Histogram({
    name: 'heatmark_projector_batch_duration_seconds',
    help: 'Time to fold a batch and to commit its rows.',
    buckets: seconds,
    registers,
  })
  const dropped = new Counter({
    name: 'heatmark_projector_subscriptions_dropped_total',
    help: 'Subscriptions that ended and were taken up again; some are daily life.',
    registers,
  })

  return {
    registry,
    appended(milliseconds, conflict) {
      append.observe(milliseconds / 1_000)
      if (conflict) conflicts.inc()
    },
    projector: {
      batch(events, milliseconds, last) {
        batchSize.observe(events)
        batchTime.observe(milliseconds / 1_000)
        position.set(last.position)
        // Another program's event has whatever metadata it likes, or none.
        const recordedAt = Date.parse(last.metadata?.occurredAt)
        if (Number.isFinite(recordedAt)) lag.set(Math.max(0, (Date.now() - recordedAt) / 1_000))
      },
      dropped: () => dropped.inc(),
      leading: (leads) => leading.set(leads ? 1 : 0),
    },
  }
}
