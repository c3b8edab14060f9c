import { snakeCase } from '../schema/sql.ts'
import { type Bounds, type Driver, driverOf, type Way } from './filterDriver.ts'
import {
  type Asked,
  type Binder,
  binder,
  type Entries,
  type FilterSql,
  type Filters,
  matchesOf,
  texts,
  type Wanted,
  wantedOf,
} from './filters.ts'
import { type ListParts, type ListQuery, type Page, selected, sortKeyOf } from './listQuery.ts'
import type { Reading } from './reader.ts'

/** A list that filters narrow: one filter drives the search, and the others check the rows that it finds. */

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

const usualBounds: Bounds = { few: 10_000, values: 100, examined: 1_000 }

/** The rows of a company that match every filter of the request. */
export async function filteredList(
  list: FilterableList,
  reading: Reading,
  { companyId, asked }: { readonly companyId: string; readonly asked: Asked },
  page: Page = {},
  bounds = usualBounds,
): Promise<ListQuery> {
  const wanted = wantedOf(list.filters, asked)
  const newSql = () => binder({ reading, table: list.table(reading), row: list.row }, [companyId])
  if (wanted.length === 0 || (wanted.length === 1 && isPlain(wanted[0]!)))
    return plainQuery({ list, sql: newSql(), page }, wanted)

  const driver = await driverOf(wanted, newSql, bounds)
  const others = wanted.filter((one) => one !== driver.wanted)
  // A page needs no more rows than its limit, unless it leaves out some of the rows that are found.
  const areChecked = others.length > 0 || (list.visible !== undefined && driver.ways.includes('sorted'))
  const examined = areChecked && page.mayEndEarly ? bounds.examined : undefined
  const most = areChecked ? examined : page.limit
  const query = drivenQuery({ list, sql: newSql(), page }, driver, others, { most, areSeen: !areChecked })
  if (examined === undefined) return query
  return { ...query, endedAt: endQuery({ list, sql: newSql(), page }, driver, examined) }
}

interface Part {
  readonly list: FilterableList
  readonly sql: Binder
  readonly page: Page
}

/** PostgreSQL finds the index for a comparison with one column by itself. */
function isPlain({ filter }: Wanted): boolean {
  return filter.column !== undefined && !filter.repeatable
}

function plainQuery(part: Part, wanted: readonly Wanted[]): ListQuery {
  const { list, sql, page } = part
  const { row } = list
  const where = `${conditions(list, sql, wanted)}${after(part, row)}`
  const rows = `SELECT ${row}.* FROM ${sql.table} ${row} WHERE ${where}
    ${ordered(list, row)}${limited(sql, page.limit)}`
  return withDetails(part, rows)
}

function drivenQuery(part: Part, driver: Driver, others: readonly Wanted[], wished: Wished): ListQuery {
  const { list, sql, page } = part
  const { row } = list
  const { from, where } = driver.wanted
    ? driven(part, driver, others, wished)
    : { from: walked(part, wished.most), where: conditions(list, sql, others) }
  // PostgreSQL knows that the keys are in order, so it ends at the limit.
  const rows = `SELECT ${row}.* FROM ${from} WHERE ${where}
    ${ordered(list, driver.wanted ? 'k' : row)}${limited(sql, page.limit)}`
  return withDetails(part, rows)
}

/**
 * Join the details of the rows that a query returns. If the details were joined before the limit, PostgreSQL would find
 * those of all rows whenever it has to sort, as for a list of an earlier moment.
 */
function withDetails({ list, sql }: Part, rows: string): ListQuery {
  const { row, select, details } = list
  const text = `SELECT ${selected(select)}, ${sortKeyOf(columnsOf(list, row))}
    FROM (${rows}) ${row} ${details(sql.reading)} ${ordered(list, row)}`
  return { text, values: sql.values }
}

/** The sort key of the last row that a page may examine, if there are so many. */
function endQuery(part: Part, driver: Driver, examined: number): ListQuery {
  const { list, sql } = part
  const alias = driver.wanted ? 'k' : list.row
  const from = driver.wanted ? `(${keysFound(part, driver, { most: examined })}) k` : walked(part, examined)
  // OFFSET in a query of its own makes PostgreSQL build one array, and not one for each row that it leaves out.
  const last = `SELECT ${columnsOf(list, alias)} FROM ${from}
    ${ordered(list, alias)} OFFSET ${sql.bind(examined - 1)} LIMIT 1`
  // A row that nobody can see yet may have no place in the list. Such rows are last, so the list has ended.
  const keys = columnsOf(list, 'k')
  const text = `SELECT ${sortKeyOf(keys)} FROM (${last}) k WHERE (${keys}) IS NOT NULL`
  return { text, values: sql.values }
}

/** SQL of the rows that the driver finds and the other filters keep: the keys, as `k`, joined with the list's table. */
function driven(
  part: Part,
  driver: Driver,
  others: readonly Wanted[],
  wished: Wished,
): { readonly from: string; readonly where: string } {
  const { list, sql } = part
  const { row } = list
  const found = `(${keysFound(part, driver, wished)}) k`
  const ofKeys = others.filter(({ filter }) => filter.needsKeyAlone)
  const checks = matchesOf({ ...sql, row: 'k' }, ofKeys)
  const left =
    checks.length === 0 ? found : `(SELECT * FROM ${found} WHERE ${checks.join(' AND ')} OFFSET 0) k`
  // OFFSET 0 makes PostgreSQL look up each key instead of reading the whole table.
  const from = `${left} CROSS JOIN LATERAL (SELECT * FROM ${sql.table} ${row}
    WHERE ${row}.company_id = $1 AND ${hasKeysOf(list, 'k')} OFFSET 0) ${row}`
  const ofRows = others.filter((one) => !ofKeys.includes(one))
  return { from, where: conditions(list, sql, ofRows) }
}

