import type { Entries, FilterSql, Wanted } from './filters.ts'
import type { Query } from './reader.ts'

/** Choose the filter of a request that drives the search, and the way to read its entries. */

export interface Bounds {
  /** So many matches are sorted if no index has them in the list's order. */
  readonly few: number
  /** A range with this many distinct values is read value by value. */
  readonly values: number
  /** A page that checks rows one by one ends after this many of them, full or not. */
  readonly examined: number
}

export interface Driver {
  /** The filter that drives the search; undefined for the list's own index. */
  readonly wanted: Wanted | undefined
  /** How each of its entries are read. */
  readonly ways: readonly Way[]
}

/**
 * - `inOrder`: as an index has them
 * - `sorted`: all of them, sorted
 * - `each`: value by value
 * - `these`: for these texts, one by one
 */
export type Way = 'inOrder' | 'sorted' | 'each' | { readonly these: readonly string[] }

type NewSql = () => FilterSql & { readonly values: readonly unknown[] }

/** No filter drives the search: the list is walked in its own order. */
const walk: Driver = { wanted: undefined, ways: [] }

/**
 * The filter with the fewest matches drives the search. If all have many, it is one whose matches are found in the
 * list's order; if none has such, the list is walked.
 */
export async function driverOf(wanted: readonly Wanted[], newSql: NewSql, bounds: Bounds): Promise<Driver> {
  const able = wanted.filter((one) => entriesOf(one, newSql()))
  if (able.length === 0) return walk
  const alone = wanted.length === 1 ? able[0] : undefined
  const kinds = alone && entriesOf(alone, newSql())!.map(({ kind }) => kind)
  if (alone && kinds?.every((kind) => kind === 'inOrder' || kind === 'each'))
    return { wanted: alone, ways: kinds as Way[] }

  const counts = await countEntries(able, newSql(), bounds.few + 1)
  const totals = counts.map((each) => each.reduce((sum, count) => sum + count, 0))
  const fewest = totals.indexOf(Math.min(...totals))
  const best = able[fewest]!
  if (totals[fewest]! <= bounds.few) return { wanted: best, ways: counts[fewest]!.map(() => 'sorted') }
  const ways = alone && (await waysOf(alone, counts[0]!, newSql, bounds))
  if (ways) return { wanted: alone, ways }
  const inOrder = able.find((one) => entriesOf(one, newSql())!.every(({ kind }) => kind === 'inOrder'))
  return inOrder ? { wanted: inOrder, ways: ['inOrder'] } : walk
}

function entriesOf({ filter, value }: Wanted, sql: FilterSql): readonly Entries[] | undefined {
  return filter.entries?.(sql, value as never)
}

/** Count the entries of each filter, each up to a bound. */
async function countEntries(
  able: readonly Wanted[],
  sql: ReturnType<NewSql>,
  most: number,
): Promise<number[][]> {
  const limit = sql.bind(most)
  const counts = able.map((wanted) =>
    entriesOf(wanted, sql)!.map(
      (entries) => `(SELECT count(*) FROM (${counted(entries, limit)} LIMIT ${limit}) s)`,
    ),
  )
  const arrays = counts.map((each) => `json_build_array(${each.join(', ')})`)
  const [row] = await sql.reading.query<{ counts: number[][] }>({
    text: `SELECT json_build_array(${arrays.join(', ')}) AS counts`,
    values: sql.values,
  })
  return row!.counts
}

/** Value by value, the index is sure to be used. OFFSET 0 keeps PostgreSQL from expecting to need few values. */
function counted(entries: Entries, limit: string): string {
  const those = (where: string) => `SELECT FROM ${entries.from} WHERE s.company_id = $1 AND ${where}`
  if (entries.kind !== 'each') return those(entries.where)
  return `SELECT FROM (${entries.values} OFFSET 0) wanted
    CROSS JOIN LATERAL (${those(`s.${entries.column} = wanted.value`)} LIMIT ${limit}) s`
}

/** How to find the entries of a filter in the list's order; undefined if there is no way. */
async function waysOf(
  wanted: Wanted,
  counts: readonly number[],
  newSql: NewSql,
  { few, values }: Bounds,
): Promise<Way[] | undefined> {
  const ways: Way[] = []
  for (const [index, count] of counts.entries()) {
    const sql = newSql()
    const entries = entriesOf(wanted, sql)![index]!
    if (entries.kind === 'each' || entries.kind === 'inOrder') ways.push(entries.kind)
    else if (count <= few) ways.push('sorted')
    else if (entries.kind === 'unordered') return undefined
    else {
      const found = await sql.reading.query<{ value: string }>(distinctValues(entries, sql, values + 1))
      if (found.length > values) return undefined
      ways.push({ these: found.map(({ value }) => value) })
    }
  }
  return ways
}

/** The distinct values of a range, each found by one look into the index. */
function distinctValues(
  { from, column, where }: Entries & { kind: 'range' },
  sql: ReturnType<NewSql>,
  most: number,
): Query {
  const next = (after: string) =>
    `SELECT s.${column} AS value FROM ${from} WHERE s.company_id = $1 AND ${where}${after} ORDER BY s.${column} LIMIT 1`
  return {
    text: `WITH RECURSIVE known AS (
        (${next('')}) UNION ALL
        SELECT (${next(` AND s.${column} > known.value`)}) FROM known WHERE known.value IS NOT NULL
      ) SELECT value FROM known WHERE value IS NOT NULL LIMIT ${sql.bind(most)}`,
    values: sql.values,
  }
}
