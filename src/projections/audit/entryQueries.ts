import { type EntrySubject, entrySubjects } from '../../domain/audit/audited.ts'
import { memberPlace } from '../../domain/audit/words.ts'
import { literalOf } from '../../stores/postgres/postgres.ts'
import { production } from '../bars/production.ts'
import { isPlanned } from '../bars/productionQueries.ts'
import { certificates } from '../certificates/certificates.ts'
import { access } from '../company/access.ts'
import { filterProfiles } from '../company/filterProfiles.ts'
import { authorName, persons, presentName } from '../company/persons.ts'
import { webhooks } from '../company/webhooks.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import { documents } from '../documents/documents.ts'
import {
  createBinder,
  type Filter,
  type FilterValues,
  matchesOf,
  wantedOf,
} from '../engine/reading/filters.ts'
import { jsonObject, type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { orders } from '../orders/orders.ts'
import { rulePacks } from '../rulePacks/rulePacks.ts'
import { tags } from '../tags/tags.ts'
import { entries } from './entries.ts'

/** Queries of the events in plain words: the history of one record, and the audit trail of a company. */

/** Kinds of records that have a history of their own. */
export type RecordWithHistory = Extract<EntrySubject, 'certificate' | 'order' | 'bar'>

/** The record whose history is read. */
interface EntriesOf {
  readonly companyId: string
  readonly subjectId: string
}

/** The history of a record, most recent first. */
export function listEntries(
  reading: Reading,
  subjectType: RecordWithHistory,
  { companyId, subjectId }: EntriesOf,
  page?: Page,
): ListQuery {
  const { from, where, label } = records[subjectType](reading)
  return listQuery(
    {
      select: entryFields(reading, label),
      from: `${from}, ${reading.table(entries, 'entry')} e`,
      where: `${where} AND e.company_id = $1 AND e.subject_type = '${subjectType}' AND e.subject_id = $2::text`,
      values: [companyId, subjectId],
      order: newestFirst,
    },
    page,
  )
}

/** Find the record itself, to tell whether there is one. */
export function findEntrySubject(
  reading: Reading,
  subjectType: RecordWithHistory,
  { companyId, subjectId }: EntriesOf,
): ListQuery {
  const { from, where, label } = records[subjectType](reading)
  return singleQuery({ select: { label }, from, where, values: [companyId, subjectId] })
}

/** The filters of the audit trail. Each has an index, or narrows what an index has found. */
export const trailFilters = {
  actorId: equals(
    'actor_id',
    { kind: 'text', most: 128 },
    'Events of this author: a userId, or a rulePackId.',
  ),
  kind: equals('kind', { kind: 'text', most: 100 }, 'Events of this type.'),
  subjectType: equals(
    'subject_type',
    { kind: 'oneOf', values: entrySubjects },
    'Events about records of this kind.',
  ),
  subjectId: equals('subject_id', { kind: 'text', most: 200 }, 'Events about the record with this id.'),
  since: time('>=', 'Events that were recorded at this time or later.'),
  until: time('<', 'Events that were recorded before this time.'),
} as const satisfies Record<string, Filter>

/** The read models that the audit trail shows. */
export const trailReads = [
  ...([entries, persons, access, certificates, orders] as const),
  ...([deliveries, documents, production, tags, filterProfiles, rulePacks, webhooks] as const),
] as const

/** Every event of the company that matches the filters, most recent first. */
export async function listTrail(
  reading: Reading,
  { companyId, filterValues }: { readonly companyId: string; readonly filterValues: FilterValues },
  page?: Page,
): Promise<ListQuery> {
  const sql = createBinder({ reading, companyId, row: 'e' }, [companyId])
  const conditions = await matchesOf(sql, wantedOf(trailFilters, filterValues))
  return listQuery(
    {
      select: entryFields(reading, labelOf(reading)),
      from: `${reading.table(entries, 'entry')} e`,
      where: ['e.company_id = $1', ...conditions].join(' AND '),
      values: sql.values,
      order: newestFirst,
    },
    page,
  )
}

/** Negated, so that one ascending order serves every list. */
const newestFirst = ['(-e.position)']

function equals(column: string, parameter: Filter['parameter'], description: string) {
  return {
    parameter,
    description,
    matches: ({ row, bind }, value) => `${row}.${column} = ${bind(value)}`,
  } satisfies Filter<string>
}

function time(comparison: '>=' | '<', description: string) {
  return {
    parameter: { kind: 'time' as const },
    description,
    matches: ({ row, bind }, value) => `${row}.occurred_at ${comparison} ${bind(value)}::timestamptz`,
  } satisfies Filter<string>
}

/** The fields of an entry. */
function entryFields(reading: Reading, label: string) {
  const name = authorName(reading, {
    companyId: 'e.company_id',
    userId: 'e.actor_id',
    isPerson: 'e.actor_is_person',
    name: 'e.actor_name',
    nameHash: 'e.actor_name_hash',
    position: 'e.position',
  })
  return {
    position: 'e.position',
    eventId: 'e.event_id',
    occurredAt: 'e.occurred_at',
    performedAt: 'e.performed_at',
    actor: jsonObject({ id: 'e.actor_id', kind: 'e.actor_kind', name }),
    kind: 'e.kind',
    subject: jsonObject({ type: 'e.subject_type', id: 'e.subject_id', label }),
    message: `CASE e.subject_type WHEN 'member' THEN replace(e.message, ${literalOf(memberPlace)}, ${label})
      ELSE e.message END`,
    sentence: `CASE e.subject_type WHEN 'member'
      THEN jsonb_set(e.sentence::jsonb, '{values,member}', to_jsonb(${label}::text))::json ELSE e.sentence END`,
    changes: 'e.changes',
    correlationId: 'e.correlation_id',
  }
}

/** SQL of the record of each kind, and of the name by which people know it. */
const records: Readonly<
  Record<RecordWithHistory, (reading: Reading) => { from: string; where: string; label: string }>
> = {
  certificate: (reading) => ({
    from: `${reading.table(certificates, 'certificate')} m`,
    where: 'm.company_id = $1 AND m.mill_certification_id = $2',
    label: 'm.certificate_number',
  }),
  order: (reading) => ({
    from: `${reading.table(orders, 'order')} o`,
    where: 'o.company_id = $1 AND o.order_id = $2',
    label: 'o.order_number',
  }),
  bar: (reading) => ({
    from: `${reading.table(production, 'bar')} b
      JOIN ${reading.table(production, 'plan')} p ON p.company_id = b.company_id AND p.plan_id = b.plan_id`,
    where: `b.company_id = $1 AND b.bar_id = $2 AND ${isPlanned}`,
    label: barLabel,
  }),
}

const barLabel = `p.name || ' · ' || b.ordinal`

/**
 * SQL of the present name of the record that an entry is about; its id when it has none. It is a subquery for each row,
 * which can only look up keys.
 */
function labelOf(reading: Reading): string {
  const table = reading.table
  const ofId = (column: string) => `company_id = e.company_id AND ${column} = e.subject_id::uuid`
  const ofPack = 'company_id = e.company_id AND rule_pack_id = e.subject_id'
  const labels: Readonly<Record<Exclude<EntrySubject, 'other'>, string>> = {
    certificate: `SELECT certificate_number FROM ${table(certificates, 'certificate')} WHERE ${ofId('mill_certification_id')}`,
    order: `SELECT order_number FROM ${table(orders, 'order')} WHERE ${ofId('order_id')}`,
    bar: `SELECT ${barLabel} FROM ${table(production, 'bar')} b
      JOIN ${table(production, 'plan')} p ON p.company_id = b.company_id AND p.plan_id = b.plan_id
      WHERE b.company_id = e.company_id AND b.bar_id = e.subject_id::uuid`,
    document: `SELECT file_name FROM ${table(documents, 'document')} WHERE ${ofId('document_id')}`,
    delivery: `SELECT delivery_note FROM ${table(deliveries, 'delivery')} WHERE ${ofId('delivery_id')}`,
    plan: `SELECT name FROM ${table(production, 'plan')} WHERE ${ofId('plan_id')}`,
    tag: `SELECT name FROM ${table(tags, 'tag')}
      WHERE family IN ('millCert', 'order') AND ${ofId('tag_id')}`,
    filterProfile: `SELECT name FROM ${table(filterProfiles, 'profile')} WHERE ${ofId('profile_id')}`,
    webhook: `SELECT url FROM ${table(webhooks, 'webhook')} WHERE ${ofId('webhook_id')}`,
    rulePack: `SELECT coalesce(
      (SELECT name FROM ${table(rulePacks, 'ownRulePack')} WHERE ${ofPack}),
      (SELECT name FROM ${table(rulePacks, 'rulePack')} WHERE ${ofPack}))`,
    member: `SELECT ${presentName(reading, 'e.company_id', 'e.subject_id')}`,
    company: `SELECT name FROM ${table(access, 'company')} WHERE company_id = e.company_id`,
  }
  const cases = Object.entries(labels).map(([type, label]) => `WHEN ${literalOf(type)} THEN (${label})`)
  return `coalesce(CASE e.subject_type ${cases.join(' ')} END, e.subject_id)`
}
