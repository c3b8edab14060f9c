import type { z } from 'zod'
import { headerName } from '../body/validate.ts'
import type { Route } from '../routing/route.ts'
import type { SchemaOf } from './jsonSchemas.ts'
import type { Named } from './sharedParts.ts'

/** Return the parameters of an operation in the OpenAPI document, each named by its place, such as `limit.query`. */
export function parametersOf({ params, query, headers }: Route, schemaOf: SchemaOf): Named[] {
  return [
    ...parametersIn('path', params, schemaOf),
    ...parametersIn('query', query, schemaOf),
    ...parametersIn('header', headers, schemaOf),
  ]
}

function parametersIn(
  where: 'path' | 'query' | 'header',
  { shape }: z.ZodObject,
  schemaOf: SchemaOf,
): Named[] {
  return Object.entries(shape).map(([member, schema]) => {
    const name = where === 'header' ? headerName(member) : member
    const { description, ...own } = schemaOf(schema as z.ZodType, 'input')
    const parameter = {
      name,
      in: where,
      ...(!(schema as z.ZodType).safeParse(undefined).success && { required: true }),
      ...(description !== undefined && { description }),
      schema: own,
    }
    return [`${name}.${where}`, parameter]
  })
}
