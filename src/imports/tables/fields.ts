import { millimetresPer } from '../certificates/words.ts'
import { type ReadCell, readQuantity } from './cellValues.ts'
import { type Heading, readHeading } from './headingNames.ts'
import type { ReadColumn, Recognise } from './headings.ts'

/** The columns of an import: the fields that a heading may name. */
export interface ColumnField {
  /** The field, and the heading of the template. */
  readonly field: string
  /** Other headings, as keys of `readHeading`. */
  readonly names: readonly string[]
  readonly read: ReadCell
  /** The column holds a length; its heading may name another unit than mm. */
  readonly isLength?: boolean
}

/** Return a function that recognises the headings of these fields, and further ones by `others`. */
export function recogniser(
  fields: readonly ColumnField[],
  others: (heading: Heading) => ReadColumn | undefined = () => undefined,
): Recognise {
  const byKey = new Map(
    fields.flatMap((field) => [field.field, ...field.names].map((name) => [readHeading(name).key, field])),
  )
  return (text) => {
    const heading = readHeading(text)
    const found = byKey.get(heading.key)
    return found ? columnOf(found, heading) : others(heading)
  }
}

function columnOf({ field, read, isLength }: ColumnField, { unit }: Heading): ReadColumn {
  const factor = isLength && unit !== undefined ? (millimetresPer(unit) ?? 1) : 1
  const readCell = factor === 1 ? read : readQuantity(factor)
  return (draft, cell, at) => readCell(draft, field, cell, at)
}
