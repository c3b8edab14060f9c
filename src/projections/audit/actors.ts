import { isPerson, type Recorded } from '../../domain/kernel/event.ts'
import { isUserId } from '../../domain/kernel/identifiers.ts'
import { isResponsibleAct } from '../../domain/kernel/responsibility.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { date, defineProjection, integer, table, text, uuid } from '../engine/projection.ts'
import { type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/**
 * The acts of responsibility of persons in each company, which an erasure must weigh. `persons` is a projection of its
 * own, because lists are read again whenever it changes.
 */

const tables = {
  responsibleAct: table({
    columns: { companyId: uuid, userId: text, day: date, count: integer },
    key: ['companyId', 'userId', 'day'],
  }),
}

export const actors = defineProjection<never>()({
  name: 'actors',
  // Raise it with each type that `isResponsibleAct` gets.
  version: 1,
  tables,
  // An erasure weighs every act.
  skippable: [],
  handlers: {},
  // Events of several types are acts. One handler finds them all.
  anyEvent: {
    touches: (event) => {
      const act = actOf(event)
      return act ? { responsibleAct: [[act.companyId, act.userId, act.day]] } : {}
    },
    apply: (rows, event) => {
      const act = actOf(event)
      if (!act) return
      const before = rows.responsibleAct.get([act.companyId, act.userId, act.day])?.count ?? 0
      rows.responsibleAct.put({ ...act, count: before + 1 })
    },
  },
})

/** The acts of responsibility of a person in a company since a day. */
export function findTraces(
  reading: Reading,
  { companyId, userId, since }: { companyId: string; userId: string; since: string },
): ListQuery {
  return singleQuery({
    select: {
      responsibleActs: `(SELECT coalesce(sum(count), 0)::integer FROM ${reading.table(actors, 'responsibleAct')}
                         WHERE company_id = $1 AND user_id = $2 AND day >= $3)`,
    },
    from: '(SELECT) one',
    where: 'true',
    values: [companyId, userId, since],
  })
}

interface ResponsibleAct {
  readonly companyId: string
  readonly userId: string
  readonly day: string
}

/** Undefined for an event that is no act of a person in a company. */
function actOf(event: Recorded): ResponsibleAct | undefined {
  if (!isResponsibleAct(event.type)) return undefined
  const { actor, occurredAt } = event.metadata
  const companyId = companyOfStream(event.streamName)
  if (!isPerson(actor) || !isUserId(actor.id) || companyId === undefined) return undefined
  return { companyId, userId: actor.id, day: occurredAt.slice(0, 10) }
}
