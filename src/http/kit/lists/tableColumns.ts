import { z } from 'zod'
import type { Cell } from '../../../lib/sheets/cells.ts'

/** The columns of a list as a table, from the schema of its records. */

export interface TableColumn {
  /** The heading: the path of the member, with dots, such as `mechanical.reHMpa`. */
  readonly heading: string
  cell(record: object): Cell
}

/** Members of an object whose names no schema fixes: the names that have a column of their own, by the object's path. */
export type NamedKeys = Readonly<Record<string, readonly string[]>>

/**
 * Return the columns of records of this schema. An object has a column for each of its members; an array is JSON in one
 * cell, and so are the members of a record without a column of their own.
 */
export function columnsOf(item: z.ZodType, keys: NamedKeys = {}): readonly TableColumn[] {
  return columnsAt(item, [], keys)
}

function columnsAt(schema: z.ZodType, path: readonly string[], keys: NamedKeys): readonly TableColumn[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([name, field]) =>
      columnsAt(field as z.ZodType, [...path, name], keys),
    )
  const named = inner instanceof z.ZodRecord ? (keys[path.join('.')] ?? []) : []
  return [...named.map((name) => columnOf([...path, name], [])), columnOf(path, named)]
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap() as z.ZodType)
  return schema
}

/** @param apart members that have columns of their own */
function columnOf(path: readonly string[], apart: readonly string[]): TableColumn {
  return {
    heading: path.join('.'),
    cell: (record) => {
      const value = path.reduce<unknown>(
        (part, step) => (part as Record<string, unknown> | null)?.[step],
        record,
      )
      return cellOf(value, apart)
    },
  }
}

function cellOf(value: unknown, apart: readonly string[]): Cell {
  if (typeof value !== 'object' || value === null) return value as Cell
  if (apart.length === 0) return JSON.stringify(value)
  const rest = Object.entries(value).filter(([name]) => !apart.includes(name))
  return rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest))
}
