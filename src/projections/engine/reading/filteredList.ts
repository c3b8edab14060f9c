import { snakeCase } from '../schema/sql.ts'
import {
  createBinder,
  type FilterSql,
  type Filters,
  type FilterValues,
  matchesOf,
  wantedOf,
} from './filters.ts'
import { fieldsSql, type ListParts, type ListQuery, type Page, sortKeyOf } from './listQuery.ts'
import type { Reading } from './reader.ts'

/** A list with filters. See docs/decisions/filters.md. */

export interface FilterableList {
  readonly filters: Filters
  /** SQL of the list's own table, and the alias of its rows. */
  readonly table: (reading: Reading) => string
  readonly row: string
  /** Columns that put the rows of a company in a total order. */
  readonly order: readonly string[]
  /** SQL condition on the rows that somebody can see. */
  readonly visible?: string
  readonly select: ListParts['select']
  /** SQL that joins the details of a row. */
  readonly details: (reading: Reading) => string
}

/** The page is first looked for among this many rows for each record of the page. */
const rowsPerMatch = 12
/** PostgreSQL plans for this many matches, so it sorts all matches rather than read the whole list to find some. */
const plannedFor = 10_000

/** The rows of a company that match every filter of the request. */
export async function filteredList(
  list: FilterableList,
  reading: Reading,
  { companyId, filterValues }: { readonly companyId: string; readonly filterValues: FilterValues },
  page: Page = {},
): Promise<ListQuery> {
  const { sql, wanted, table, where } = await narrow(list, reading, { companyId, filterValues })
  const search = { list, sql, limit: page.limit, table, where, after: afterOf(list, sql, page) }
  const areIndexed = wanted.every(({ filter }) => filter.column !== undefined && !filter.repeatable)
  if (page.limit === undefined || areIndexed) return withDetails(search, all(search))
  return { ...withDetails(search, await firstOf(search, page.limit)), isOnce: true }
}

/** How many rows of a company match every filter of the request. */
export async function countOf(
  list: FilterableList,
  reading: Reading,
  matching: { readonly companyId: string; readonly filterValues: FilterValues },
): Promise<number> {
  const { sql, table, where } = await narrow(list, reading, matching)
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE ${where}`
  const [row] = await reading.query<{ count: number }>({ text, values: sql.values, isOnce: true })
  return row!.count
}

/** Return the SQL of a list's table, and of the condition on the rows that match. */
async function narrow(
  { filters, table, row, visible }: FilterableList,
  reading: Reading,
  { companyId, filterValues }: { readonly companyId: string; readonly filterValues: FilterValues },
) {
  const sql = createBinder({ reading, companyId, row }, [companyId])
  const wanted = wantedOf(filters, filterValues)
  const conditions = [
    `${row}.company_id = $1`,
    ...(visible ? [visible] : []),
    ...(await matchesOf(sql, wanted)),
  ]
  return { sql, wanted, table: `${table(reading)} ${row}`, where: conditions.join(' AND ') }
}

interface Search {
  readonly list: FilterableList
  readonly sql: FilterSql & { readonly values: readonly unknown[] }
  readonly limit: number | undefined
  /** SQL of the rows, with their alias. */
  readonly table: string
  readonly where: string
  /** SQL condition on the rows after the cursor, with AND before it; empty without a cursor. */
  readonly after: string
}

/** SQL of all matches in the list's order, up to the limit. */
function all({ list, sql, limit, table, where, after }: Search): string {
  const end = limit === undefined ? '' : ` LIMIT ${sql.bind(limit)}`
  return `SELECT ${list.row}.* FROM ${table} WHERE ${where}${after} ${orderBy(list, list.row)}${end}`
}

/** Return the SQL of the first matches: a page, or fewer if there are no more. */
async function firstOf(search: Search, limit: number): Promise<string> {
  const { list, sql, table, where, after } = search
  const { row } = list
  const most = sql.bind(limit)
  const first = `(SELECT * FROM ${table} WHERE ${row}.company_id = $1${after}
    ${orderBy(list, row)} LIMIT ${rowsPerMatch * limit}) ${row}`
  if (!sql.reading.isEarlier && (await hasPage(search, first, most)))
    return `SELECT * FROM ${first} WHERE ${where} ${orderBy(list, row)} LIMIT ${most}`
  // MATERIALIZED hides the limit of the page from the plan. Rows are still found only until the page is full.
  return `
    WITH found AS MATERIALIZED (
      SELECT ${columnsOf(list, row).join(', ')} FROM ${table} WHERE ${where}${after}
      ${orderBy(list, row)} LIMIT ${plannedFor})
    SELECT ${row}.* FROM (SELECT * FROM found k ${orderBy(list, 'k')} LIMIT ${most}) k
    CROSS JOIN LATERAL (
      SELECT * FROM ${table} WHERE ${row}.company_id = $1 AND ${hasKeyOf(list, 'k')} OFFSET 0) ${row}`
}

/**
 * Whether the first rows of the list have a page of matches, as for most filters. PostgreSQL has no statistics of where
 * matches stand, or of how many words begin with a prefix, so it would often sort all matches of such a filter.
 */
async function hasPage({ sql, where }: Search, first: string, most: string): Promise<boolean> {
  const [row] = await sql.reading.query<{ isFull: boolean }>({
    text: `SELECT count(*) = ${most} AS "isFull" FROM (SELECT FROM ${first} WHERE ${where} LIMIT ${most}) s`,
    values: sql.values,
    isOnce: true,
  })
  return row!.isFull
}

/**
 * Join the details of the rows that a query returns. If the details were joined before the limit, PostgreSQL would find
 * those of all rows whenever it has to sort, as for a list of an earlier time.
 */
function withDetails({ list, sql }: Search, rows: string): ListQuery {
  const { row, select, details } = list
  const text = `SELECT ${fieldsSql(select)}, ${sortKeyOf(columnsOf(list, row))}
    FROM (${rows}) ${row} ${details(sql.reading)} ${orderBy(list, row)}`
  return { text, values: sql.values }
}

/** SQL: whether a row of the list has the sort key of a row with this alias. */
function hasKeyOf(list: FilterableList, alias: string): string {
  const keys = columnsOf(list, alias)
  return columnsOf(list, list.row)
    .map((column, index) => `${column} = ${keys[index]}`)
    .join(' AND ')
}

function afterOf(list: FilterableList, { bind }: FilterSql, { after }: Page): string {
  if (!after) return ''
  return ` AND (${columnsOf(list, list.row).join(', ')}) > (${after.map(bind).join(', ')})`
}

function columnsOf({ order }: FilterableList, alias: string): string[] {
  return order.map((column) => `${alias}.${snakeCase(column)}`)
}

function orderBy(list: FilterableList, alias: string): string {
  return `ORDER BY ${columnsOf(list, alias).join(', ')}`
}
