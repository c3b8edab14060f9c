import type { Registry } from 'prom-client'
import { z } from 'zod'
import { type Health, keepFromServing } from '../health.ts'
import { unavailable } from './problem.ts'
import { send } from './respond.ts'
import type { Declaration, DeclaredResponse, Exchange, Route } from './route.ts'

/** The service's own routes: health, metrics, its API description. */

/** A route that looks at nothing of the request. */
export const plain = (
  declaration: Declaration & {
    responses: Record<number, DeclaredResponse>
    problems?: number[]
    answer: (exchange: Exchange) => Promise<void>
  },
): Route => ({
  problems: [],
  ...declaration,
  method: 'get',
  params: z.object({}),
  query: z.object({}),
  headers: z.object({}),
  body: undefined,
})

const tag = 'Service'
const fresh = { 'Cache-Control': 'no-store' }

export const healthRoutes = (health: Health): Route[] => [
  plain({
    path: '/health/live',
    operationId: 'getLiveness',
    summary: 'Whether the process runs',
    tag,
    access: 'open',
    responses: { 200: { description: 'It does.', schema: z.object({ status: z.literal('live') }) } },
    answer: async ({ res }) => send(res, { status: 200, headers: fresh, body: { status: 'live' } }),
  }),
  plain({
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Whether the service can serve all requests; names what is not ready',
    description: 'The stores are looked at once a second at most: all calls in between get the same answer.',
    tag,
    access: 'open',
    responses: {
      200: {
        description: 'It can; work in the background that does not get on is `degraded`.',
        schema: z.object({ status: z.literal('ready'), degraded: z.array(z.string()).optional() }),
      },
    },
    problems: [503],
    answer: async ({ res }) => {
      const parts = await health()
      const unready = keepFromServing(parts)
      const notReady = unready.map(({ name }) => name)
      const degraded = parts.filter(({ ready, background }) => background && !ready).map(({ name }) => name)
      const more = degraded.length > 0 ? { degraded } : {}
      const behind = unready.flatMap(({ name, behind }) => (behind ? [{ name, ...behind }] : []))
      const missing = unready.flatMap(({ name, missing }) => (missing ? [{ name, ...missing }] : []))
      if (notReady.length > 0)
        throw unavailable('not-ready', `Not ready: ${notReady.join(', ')}.`, undefined, {
          ...{ notReady, ...more },
          ...(behind.length > 0 && { behind }),
          ...(missing.length > 0 && { missing }),
        })
      send(res, { status: 200, headers: fresh, body: { status: 'ready', ...more } })
    },
  }),
]

export const metricsRoute = (registry: Registry): Route =>
  plain({
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Figures for Prometheus',
    tag,
    access: { platform: 'Operator' },
    responses: { 200: { description: 'The figures.', mediaType: 'text/plain' } },
    answer: async ({ res }) =>
      send(res, {
        status: 200,
        headers: { ...fresh, 'Content-Type': registry.contentType },
        body: Buffer.from(await registry.metrics()),
      }),
  })

/** `document` is asked for once the routes are all known. */
export const openApiRoute = (document: () => object): Route => {
  let bytes: Buffer | undefined
  return plain({
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This description',
    tag,
    access: 'open',
    responses: { 200: { description: 'An OpenAPI 3.1 document.', mediaType: 'application/json' } },
    answer: async ({ res }) => {
      bytes ??= Buffer.from(JSON.stringify(document()))
      send(res, { status: 200, headers: { 'Cache-Control': 'no-cache' }, body: bytes })
    },
  })
}
