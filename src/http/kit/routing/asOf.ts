import { z } from 'zod'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import { log } from '../../../projections/audit/log.ts'
import { type FoundMoment, findMomentAt, findMomentOf } from '../../../projections/audit/moments.ts'
import { asOf } from '../../../projections/engine/reading/asOf.ts'
import type { StreamReading } from '../../../projections/engine/reading/reader.ts'
import type { Named } from '../../../projections/engine/reading/waitFor.ts'
import { parameter } from '../body/validate.ts'
import { validationFailed } from '../problem.ts'
import { time } from '../schemas/fields.ts'
import type { ResponseHeader } from '../schemas/responseHeaders.ts'
import type { Services } from '../services.ts'
import { waitUntilReached } from './minPosition.ts'
import type { Exchange } from './route.ts'

/** The parameter `asOf`: lists and records as they were at a moment. */

type AsOfValue = { readonly position: number } | { readonly time: string }

const notAMoment = 'must be a position, or a time of RFC 3339 as in 2026-03-31T08:00:00Z'

const asked = z.string().transform((given, context): AsOfValue => {
  const position = /^(0|[1-9]\d{0,15})$/.test(given) ? Number(given) : Number.NaN
  if (Number.isSafeInteger(position)) return { position }
  const parsed = time.safeParse(given)
  if (parsed.success) return { time: parsed.data }
  context.addIssue({ code: 'custom', message: notAMoment })
  return z.NEVER
})

/** The same moment as a member `asOf` of a body, where a position may be a number. */
export const asOfMember = z
  .preprocess((given) => (typeof given === 'number' ? String(given) : given), asked)
  .optional()
  .meta({
    as: { type: ['string', 'integer'], examples: ['2026-03-31T08:00:00Z'] },
    description: 'A moment of the past: a time (RFC 3339), or a position.',
  })

const parameters = {
  asOf: asked.optional().meta({
    as: { type: 'string' },
    description:
      'Answer as it was at this moment: a time (RFC 3339), or a position. A time stands for one event of the company: the last one that was recorded by then together with all events before it. Such an answer shows no change of later events, and its ETag cannot be used with If-Match.',
  }),
}

interface Versioned {
  readonly hasAsOf?: boolean
}

export function asOfParameter({ hasAsOf = false }: Versioned): Partial<typeof parameters> {
  return hasAsOf ? parameters : {}
}

export function asOfHeaders({ hasAsOf = false }: Versioned): readonly ResponseHeader[] {
  return hasAsOf ? ['As-Of-Position', 'As-Of-Event', 'As-Of-Time'] : []
}

/** A moment in the history of a company. */
export interface Moment {
  /** The position of the company's last event at that moment; 0 before the first. */
  readonly position: number
  /** Return the snapshot as of the moment. */
  of(reading: StreamReading): StreamReading
}

type Place = Pick<Fault, 'path' | 'parameter'>

/** A moment that a request asks for, and the place of the member or the parameter. */
interface Wanted extends Place {
  readonly moment: AsOfValue | undefined
}

/**
 * Find the moment that the request asks for, if any, name it in the headers of the answer, and wait until these read models
 * have reached it.
 * @param wanted in place of the parameter `asOf`
 * @throws Problem 400 for a moment in the future; 503 `read-model-behind`
 */
export async function resolveAsOf(
  { res, query, params }: Exchange,
  services: Services,
  reads: readonly Named[],
  wanted: Wanted = { ...parameter('asOf'), moment: (query as { readonly asOf?: AsOfValue }).asOf },
): Promise<Moment | undefined> {
  const { moment: asked, ...place } = wanted
  if (!asked) return undefined
  const companyId = params.companyId!
  const last =
    'position' in asked
      ? await lastAt(services, companyId, asked.position, place)
      : await lastOf(services, companyId, asked.time, place)
  const position = last?.position ?? 0
  await waitUntilReached(services, reads, position)
  res.setHeader('As-Of-Position', position)
  if (last) {
    res.setHeader('As-Of-Event', last.eventId)
    res.setHeader('As-Of-Time', new Date(last.time).toISOString())
  }
  return { position, of: (reading) => asOf(reading, services.readModels, position) }
}

async function lastAt(
  services: Services,
  companyId: string,
  position: number,
  place: Place,
): Promise<FoundMoment['last']> {
  const { positions, eventStore } = services
  const isKnown = await positions.waitFor([log], position, 0)
  if (!isKnown && position > ((await eventStore.last())?.position ?? 0)) throw inTheFuture(place)
  await waitUntilReached(services, [log], position)
  return (await look(services, (reading) => findMomentAt(reading, companyId, position))).last
}

async function lastOf(
  services: Services,
  companyId: string,
  time: string,
  place: Place,
): Promise<FoundMoment['last']> {
  const { eventStore, now } = services
  if (time > now().toISOString()) throw inTheFuture(place)
  const find = (reading: StreamReading) => findMomentOf(reading, companyId, time)
  const found = await look(services, find)
  if (found.isOver) return found.last
  // Events that the read model has not applied yet may count.
  await waitUntilReached(services, [log], (await eventStore.last())?.position)
  return (await look(services, find)).last
}

async function look(
  { reader }: Services,
  find: (reading: StreamReading) => ReturnType<typeof findMomentAt>,
): Promise<FoundMoment> {
  const { value } = await reader.read([log], (reading) => reading.query<FoundMoment>(find(reading)))
  return value[0]!
}

function inTheFuture(place: Place) {
  return validationFailed([{ ...place, code: 'out-of-bounds', message: 'must not be in the future' }])
}
