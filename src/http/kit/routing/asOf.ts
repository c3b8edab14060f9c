import { z } from 'zod'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import {
  type FoundLastEvent,
  findLastEventAt,
  findLastEventBy,
} from '../../../projections/audit/lastEvents.ts'
import { log } from '../../../projections/audit/log.ts'
import { asOf } from '../../../projections/engine/reading/asOf.ts'
import type { StreamReading } from '../../../projections/engine/reading/reader.ts'
import type { Named } from '../../../projections/engine/reading/waitFor.ts'
import { parameterPlace } from '../body/validate.ts'
import { validationFailed } from '../problem.ts'
import { time } from '../schemas/fields.ts'
import type { Services } from '../services.ts'
import { waitUntilReached } from './minPosition.ts'
import type { Exchange } from './route.ts'

/** The parameter `asOf`: lists and records as they were at an earlier time. */

type AsOfValue = { readonly position: number } | { readonly time: string }

const asOfFault = 'must be a position, or a time of RFC 3339 as in 2026-03-31T08:00:00Z'

const asOfText = z.string().transform((given, context): AsOfValue => {
  const position = /^(0|[1-9]\d{0,15})$/.test(given) ? Number(given) : Number.NaN
  if (Number.isSafeInteger(position)) return { position }
  const parsed = time.safeParse(given)
  if (parsed.success) return { time: parsed.data }
  context.addIssue({ code: 'custom', message: asOfFault })
  return z.NEVER
})

/** The same value as a member `asOf` of a body, where a position may be a number. */
export const asOfMember = z
  .preprocess((given) => (typeof given === 'number' ? String(given) : given), asOfText)
  .optional()
  .meta({
    as: { type: ['string', 'integer'], examples: ['2026-03-31T08:00:00Z'] },
    description: 'An earlier time (RFC 3339), or a position.',
  })

const parameters = {
  asOf: asOfText.optional().meta({
    as: { type: 'string' },
    description:
      'Answer as it was then: a time (RFC 3339), or a position. A time stands for one event of the company: the last one that was recorded by then together with all events before it. Such an answer shows no change of later events, and its ETag cannot be used with If-Match. Its headers As-Of-Position and As-Of-Event name the last event of the company that it shows (0 before the first), and As-Of-Time is the earliest time that gives that event.',
  }),
}

interface Versioned {
  readonly hasAsOf?: boolean
}

export function asOfParameter({ hasAsOf = false }: Versioned): Partial<typeof parameters> {
  return hasAsOf ? parameters : {}
}

/** The history of a company up to one of its events. */
export interface Past {
  /** The position of the company's last event by then; 0 before the first. */
  readonly position: number
  /** Return the snapshot as of that event. */
  of(reading: StreamReading): StreamReading
}

type Place = Pick<Fault, 'path' | 'parameter'>

/** A time or position that a request asks for, and the place of its member or parameter. */
interface Wanted extends Place {
  readonly asOf: AsOfValue | undefined
}

/**
 * Find the last event that counts for `asOf`, if the request has one, name it in the headers of the answer, and wait until
 * these read models have reached it.
 * @param wanted in place of the parameter `asOf`
 * @throws Problem 400 for a time or position in the future; 503 `read-model-behind`
 */
export async function resolveAsOf(
  { res, query, params }: Exchange,
  services: Services,
  reads: readonly Named[],
  wanted: Wanted = { ...parameterPlace('asOf'), asOf: (query as { readonly asOf?: AsOfValue }).asOf },
): Promise<Past | undefined> {
  const { asOf: wantedAsOf, ...place } = wanted
  if (!wantedAsOf) return undefined
  const companyId = params.companyId!
  const last =
    'position' in wantedAsOf
      ? await lastAt(services, companyId, wantedAsOf.position, place)
      : await lastOf(services, companyId, wantedAsOf.time, place)
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
): Promise<FoundLastEvent['last']> {
  const { positions, eventStore } = services
  const isKnown = await positions.waitFor([log], position, 0)
  if (!isKnown && position > ((await eventStore.last())?.position ?? 0)) throw inTheFuture(place)
  await waitUntilReached(services, [log], position)
  return (await look(services, (reading) => findLastEventAt(reading, companyId, position))).last
}

async function lastOf(
  services: Services,
  companyId: string,
  time: string,
  place: Place,
): Promise<FoundLastEvent['last']> {
  const { eventStore, now } = services
  if (time > now().toISOString()) throw inTheFuture(place)
  const find = (reading: StreamReading) => findLastEventBy(reading, companyId, time)
  const answer = await look(services, find)
  if (answer.isOver) return answer.last
  // Events that the read model has not applied yet may count.
  await waitUntilReached(services, [log], (await eventStore.last())?.position)
  return (await look(services, find)).last
}

async function look(
  { reader }: Services,
  find: (reading: StreamReading) => ReturnType<typeof findLastEventAt>,
): Promise<FoundLastEvent> {
  const { value } = await reader.read([log], (reading) => reading.query<FoundLastEvent>(find(reading)))
  return value[0]!
}

function inTheFuture(place: Place) {
  return validationFailed([{ ...place, code: 'out-of-bounds', message: 'must not be in the future' }])
}
