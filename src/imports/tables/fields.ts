import type { Field, Fields, Kind, ObjectKind, ValueOf } from '../../domain/kernel/fields.ts'
import {
  celsius,
  joules,
  kilogramsPerMetre,
  type Measure,
  megapascals,
  millimetres,
  percent,
  type ReadCell,
  readDate,
  readFlag,
  readJson,
  readMeasure,
  readMembers,
  readOneOf,
  readQuantity,
  readText,
} from './cellValues.ts'
import type { ReadColumn, Recognise } from './findHeadings.ts'
import { type Heading, readHeading } from './headingNames.ts'

/** The columns of an import: the fields that a heading may name. */
export interface ColumnField {
  /** The field, and the heading of the template. */
  readonly field: string
  /** Other headings, as keys of `readHeading`. */
  readonly names: readonly string[]
  readonly read: ReadCell
  /** The quantity in the column. The heading may name another unit than the field has. */
  readonly measure?: Measure | undefined
}

/** The names and the spelling of a declared field in a table, where they do not follow from the declaration. */
interface Words<Value> {
  /** Other headings, as keys of `readHeading`, with spaces between them. */
  readonly headings?: string
  /** The words for each of its values. */
  readonly values?: Readonly<Record<Value & string, RegExp>>
  readonly read?: ReadCell
}

type WordsOf<Declared extends Fields> = {
  readonly [Name in keyof Declared]?: Words<NonNullable<ValueOf<Declared[Name]>>>
} & Readonly<Record<`${string}.${string}`, Words<unknown>>>

/** Return a column for each declared field. Those of objects and lists, which hold JSON, come last. */
export function columnsOf<Declared extends Fields>(
  fields: Declared,
  words: WordsOf<Declared>,
): readonly ColumnField[] {
  const columns = Object.entries(fields).flatMap(([name, field]) => columnsOfField(name, field, words))
  const isJson = ({ read }: ColumnField) => read === readJson || read === readMembers
  return [...columns.filter((column) => !isJson(column)), ...columns.filter(isJson)]
}

type AnyWords = Readonly<Record<string, Words<string> | undefined>>

function columnsOfField(field: string, { kind }: Field, words: AnyWords): readonly ColumnField[] {
  if (kind.is === 'object')
    return Object.entries(kind.fields).flatMap(([name, member]) =>
      columnsOfField(`${field}.${name}`, member, words),
    )
  const { headings, values = {}, read = readerOf(kind, values) } = words[field] ?? {}
  return [{ field, names: headings?.split(' ') ?? [], read, measure: measureOf(kind) }]
}

const measures = [megapascals, millimetres, joules, celsius, kilogramsPerMetre, percent]

function measureOf(kind: Kind): Measure | undefined {
  const unit = kind.is === 'number' || kind.is === 'length' ? kind.unit : undefined
  return measures.find((measure) => measure.unit === unit)
}

/** The least number that may be written with a sign between its thousands. */
const aThousand = 1_000

function readerOf(kind: Exclude<Kind, ObjectKind>, words: Readonly<Record<string, RegExp>>): ReadCell {
  switch (kind.is) {
    case 'text':
    case 'identifier':
    case 'colour':
      return readText
    case 'date':
      return readDate
    case 'flag':
      return readFlag
    case 'whole':
      return readQuantity
    case 'length':
    case 'number':
      return readMeasure({ mayHaveThousands: kind.most > aThousand })
    case 'oneOf':
      return readOneOf(kind.values, words)
    case 'numbers':
      return readMembers
    case 'variants':
    case 'list':
      return readJson
  }
}

/** Return a function that recognises the headings of these fields, and further ones by `others`. */
export function createRecogniser(
  fields: readonly ColumnField[],
  others: (heading: Heading) => ReadColumn | undefined = () => undefined,
): Recognise {
  const byKey = new Map(
    fields.flatMap((field) => [field.field, ...field.names].map((name) => [readHeading(name).key, field])),
  )
  return (text) => {
    const heading = readHeading(text)
    const column = byKey.get(heading.key)
    return column ? columnOf(column, heading) : others(heading)
  }
}

function columnOf({ field, read, measure }: ColumnField, { unit }: Heading): ReadColumn {
  const readCell = measure ? readMeasure(measure, unit) : read
  return (draft, cell, at) => readCell(draft, field, cell, at)
}
