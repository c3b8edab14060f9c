import { snakeCase } from '../schema/sql.ts'
import type { Reading } from './reader.ts'

/**
 * A filter is declared once, beside the query of its list. The query parameter with its checks, its part of the
 * OpenAPI document, the check of cursors and the SQL follow from the declaration. So does the index, if the filter
 * compares a column of the list's own table.
 */

/** How a request writes a value. */
export type Parameter =
  | { readonly kind: 'id' | 'boolean' | 'time' }
  | { readonly kind: 'oneOf'; readonly values: readonly string[] }
  | TextParameter
  | WordsParameter

export interface TextParameter {
  readonly kind: 'text'
  /** The most characters. */
  readonly most: number
  /** Turns the text into the form that is compared. An empty result is a fault. */
  readonly read?: (text: string) => string
  /** The message for an empty result. */
  readonly otherwise?: string
}

/** Several words, each of which a row must match. */
export interface WordsParameter {
  readonly kind: 'words'
  /** The most characters. */
  readonly most: number
  readonly mostWords: number
  readonly read: (text: string) => readonly string[]
}

export type FilterValue = string | boolean | readonly string[]

export interface Filter<Value extends FilterValue = never> {
  readonly parameter: Parameter
  readonly description: string
  /** The parameter may be given several times. A row matches if it has one of the values. */
  readonly repeatable?: boolean
  /** The column of the list's own table that is compared, for `columnIndexes`. */
  readonly column?: string
  /** SQL: whether a row of the list matches. */
  readonly matches: (sql: FilterSql, value: Value) => string
  /** Whether `matches` needs no more of the row than the company and the columns of the list's order. */
  readonly needsKeyAlone?: boolean
  /** The indexes that lead to the matching rows. A filter without them, or a value without, can only check rows. */
  readonly entries?: (sql: FilterSql, value: Value) => readonly Entries[] | undefined
}

export type Filters = Readonly<Record<string, Filter>>
/** The values of a request, by the names of the filters. */
export type Asked = Readonly<Record<string, FilterValue | undefined>>

/** A filter that a request uses; of several words, it is one for each word. */
export interface Wanted {
  readonly filter: Filter
  readonly value: FilterValue
}

/** The names that the SQL of a filter may use. `$1` is the company. */
export interface FilterSql {
  readonly reading: Reading
  /** The list's own table, and the alias of its rows. */
  readonly table: string
  readonly row: string
  /** Return the placeholder of a value. */
  bind(value: unknown): string
}

/** SQL whose values are bound while it is written. */
export interface Binder extends FilterSql {
  readonly values: unknown[]
}

/** @param values the values of `$1`, `$2` and so on, which the SQL may name */
export function binder(names: Omit<FilterSql, 'bind'>, values: unknown[]): Binder {
  return { ...names, values, bind: (value) => `$${values.push(value)}` }
}

/** Return the filters that a request uses. */
export function wantedOf(filters: Filters, asked: Asked): readonly Wanted[] {
  return Object.entries(filters).flatMap(([name, filter]): Wanted[] => {
    const value = asked[name]
    if (value === undefined) return []
    if (filter.parameter.kind !== 'words') return [{ filter, value }]
    return (value as readonly string[]).map((word) => ({ filter, value: word }))
  })
}

/** Return the SQL condition of each of these filters. */
export function matchesOf(sql: FilterSql, wanted: readonly Wanted[]): string[] {
  return wanted.map(({ filter, value }) => filter.matches(sql, value as never))
}

/**
 * Rows `s`, of the list's own table or of one that leads to it, with the columns of the list's order.
 * - `inOrder`: an index has them in the list's order.
 * - `each`: an index has those of each value of `column` in the list's order. `values` is a query of these values.
 * - `range`: the same, but the values, which are texts, have to be looked up.
 * - `unordered`: an index has them in another order.
 */
export type Entries = {
  /** SQL of the tables. */
  readonly from: string
  /** SQL condition beside the company. */
  readonly where: string
} & (
  | { readonly kind: 'inOrder' }
  | { readonly kind: 'unordered' }
  | { readonly kind: 'range'; readonly column: string }
  | { readonly kind: 'each'; readonly column: string; readonly values: string }
)

/** The entries for each of the values that a query `SELECT … AS value` returns. */
export function each(from: string, column: string, values: string): Entries {
  return { kind: 'each', from, column, values, where: `s.${column} IN (${values})` }
}

/** SQL of whether a table has such a row. OFFSET 0 makes PostgreSQL look once for each row that is checked. */
export function exists(from: string, where: string): string {
  return `EXISTS (SELECT FROM ${from} WHERE s.company_id = $1 AND ${where} OFFSET 0)`
}

/** A query of the texts in a bound array. */
export function texts(placeholder: string): string {
  return `SELECT unnest(${placeholder}::text[]) AS value`
}

/** A filter on a column of the list's own table. */
export function onColumn<Column extends string>(column: Column, parameter: Parameter, description: string) {
  const name = snakeCase(column)
  return {
    ...{ parameter, description, column },
    matches: ({ row, bind }, value) => `${row}.${name} = ${bind(value)}`,
    entries: ({ table, bind }, value) => [
      { kind: 'inOrder', from: `${table} s`, where: `s.${name} = ${bind(value)}` },
    ],
  } satisfies Filter<string>
}

/** The same, with a parameter that may be given several times. */
export function onColumnRepeatedly<Column extends string>(
  column: Column,
  parameter: Parameter,
  description: string,
) {
  const name = snakeCase(column)
  return {
    ...{ parameter, description, column },
    repeatable: true,
    matches: ({ row, bind }, values) => `${row}.${name} = ANY(${bind(values)}::text[])`,
    entries: ({ table, bind }, values) => [each(`${table} s`, name, texts(bind(values)))],
  } satisfies Filter<readonly string[]>
}

/** A filter on the time in `updated_at`. It wants an index on that column. */
export function sinceUpdate(description: string) {
  const since = ({ bind }: FilterSql, value: string) => `updated_at >= ${bind(value)}::timestamptz`
  return {
    ...{ parameter: { kind: 'time' }, description },
    matches: (sql, value) => `${sql.row}.${since(sql, value)}`,
    entries: (sql, value) => [{ kind: 'unordered', from: `${sql.table} s`, where: `s.${since(sql, value)}` }],
  } satisfies Filter<string>
}

/** The index of the list's order, and one more in that order for each filter on a column. */
export function columnIndexes<Column extends string>(
  order: readonly Column[],
  filters: Readonly<Record<string, { readonly column?: Column }>>,
): (Column | 'companyId')[][] {
  const columns = Object.values(filters).flatMap(({ column }) => column ?? [])
  const others = columns.filter((column) => column !== order[0])
  return [
    ['companyId', ...order],
    ...others.map((column) => ['companyId' as const, column, ...order.filter((name) => name !== column)]),
  ]
}
