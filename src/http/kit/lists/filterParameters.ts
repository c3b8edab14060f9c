import { createHash } from 'node:crypto'
import { z } from 'zod'
import type {
  Filter,
  Filters,
  FilterValues,
  Parameter,
  TextParameter,
  WordsParameter,
} from '../../../projections/engine/reading/filters.ts'
import { fullDate, oneOf, plainText, time } from '../schemas/fields.ts'

/** The query parameters of a list's filters. */

export function filterParameters(filters: Filters): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, parameterOf(filter)]))
}

/** Take the values of the filters from a checked query. */
export function readFilters(filters: Filters, query: Readonly<Record<string, unknown>>): FilterValues {
  const names = Object.keys(filters).filter((name) => query[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, query[name]])) as FilterValues
}

/** Identify the filters of a request, whatever their order; undefined when there are none. */
export function fingerprintOf(filterValues: FilterValues): string | undefined {
  const values = Object.entries(filterValues).sort(([a], [b]) => (a < b ? -1 : 1))
  if (values.length === 0) return undefined
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16)
}

/** Return the schema of a query parameter. */
export function parameterOf({
  parameter,
  repeatable,
  description,
}: Pick<Filter, 'parameter' | 'repeatable' | 'description'>): z.ZodType {
  const { schema, as } = schemaOf(parameter)
  if (!repeatable) return schema.optional().meta({ as, description })
  const values = z
    .array(schema)
    .transform((given) => [...new Set(given)].sort())
    .optional()
  return z
    .preprocess((given) => (given === undefined ? given : [given].flat()), values)
    .meta({ as: { type: 'array', items: as }, description })
}

/** A value's schema, and its JSON Schema. */
function schemaOf(parameter: Parameter): { schema: z.ZodType; as: Record<string, unknown> } {
  switch (parameter.kind) {
    case 'id':
      return { schema: z.guid('must be a UUID').toLowerCase(), as: { type: 'string', format: 'uuid' } }
    case 'boolean':
      return {
        schema: z.enum(['true', 'false'], 'must be true or false').transform((given) => given === 'true'),
        as: { type: 'boolean' },
      }
    case 'date':
      return { schema: fullDate, as: { type: 'string', format: 'date' } }
    case 'time':
      return { schema: time, as: { type: 'string', format: 'date-time' } }
    case 'oneOf':
      return { schema: oneOf(parameter.values), as: { type: 'string', enum: parameter.values } }
    case 'text':
      return { schema: textOf(parameter), as: textAs(parameter) }
    case 'words':
      return { schema: wordsOf(parameter), as: textAs(parameter) }
  }
}

function textAs({ most }: TextParameter | WordsParameter): Record<string, unknown> {
  return { type: 'string', minLength: 1, maxLength: most }
}

/** In the order given: a heat number may consist of several words. */
function wordsOf({ most, mostWords, read }: WordsParameter): z.ZodType {
  return plainText(most)
    .transform((given) => read(given))
    .refine((words) => words.length > 0, 'must have a word')
    .refine((words) => words.length <= mostWords, `must have at most ${mostWords} words`)
}

function textOf({ most, read = (same) => same, otherwise = '' }: TextParameter): z.ZodType {
  return plainText(most).transform((given, context) => {
    const value = read(given)
    if (value === '') context.addIssue({ code: 'custom', message: otherwise })
    return value
  })
}
