import { type EventMetadata, isPerson, type Recorded } from '../domain/event.ts'
import { isUserId } from '../domain/identifiers.ts'
import { isResponsibleAct } from '../domain/responsibility.ts'
import { companyOfStream } from '../domain/streams.ts'
import { bigint, date, defineProjection, integer, table, text, uuid } from './projection.ts'
import { type ListQuery, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'

/**
 * The traces of persons in the events of each company that an erasure must weigh or cannot reach. `persons` is a
 * projection of its own, because lists are read again whenever it changes.
 */

const ofPerson = { companyId: uuid, userId: text }

const tables = {
  responsibleAct: table({
    columns: { ...ofPerson, day: date, count: integer },
    key: ['companyId', 'userId', 'day'],
  }),
  /** Events of the first releases, which hold the name of their author in clear. */
  namedEvent: table({
    columns: { ...ofPerson, count: integer, firstPosition: bigint, lastPosition: bigint },
    key: ['companyId', 'userId'],
  }),
}

export const actors = defineProjection<never>()({
  name: 'actors',
  // Raise it with each type that `isResponsibleAct` gets.
  version: 1,
  tables,
  handlers: {},
  // Every event has an author, also one that only a newer release knows.
  anyEvent: {
    touches: (event) => {
      const trace = traceOf(event)
      if (!trace) return {}
      const { companyId, userId, day, isNamed } = trace
      return {
        ...(day !== undefined && { responsibleAct: [[companyId, userId, day]] }),
        ...(isNamed && { namedEvent: [[companyId, userId]] }),
      }
    },
    apply: (rows, event) => {
      const trace = traceOf(event)
      if (!trace) return
      const { companyId, userId, day, isNamed } = trace
      if (day !== undefined) {
        const before = rows.responsibleAct.get([companyId, userId, day])?.count ?? 0
        rows.responsibleAct.put({ companyId, userId, day, count: before + 1 })
      }
      if (isNamed) {
        const { position: lastPosition } = event
        const before = rows.namedEvent.get([companyId, userId]) ?? { count: 0, firstPosition: lastPosition }
        const { count, firstPosition } = before
        rows.namedEvent.put({ companyId, userId, count: count + 1, firstPosition, lastPosition })
      }
    },
  },
})

/**
 * The acts of responsibility of a person in a company since a day, and the events that hold the name; `namedEvents` is
 * null when there are none.
 */
export function findTraces(
  reading: Reading,
  { companyId, userId, since }: { companyId: string; userId: string; since: string },
): ListQuery {
  return singleQuery({
    select: {
      responsibleActs: `(SELECT coalesce(sum(count), 0)::integer FROM ${reading.table(actors, 'responsibleAct')}
                         WHERE company_id = $1 AND user_id = $2 AND day >= $3)`,
      namedEvents: `(SELECT json_build_object('count', count, 'firstPosition', first_position,
                                              'lastPosition', last_position)
                     FROM ${reading.table(actors, 'namedEvent')} WHERE company_id = $1 AND user_id = $2)`,
    },
    from: '(SELECT) one',
    where: 'true',
    values: [companyId, userId, since],
  })
}

interface Trace {
  readonly companyId: string
  readonly userId: string
  /** The day of an act of responsibility. */
  readonly day: string | undefined
  readonly isNamed: boolean
}

/** Undefined for an event that says nothing of a person in a company. Other programs write metadata as they like. */
function traceOf({ streamName, type, metadata }: Recorded): Trace | undefined {
  const { actor, occurredAt }: Partial<EventMetadata> = metadata ?? {}
  if (typeof actor !== 'object' || actor === null || !isPerson(actor) || !isUserId(actor.id)) return undefined
  const companyId = companyOfStream(streamName)
  if (companyId === undefined) return undefined
  const isNamed = typeof actor.name === 'string' && actor.name !== ''
  const day = isResponsibleAct(type) ? dayOf(occurredAt) : undefined
  return { companyId, userId: actor.id, day, isNamed }
}

function dayOf(time: unknown): string | undefined {
  if (typeof time !== 'string' || !Number.isFinite(Date.parse(time))) return undefined
  return new Date(time).toISOString().slice(0, 10)
}
