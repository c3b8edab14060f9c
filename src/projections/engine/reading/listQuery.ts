import type { Fields } from '../../../domain/kernel/fields.ts'
import { type Columns, ownColumns, type Table } from '../projection.ts'
import { snakeCase } from '../schema/sql.ts'

/**
 * A list as SQL. Its rows are the records as they are answered, column names and all, with `sortKey` beside
 * them: the values to give as `after` for what follows that row.
 */
export interface ListQuery {
  readonly text: string
  readonly values: readonly unknown[]
  /** The best plan depends on the values, so the connection does not keep the query prepared. */
  readonly isOnce?: boolean
}

/** The place of a row in the total order of its list. */
export type SortKey = readonly (string | number)[]

/** The part of a list to read; all of it by default. */
export interface Page {
  readonly after?: SortKey | undefined
  readonly limit?: number | undefined
}

export interface ListParts {
  /** SQL expressions to select, by the name that they have in the answer. */
  readonly select: Readonly<Record<string, string>>
  readonly from: string
  /** SQL with $1, $2 … for `values`. */
  readonly where: string
  readonly values: readonly unknown[]
  /** Columns that put the rows in a total order. */
  readonly order: readonly string[]
}

/** One total order, and a place in it instead of an offset: a row is met once, whatever comes and goes. */
export function listQuery(parts: ListParts, { after, limit }: Page = {}): ListQuery {
  const values = [...parts.values]
  const addValue = (value: unknown) => `$${values.push(value)}`
  const order = parts.order.join(', ')
  const from = after ? ` AND (${order}) > (${after.map(addValue).join(', ')})` : ''
  const text =
    `SELECT ${fieldsSql(parts.select)}, ${sortKeyOf(parts.order)} FROM ${parts.from} ` +
    `WHERE ${parts.where}${from} ORDER BY ${order}${limit === undefined ? '' : ` LIMIT ${addValue(limit)}`}`
  return { text, values }
}

/** Select the columns of a table under their own names, without the hidden ones. `row` is the table's alias. */
export function columnsOf<C extends Columns, Hidden extends keyof C & string = never>(
  table: Table<C>,
  row: string,
  hidden: readonly Hidden[] = [],
): { readonly [Name in Exclude<keyof C & string, Hidden>]: string } {
  const visible = Object.keys(ownColumns(table)).filter(
    (name) => !(hidden as readonly string[]).includes(name),
  )
  return Object.fromEntries(visible.map((name) => [name, `${row}.${snakeCase(name)}`])) as never
}

/** Select the columns of declared fields. */
export function fieldsOf<Declared extends Fields>(
  fields: Declared,
  row: string,
): { readonly [Name in keyof Declared]: string } {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, `${row}.${snakeCase(name)}`])) as never
}

/** The rows of a whole list whose `member` is one of these ids. */
export function withIds(
  { text, values, isOnce }: ListQuery,
  member: string,
  ids: readonly string[],
): ListQuery {
  const some = `SELECT * FROM (${text}) listed WHERE listed."${member}" = ANY($${values.length + 1}::uuid[])`
  return { text: some, values: [...values, ids], ...(isOnce && { isOnce }) }
}

/** The one record of a list that `where` names. */
export function singleQuery(parts: Omit<ListParts, 'order'>): ListQuery {
  return {
    text: `SELECT ${fieldsSql(parts.select)} FROM ${parts.from} WHERE ${parts.where}`,
    values: parts.values,
  }
}

/** SQL of the fields of a record. */
export function fieldsSql(select: ListParts['select']): string {
  return Object.entries(select)
    .map(([name, expression]) => `${expression} AS "${name}"`)
    .join(', ')
}

/** SQL of a row's place in the list. */
export function sortKeyOf(order: readonly string[]): string {
  return `json_build_array(${order.join(', ')}) AS "sortKey"`
}

/**
 * SQL of one JSON object. Times, whose names end in `At`, look as they do in a column of their own. PostgreSQL turns a
 * row into JSON about a third faster than `json_build_object` does, because it looks up the types once for a query.
 */
export function jsonObject(select: ListParts['select']): string {
  const members = Object.entries(select).map(([name, expression]) =>
    name.endsWith('At')
      ? `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${name}"`
      : `${expression} AS "${name}"`,
  )
  return `(SELECT to_json(one) FROM (SELECT ${members.join(', ')}) one)`
}

/** SQL of all rows as one JSON array of objects. */
export function jsonList(select: ListParts['select'], order: string): string {
  return `coalesce(json_agg(${jsonObject(select)} ORDER BY ${order}), '[]')`
}
