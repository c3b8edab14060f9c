import type { NextFunction, Request, Response } from 'express'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { InFlight } from '../../../admission/inFlight.ts'
import type { Unread } from '../limits/unread.ts'

/** Measure every answer by method, declared path and status. Paths as sent would make endless label values. */
export function timeRequests(registry: Registry, clock: () => number) {
  const duration = new Histogram({
    name: 'heatmark_http_request_duration_seconds',
    help: 'Time from the arrival of a request until its answer was sent, in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return (req: Request, res: Response, next: NextFunction): void => {
    const started = clock()
    res.once('close', () => {
      const route: string = res.locals.route ?? 'unknown'
      duration.observe({ method: req.method, route, status: res.statusCode }, (clock() - started) / 1_000)
    })
    next()
  }
}

export function gaugeHeld(registry: Registry, inFlight: InFlight): void {
  new Gauge({
    name: 'heatmark_http_held_bytes',
    help: 'What requests hold together while they wait for their answers, counted as it was sent.',
    registers: [registry],
    collect() {
      this.set(inFlight.bytes())
    },
  })
}

export function gaugeUnread(registry: Registry, unread: Unread): void {
  new Gauge({
    name: 'heatmark_http_unread_bytes',
    help: 'Bytes of answers that clients have not read yet.',
    registers: [registry],
    collect() {
      this.set(unread.bytes())
    },
  })
}

export function gaugeConnections(registry: Registry, count: () => Promise<number>): void {
  new Gauge({
    name: 'heatmark_http_connections',
    help: 'Open connections of the HTTP interface.',
    registers: [registry],
    async collect() {
      this.set(await count())
    },
  })
}