/** SQL of the list itself, in its order: `most` of its rows, or all. */
function walked(part: Part, most: number | undefined): string {
  const { list, sql } = part
  const { row } = list
  return `(SELECT * FROM ${sql.table} ${row} WHERE ${row}.company_id = $1${after(part, row)}
    ${ordered(list, row)}${limited(sql, most)}) ${row}`
}

/** SQL: whether a row of the list has the sort key of a row with this alias. */
function hasKeysOf(list: FilterableList, alias: string): string {
  const keys = columnsOf(list, alias)
  return columnsOf(list, list.row)
    .map((column, index) => `${column} = ${keys[index]}`)
    .join(' AND ')
}

/**
 * SQL: whether somebody can see the row of an entry. A limit must not count the others: a page that lacks them would
 * look like the end of the list. PostgreSQL looks up each row of a subquery that is a value.
 */
function seen({ list, sql }: Part): string {
  const { row, visible } = list
  if (!visible) return ''
  return `(SELECT ${visible} FROM ${sql.table} ${row} WHERE ${row}.company_id = $1 AND ${hasKeysOf(list, 's')})`
}

/** The keys to find. */
interface Wished {
  /** The most keys; undefined for all. */
  readonly most: number | undefined
  /** Whether to find only keys of rows that somebody can see, so that `most` of them make a page. */
  readonly areSeen?: boolean
}

/** SQL of the sort keys of the driver's entries, in order and each once. */
function keysFound(part: Part, { wanted, ways }: Driver, wished: Wished): string {
  const { list, sql } = part
  const { most } = wished
  const all = wanted!.filter.entries!(sql, wanted!.value as never)!
  const found = all.map((entries, index) => keysOf(part, entries, ways[index]!, wished))
  if (found.length === 1) return found[0]!
  return `SELECT DISTINCT ${columnsOf(list, 's')} FROM (${found.map((keys) => `(${keys})`).join(' UNION ALL ')}) s
    ${ordered(list, 's')}${limited(sql, most)}`
}

function keysOf(part: Part, entries: Entries, way: Way, { most, areSeen = false }: Wished): string {
  const { list, sql } = part
  const keys = columnsOf(list, 's').join(', ')
  const end = `${ordered(list, 's')}${limited(sql, most)}`
  const visible = areSeen && most !== undefined ? seen(part) : ''
  const those = (where: string) => {
    const all = `SELECT ${keys} FROM ${entries.from} WHERE s.company_id = $1 AND ${where}${after(part, 's')}`
    if (visible === '') return all
    // OFFSET 0 makes PostgreSQL put the entries in order first, and look up rows only until the page is full.
    return `SELECT ${keys} FROM (${all} ${ordered(list, 's')} OFFSET 0) s WHERE ${visible}`
  }
  if (way === 'inOrder') return `SELECT ${keys} FROM (${those(entries.where)}) s ${end}`
  // OFFSET 0 keeps PostgreSQL from walking the whole list in search of these few.
  if (way === 'sorted') return `SELECT DISTINCT ${keys} FROM (${those(entries.where)} OFFSET 0) s ${end}`
  if (most === undefined) return `SELECT DISTINCT ${keys} FROM (${those(entries.where)}) s ${end}`
  const { column, values } = wantedValues(entries, way, sql)
  const within = entries.kind === 'range' ? `${entries.where} AND ` : ''
  return `SELECT DISTINCT ${keys} FROM (${values} OFFSET 0) wanted
    CROSS JOIN LATERAL (${those(`${within}s.${column} = wanted.value`)} ${end}) s ${end}`
}

function wantedValues(entries: Entries, way: Exclude<Way, 'inOrder' | 'sorted'>, { bind }: FilterSql) {
  if (entries.kind === 'each') return entries
  if (entries.kind === 'range' && way !== 'each') return { ...entries, values: texts(bind(way.these)) }
  throw new Error(`these entries are not read by value: ${entries.kind}`)
}

function conditions(list: FilterableList, sql: FilterSql, wanted: readonly Wanted[]): string {
  return [
    `${list.row}.company_id = $1`,
    ...(list.visible ? [list.visible] : []),
    ...matchesOf(sql, wanted),
  ].join(' AND ')
}

function after({ list, sql, page }: Part, alias: string): string {
  if (!page.after) return ''
  return ` AND (${columnsOf(list, alias).join(', ')}) > (${page.after.map(sql.bind).join(', ')})`
}

function columnsOf({ order }: FilterableList, alias: string): string[] {
  return order.map((column) => `${alias}.${snakeCase(column)}`)
}

function ordered(list: FilterableList, alias: string): string {
  return `ORDER BY ${columnsOf(list, alias).join(', ')}`
}

function limited({ bind }: FilterSql, most: number | undefined): string {
  return most === undefined ? '' : ` LIMIT ${bind(most)}`
}
