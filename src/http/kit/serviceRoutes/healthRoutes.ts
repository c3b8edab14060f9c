import { z } from 'zod'
import { type Health, keepFromServing } from '../../../health.ts'
import { unavailable } from '../problem.ts'
import { plain } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Route } from '../routing/route.ts'

const tag = 'Service'
const fresh = { 'Cache-Control': 'no-store' }

export function healthRoutes(health: Health): Route[] {
  return [
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
      description:
        'The stores are looked at once a second at most: all calls in between get the same answer.',
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
}
