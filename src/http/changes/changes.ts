import Negotiator from 'negotiator'
import { z } from 'zod'
import { cloudEventsBatch as batch } from '../../changes/cloudEvents.ts'
import { type ChangePage, changeReads, type Wanted } from '../../changes/readChanges.ts'
import { isType, mostTypes, notAType } from '../../changes/types.ts'
import { limitParameter } from '../kit/lists/page.ts'
import { minPosition, waitUntilReached } from '../kit/routing/minPosition.ts'
import { preferenceOf } from '../kit/routing/prefer.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, type Exchange, paramsOf, type Route } from '../kit/routing/route.ts'
import type { Services } from '../kit/services.ts'
import { cloudEvent } from './changeEvent.ts'
import { watchCompany } from './companyWatch.ts'
import { overFor, streamChanges } from './eventStream.ts'

/** The change feed: what has changed in a company since a position, as a list, or as a stream that stays open. */

const eventStream = 'text/event-stream'

const usualLimit = 100
const mostWaitSeconds = 30

const notAPosition = 'must be the position of a change, or a Read-Position'
const position = z
  .string()
  .regex(/^\d{1,16}$/, notAPosition)
  .transform(Number)
  .pipe(z.number().max(Number.MAX_SAFE_INTEGER, notAPosition))

const types = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(z.string().refine(isType, notAType)).max(mostTypes, `must have at most ${mostTypes} types`))

const feed = {
  path: '/api/company/{companyId}/changes',
  tag: 'Audit',
  operationId: 'followChanges',
  summary: 'Follow what changes in the company, in the order of the event store',
  description: `Complete and without gaps: follow Link from \`after=0\`, or from the Read-Position of the lists that you have read. The feed has ended for now when the next \`after\` is Read-Position. A page may exceed \`limit\`, because the changes of one event stay together. With \`Prefer: wait=20\` the answer waits up to so many seconds (${mostWaitSeconds} at most) for a change. With \`Accept: ${eventStream}\` the answer stays open, and the last block of an event has the position as its id, for Last-Event-ID.`,
  access: { company: 'view' },
} as const satisfies Declaration

const query = z.strictObject({
  after: position.optional().meta({
    as: { type: 'integer', minimum: 0 },
    description: 'The position of the last change that you have; 0, the default, for the beginning.',
  }),
  types: types.optional().meta({
    as: { type: 'string' },
    description:
      'Changes of these types alone, separated by commas. `heatmark.bar` stands for all types about bars.',
  }),
  limit: limitParameter('The changes to answer.', usualLimit),
})

const headers = z.object({
  'min-position': minPosition,
  prefer: z.string().optional().describe('`wait=20`: wait for a change.'),
  'last-event-id': position.optional().describe('Stands for `after` when a stream is taken up again.'),
})

export const changeRoutes: readonly Route[] = [
  {
    ...feed,
    method: 'get',
    params: paramsOf(feed),
    query,
    headers,
    body: undefined,
    responses: {
      200: {
        description: 'The changes.',
        schema: z.array(cloudEvent),
        mediaType: batch,
        alternatives: [eventStream],
        headers: ['Read-Position', 'Link'],
      },
    },
    problems: ['too-busy', 'after-unknown'],
    async answer(exchange, services) {
      const wanted = wantedBy(exchange)
      await waitUntilReached(services, changeReads, exchange.headers['min-position'])
      exchange.res.vary('Accept')
      if (new Negotiator(exchange.req).mediaType([batch, 'application/json', eventStream]) === eventStream)
        return streamChanges(exchange, services, wanted)
      return sendPage(exchange, await readInTime(exchange, wanted, services))
    },
  },
]

function wantedBy({ params, query: given, headers: { 'last-event-id': lastEventId } }: Exchange): Wanted {
  const { after = 0, types: asked = [], limit = usualLimit } = given as z.output<typeof query>
  return {
    companyId: params.companyId!,
    after: (lastEventId as number | undefined) ?? after,
    limit,
    types: asked,
  }
}

function waitMsOf({ req }: Exchange): number {
  const seconds = Number(preferenceOf(req.headers, 'wait') ?? 0)
  return seconds > 0 ? Math.min(seconds, mostWaitSeconds) * 1_000 : 0
}

/**
 * Return the first page that has a change, or an empty one when time is up.
 * @throws Problem when the access has ended; Refusal 503 `too-busy` when too many readers wait
 */
async function readInTime(exchange: Exchange, wanted: Wanted, services: Services): Promise<ChangePage> {
  const { positions, clock } = services
  const waitMs = waitMsOf(exchange)
  const end = clock() + waitMs
  const over = overFor(exchange, services)
  const leave = waitMs > 0 ? await services.changeStreams.take(exchange.caller!.id) : undefined
  const watch = watchCompany(positions, clock, wanted.companyId)
  try {
    for (let { after } = wanted; ; ) {
      await watch.begin(over)
      const page = await services.readChanges({ ...wanted, after })
      await exchange.requireAccess()
      const left = end - clock()
      if (page.changes.length > 0 || left <= 0 || over.aborted) return page
      after = page.next
      if (after >= page.position) await watch.changed(left, over)
    }
  } finally {
    watch.end()
    leave?.()
  }
}

async function sendPage(
  { req, res }: Exchange,
  { changes, next, position: reached }: ChangePage,
): Promise<void> {
  const { pathname, searchParams } = new URL(req.originalUrl, 'http://localhost')
  searchParams.set('after', String(next))
  await send(res, {
    status: 200,
    headers: {
      'Content-Type': batch,
      'Cache-Control': 'private, no-store',
      'Read-Position': reached,
      Link: `<${pathname}?${searchParams}>; rel="next"`,
    },
    body: changes,
  })
}
