import type { Projection } from '../projection.ts'
import { snakeCase } from '../schema/sql.ts'
import type { Reading } from './reader.ts'

/**
 * A filter is declared once, beside the query of its list. The query parameter with its checks, its part of the
 * OpenAPI document, the check of cursors and the SQL follow from the declaration. So does the index, if the filter
 * compares a column of the list's own table.
 */

/** How a request writes a value. */
export type Parameter =
  | { readonly kind: 'id' | 'boolean' | 'date' | 'time' }
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

type FilterValue = string | boolean | readonly string[]

export interface Filter<Value extends FilterValue = never> {
  readonly parameter: Parameter
  readonly description: string
  /** The parameter may be given several times. A row matches if it has one of the values. */
  readonly repeatable?: boolean
  /** The column of the list's own table that is compared, for `columnIndexes`. */
  readonly column?: string
  /** The read models that the filter looks into, beside those of its list. */
  readonly reads?: readonly Projection[]
  /** SQL: whether a row of the list matches. The filter may query first which values to compare. */
  readonly matches: (sql: FilterSql, value: Value) => string | Promise<string>
}

export type Filters = Readonly<Record<string, Filter>>
/** The values of a request, by the names of the filters. */
export type FilterValues = Readonly<Record<string, FilterValue | undefined>>

/** A filter that a request uses. */
export interface Wanted {
  readonly filter: Filter
  readonly value: FilterValue
}

/** The names that the SQL of a filter may use. `$1` is the company. */
export interface FilterSql {
  readonly reading: Reading
  readonly companyId: string
  /** The alias of the list's rows. */
  readonly row: string
  /** Return the placeholder of a value. */
  bind(value: unknown): string
}

/** @param values the values of `$1`, `$2` and so on, which the SQL may name */
export function createBinder(
  names: Omit<FilterSql, 'bind'>,
  values: unknown[],
): FilterSql & { readonly values: readonly unknown[] } {
  return { ...names, values, bind: (value) => `$${values.push(value)}` }
}

/** Return the filters that a request uses. */
export function wantedOf(filters: Filters, filterValues: FilterValues): readonly Wanted[] {
  return Object.entries(filters).flatMap(([name, filter]) => {
    const value = filterValues[name]
    return value === undefined ? [] : [{ filter, value }]
  })
}

/** Return the SQL condition of each of these filters. */
export async function matchesOf(sql: FilterSql, wanted: readonly Wanted[]): Promise<string[]> {
  const conditions: string[] = []
  for (const { filter, value } of wanted) conditions.push(await filter.matches(sql, value as never))
  return conditions
}

/** A filter on a column of the list's own table. */
export function onColumn<Column extends string>(column: Column, parameter: Parameter, description: string) {
  const name = snakeCase(column)
  return {
    parameter,
    description,
    column,
    matches: ({ row, bind }, value) => `${row}.${name} = ${bind(value)}`,
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
    parameter,
    description,
    column,
    repeatable: true,
    matches: ({ row, bind }, values) => `${row}.${name} = ANY(${bind(values)}::text[])`,
  } satisfies Filter<readonly string[]>
}

/** A filter on the time in `updated_at`, for `columnIndexes`. */
export function sinceUpdate(description: string) {
  return {
    parameter: { kind: 'time' },
    description,
    matches: ({ row, bind }, value) => `${row}.updated_at >= ${bind(value)}::timestamptz`,
  } satisfies Filter<string>
}

/**
 * The index of the list's order, one more in that order for each filter on a column, and one by `updatedAt`. The time is
 * in the first index, too, so that PostgreSQL passes over rows before a time without looking at them.
 */
export function columnIndexes<Column extends string>(
  order: readonly Column[],
  filters: Readonly<Record<string, { readonly column?: Column }>>,
): (Column | 'companyId' | 'updatedAt')[][] {
  const columns = Object.values(filters).flatMap(({ column }) => column ?? [])
  const others = columns.filter((column) => column !== order[0])
  return [
    ['companyId', ...order, 'updatedAt'],
    ...others.map((column) => ['companyId' as const, column, ...order.filter((name) => name !== column)]),
    ['companyId', 'updatedAt'],
  ]
}
