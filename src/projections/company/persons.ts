import type { MemberRolesSet, PersonErased } from '../../domain/company/companyEvents.ts'
import { literalOf } from '../../stores/postgres/postgres.ts'
import { bigint, defineProjection, nullable, table, text, uuid } from '../engine/projection.ts'
import { type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/**
 * The persons that a company has erased, and the SQL by which lists show names. Names are no part of a read model: the
 * table `person` of `heatmark_local` holds them, and lists join it. See docs/decisions/persons.md.
 */

/** Shown in place of the name of a person whom the company has erased. */
export const erasedName = 'erased person'
/** Shown in place of a name that the company does not know, although it has erased nobody: it was lost, or never kept. */
const unknownName = 'unknown person'

const tables = {
  /** A row for each person whom the company has ever erased. */
  erasure: table({
    columns: {
      companyId: uuid,
      userId: text,
      /** The last PersonErased. Names that were written before it do not count. */
      eventId: uuid,
      /** Position of the first admission after that; null when there was none. Names of earlier events are masked. */
      readmittedAt: nullable(bigint),
    },
    key: ['companyId', 'userId'],
  }),
}

export const persons = defineProjection<PersonErased | MemberRolesSet>()({
  name: 'persons',
  version: 1,
  isDurable: true,
  tables,
  // An erasure that is passed over would show the name again.
  skippable: ['MemberRolesSet'],
  handlers: {
    PersonErased: {
      touches: ({ data }) => ({ erasure: [[data.companyId, data.userId]] }),
      apply: (rows, { id: eventId, data: { companyId, userId } }) =>
        rows.erasure.put({ companyId, userId, eventId, readmittedAt: null }),
    },
    MemberRolesSet: {
      touches: ({ data }) => ({ erasure: [[data.companyId, data.userId]] }),
      apply: (rows, { position, data: { companyId, userId } }) =>
        rows.erasure.update([companyId, userId], ({ readmittedAt }) =>
          readmittedAt === null ? { readmittedAt: position } : {},
        ),
    },
  },
})

type Tables = Pick<Reading, 'table' | 'storeId'>

/** The author of the event that a row of a list shows, as SQL expressions. */
interface ShownAuthor {
  readonly companyId: string
  readonly userId: string
  readonly isPerson: string
  /** The name that the event holds of a program. */
  readonly name: string
  readonly nameHash: string
  /** The position of the event. */
  readonly position: string
}

/**
 * SQL for the name to show of an author. It is a subquery for each row, which can only look up keys: PostgreSQL, while
 * it has no statistics of new rows, joins all names of the company to each row of the list.
 */
export function authorName(tables: Tables, author: ShownAuthor): string {
  const { companyId, userId, isPerson, name, nameHash, position } = author
  return `CASE WHEN NOT ${isPerson} THEN ${name} ELSE (
            SELECT CASE WHEN erasure.event_id IS NULL OR erasure.readmitted_at <= ${position}
                        THEN coalesce(person.name, ${literalOf(unknownName)})
                        ELSE ${literalOf(erasedName)} END
            FROM (SELECT) one
            LEFT JOIN ${tables.table(persons, 'erasure')} erasure
              ON erasure.company_id = ${companyId} AND erasure.user_id = ${userId}
            LEFT JOIN heatmark_local.person
              ON person.store_id = ${literalOf(tables.storeId)} AND person.company_id = ${companyId}
              AND person.user_id = ${userId} AND person.name_hash = ${nameHash} AND ${counts}
          ) END`
}

/** SQL of the name of today of a person in a company; null when the company knows none. */
export function presentName(tables: Tables, companyId: string, userId: string): string {
  return `(SELECT name FROM ${validNames(tables)} kept WHERE company_id = ${companyId} AND user_id = ${userId}
           ORDER BY ${newestFirst} LIMIT 1)`
}

/** The names of today of some persons in a company; null where it knows none. */
export function listPresentNames(tables: Tables, companyId: string, userIds: readonly string[]): ListQuery {
  return {
    text: `SELECT one.id AS "userId", ${presentName(tables, '$1::uuid', 'one.id')} AS name
           FROM unnest($2::text[]) one (id)`,
    values: [companyId, userIds],
  }
}

/** The name of a person as some companies know it. */
export interface KnownName {
  /** The newest name in any of them, with its hash; null when none of them knows one. */
  readonly name: string | null
  readonly nameHash: string | null
  /** The number of them that have ever erased the person. */
  readonly erasures: number
}

export function findKnownName(tables: Tables, userId: string, companyIds: readonly string[]): ListQuery {
  const ofThese = 'user_id = $1 AND company_id = ANY($2)'
  return singleQuery({
    select: {
      name: 'newest.name',
      nameHash: 'newest.name_hash',
      erasures: `(SELECT count(*) FROM ${tables.table(persons, 'erasure')} WHERE ${ofThese})`,
    },
    from: `(SELECT) one LEFT JOIN LATERAL
           (SELECT name, name_hash FROM ${validNames(tables)} kept WHERE ${ofThese} ORDER BY ${newestFirst} LIMIT 1)
           newest ON true`,
    where: 'true',
    values: [userId, companyIds],
  })
}

/** Every name that the company keeps, with the salt by which events hold its hash. */
export function listKeptNames(tables: Tables, companyId: string): ListQuery {
  return {
    text: `SELECT user_id AS "userId", name_hash AS "nameHash", name, salt FROM ${validNames(tables)} kept
           WHERE company_id = $1 ORDER BY user_id, name_hash`,
    values: [companyId],
  }
}

/** The last erasure of a person in a company, by the id of its event. */
export function findErasure(tables: Tables, companyId: string, userId: string): ListQuery {
  return singleQuery({
    select: { eventId: 'event_id' },
    from: tables.table(persons, 'erasure'),
    where: 'company_id = $1 AND user_id = $2',
    values: [companyId, userId],
  })
}

/** SQL of the names that count. A backup may have brought back others, which were written before an erasure. */
function validNames(tables: Tables): string {
  return `(SELECT person.* FROM heatmark_local.person
           LEFT JOIN ${tables.table(persons, 'erasure')} erasure USING (company_id, user_id)
           WHERE person.store_id = ${literalOf(tables.storeId)} AND ${counts})`
}

/** SQL of whether a name was written after the last erasure of the person, if there was one. */
const counts = '(erasure.event_id IS NULL OR person.erasure_id = erasure.event_id)'

const newestFirst = 'recorded_at DESC, name_hash'
