import type { Registry } from 'prom-client'
import { plainRoute } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Route } from '../routing/route.ts'

export function metricsRoute(registry: Registry): Route {
  return plainRoute({
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Read the metrics for Prometheus',
    tag: 'Service',
    access: { platform: 'Operator' },
    responses: { 200: { description: 'The metrics.', mediaType: 'text/plain' } },
    answer: async ({ res }) =>
      send(res, {
        status: 200,
        headers: { 'Cache-Control': 'no-store', 'Content-Type': registry.contentType },
        body: Buffer.from(await registry.metrics()),
      }),
  })
}
