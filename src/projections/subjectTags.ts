import type { Family } from '../domain/tag.ts'
import { each, exists, type Filter, type FilterSql, sinceUpdate } from './reading/filters.ts'
import type { Reading } from './reading/reader.ts'
import { tags } from './tags.ts'

/**
 * Filters of certificates and orders by their tags. `tagRows` names a table with a row for each tag of a subject and the
 * columns of the list's order; `id` is the column of the subject.
 */
export function tagFilters(family: Family, id: string, tagRows: (reading: Reading) => string) {
  const tagsWhere = ({ reading }: FilterSql, condition: string) =>
    `SELECT t.tag_id AS value FROM ${reading.table(tags, 'tag')} t
      WHERE t.company_id = $1 AND t.family = '${family}' AND ${condition}`
  // PostgreSQL finds the tags of an array once, and not again for each row that it checks.
  const hasTag = ({ reading, row }: FilterSql, wanted: string) =>
    exists(`${tagRows(reading)} s`, `s.${id} = ${row}.${id} AND s.tag_id = ANY(ARRAY(${wanted}))`)
  const withTag = ({ reading }: FilterSql, wanted: string) => each(`${tagRows(reading)} s`, 'tag_id', wanted)

  const same = (sql: FilterSql, tagId: string) => tagsWhere(sql, `t.active AND t.tag_id = ${sql.bind(tagId)}`)
  const blocking = (sql: FilterSql) => tagsWhere(sql, `t.active AND t.severity = 'Block'`)
  const changed = (sql: FilterSql, since: string) =>
    tagsWhere(sql, `t.updated_at >= ${sql.bind(since)}::timestamptz`)
  const own = sinceUpdate('Records whose values, tags or statuses have changed since then.')
  return {
    tagId: {
      parameter: { kind: 'id' },
      description: 'The tag. No record has a deleted tag.',
      needsKeyAlone: true,
      matches: (sql, tagId) => hasTag(sql, same(sql, tagId)),
      entries: (sql, tagId) => [withTag(sql, same(sql, tagId))],
    } satisfies Filter<string>,
    blocked: {
      parameter: { kind: 'boolean' },
      description: 'Whether one of its tags has severity Block.',
      needsKeyAlone: true,
      matches: (sql, isBlocked) => `${isBlocked ? '' : 'NOT '}${hasTag(sql, blocking(sql))}`,
      entries: (sql, isBlocked) => (isBlocked ? [withTag(sql, blocking(sql))] : undefined),
    } satisfies Filter<boolean>,
    updatedSince: {
      ...own,
      matches: (sql, since) => `(${own.matches(sql, since)} OR ${hasTag(sql, changed(sql, since))})`,
      entries: (sql, since) => [...own.entries(sql, since), withTag(sql, changed(sql, since))],
    } satisfies Filter<string>,
  }
}

/** SQL: when the row, or a tag that `shownTags` joins to it, changed last. */
export function updatedWithTags(row: string): string {
  return `greatest(${row}.updated_at, shown.updated_at)`
}
