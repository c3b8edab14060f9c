import type { Field, Fields, Kind, ValueOf } from '../../../domain/kernel/fields.ts'
import { boolean, type Column, date, double, integer, json, nullable, text } from '../projection.ts'

const columnOfKind: Readonly<Record<Kind['is'], Column>> = {
  text,
  identifier: text,
  colour: text,
  oneOf: text,
  date,
  flag: boolean,
  whole: integer,
  number: double,
  length: double,
  numbers: json(),
  object: json(),
  variants: json(),
  list: json(),
}

/** Return a column for each of the declared fields. */
export function fieldColumns<Declared extends Fields>(
  fields: Declared,
): { readonly [Name in keyof Declared]: Column<ValueOf<Declared[Name]>> } {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, columnOf(field)])) as never
}

function columnOf({ kind, isNullable }: Field): Column {
  const column = columnOfKind[kind.is]
  return isNullable ? nullable(column) : column
}
