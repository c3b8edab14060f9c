import type { IncomingMessage } from 'node:http'
import type { Response } from 'express'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { InFlight } from '../../../admission/inFlight.ts'
import type { Unread } from '../../../admission/unread.ts'
import type { Route } from '../routing/route.ts'

/**
 * Count every answer by method, declared path and status, and time it by the group of its route: a histogram for each
 * path and status would make a scrape of a megabyte. Paths as sent would make endless label values.
 */
export function timeRequests(registry: Registry, clock: () => number) {
  const answers = new Counter({
    name: 'heatmark_http_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'heatmark_http_request_duration_seconds',
    help: 'Time from the arrival of a request until its answer was sent, in seconds.',
    labelNames: ['group', 'kind'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return (req: IncomingMessage, res: Response): void => {
    const started = clock()
    res.once('close', () => {
      const route: Route | undefined = res.locals.route
      const { method = '' } = req
      answers.inc({ method, route: route?.path ?? 'unknown', status: res.statusCode })
      const kind = method === 'GET' || method === 'HEAD' ? 'read' : 'command'
      duration.observe({ group: route?.tag ?? 'unknown', kind }, (clock() - started) / 1_000)
    })
  }
}

/** Gauge the parts of HTTP that have a bound. */
export function gaugeBounds(
  registry: Registry,
  {
    inFlight,
    unread,
    connections,
  }: { readonly inFlight: InFlight; readonly unread: Unread; connections(): Promise<number> },
): void {
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await value())
      },
    })
  gauge(
    'heatmark_http_held_bytes',
    'Bytes that requests in flight hold: their bodies, as they were sent, and 16 KiB for each request.',
    inFlight.bytes,
  )
  gauge('heatmark_http_unread_bytes', 'Bytes of answers that clients have not read yet.', unread.bytes)
  gauge('heatmark_http_connections', 'Open connections of the HTTP interface.', connections)
}
