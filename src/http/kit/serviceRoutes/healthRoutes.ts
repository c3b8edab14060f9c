import { z } from 'zod'
import type { Release } from '../../../lib/release.ts'
import { type Health, keepFromServing } from '../../../processes/monitoring/health.ts'
import { unavailable } from '../problem.ts'
import { plainRoute } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Route } from '../routing/route.ts'

const tag = 'Service'
/** Which release answers. */
const ofRelease = { version: z.string(), commit: z.string().nullable() }
const fresh = { 'Cache-Control': 'no-store' }

export function healthRoutes(health: Health, release: Release): Route[] {
  return [
    plainRoute({
      path: '/health/live',
      operationId: 'getLiveness',
      summary: 'Check whether the process runs',
      tag,
      access: 'open',
      responses: {
        200: {
          description: 'The process runs.',
          schema: z.object({ status: z.literal('live'), ...ofRelease }),
        },
      },
      answer: async ({ res }) =>
        send(res, { status: 200, headers: fresh, body: { status: 'live', ...release } }),
    }),
    plainRoute({
      path: '/health/ready',
      operationId: 'getReadiness',
      summary: 'Check whether the service can serve all requests',
      description:
        'The answer names the parts that are not ready. The stores are checked at most once a second; calls in between share one answer.',
      tag,
      access: 'open',
      responses: {
        200: {
          description:
            'The service is ready. Parts that do not work, and without which requests are served, are listed in `degraded`.',
          schema: z.object({
            status: z.literal('ready'),
            ...ofRelease,
            degraded: z.array(z.string()).optional(),
          }),
        },
      },
      problems: ['not-ready', 'internal-error'],
      answer: async ({ res }) => {
        const parts = await health()
        const unready = keepFromServing(parts)
        const notReady = unready.map(({ name }) => name)
        const degraded = parts.filter(({ ready, background }) => background && !ready).map(({ name }) => name)
        const more = degraded.length > 0 ? { degraded } : {}
        const behind = unready.flatMap(({ name, behind }) => (behind ? [{ name, ...behind }] : []))
        const missing = unready.flatMap(({ name, missing }) => (missing ? [{ name, ...missing }] : []))
        if (notReady.length > 0)
          throw unavailable('not-ready', `The service is not ready: ${notReady.join(', ')}.`, undefined, {
            notReady,
            ...more,
            ...(behind.length > 0 && { behind }),
            ...(missing.length > 0 && { missing }),
          })
        await send(res, { status: 200, headers: fresh, body: { status: 'ready', ...release, ...more } })
      },
    }),
  ]
}
