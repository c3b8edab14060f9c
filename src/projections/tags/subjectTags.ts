import type { UsageChange } from '../../domain/tags/assignments.ts'
import type { Family } from '../../domain/tags/tag.ts'
import { type Filter, type FilterSql, sinceUpdate } from '../engine/reading/filters.ts'
import { tags } from './tags.ts'

/** The tags of a certificate or an order, in a column `tagIds` of its row. */

/** The ids of tags that a subject has, however many ways each is assigned, after such a change. */
export function changeTagIds(tagIds: string, { gained, lost }: UsageChange): string {
  const tagsLeft = tagIds.split(' ').filter((tagId) => tagId !== '' && !lost.includes(tagId))
  return [...new Set([...tagsLeft, ...gained])].sort().join(' ')
}

const idsIn = (column: string) => `string_to_array(${column}, ' ')`

export const tagIndex = `USING gin (${idsIn('tag_ids')})`

/** Filters of certificates and orders by their tags. */
export function tagFilters(family: Family) {
  // PostgreSQL has statistics of how many records have a tag, so the ids are found before the list is planned.
  const hasTag = async ({ reading, companyId, row, bind }: FilterSql, condition: string, value: unknown) => {
    const matching = await reading.query<{ tagId: string }>({
      text: `SELECT t.tag_id AS "tagId" FROM ${reading.table(tags, 'tag')} t
        WHERE t.company_id = $1 AND t.family = '${family}' AND ${condition}`,
      values: [companyId, value],
    })
    if (matching.length === 0) return 'false'
    return `${idsIn(`${row}.tag_ids`)} && ${bind(matching.map(({ tagId }) => tagId))}::text[]`
  }
  const own = sinceUpdate('Records whose values, tags or statuses have changed since then.')
  return {
    tagId: {
      parameter: { kind: 'id' },
      description: 'The tag. No record has a deleted tag.',
      matches: (sql, tagId) => hasTag(sql, 't.active AND t.tag_id = $2', tagId),
    } satisfies Filter<string>,
    blocked: {
      parameter: { kind: 'boolean' },
      description: 'Whether one of its tags has severity Block.',
      matches: async (sql, isBlocked) => {
        const has = await hasTag(sql, 't.active AND t.severity = $2', 'Block')
        return isBlocked ? has : `NOT (${has})`
      },
    } satisfies Filter<boolean>,
    updatedSince: {
      ...own,
      matches: async (sql, since) => {
        const has = await hasTag(sql, 't.updated_at >= $2::timestamptz', since)
        return has === 'false' ? own.matches(sql, since) : `(${own.matches(sql, since)} OR ${has})`
      },
    } satisfies Filter<string>,
  }
}

/** SQL: when the row, or a tag that `joinTags` joins to it, changed last. */
export function latestUpdate(row: string): string {
  return `greatest(${row}.updated_at, shown.updated_at)`
}
