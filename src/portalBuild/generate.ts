import { writeFileSync } from 'node:fs'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { openApiDocument } from '../http/kit/serviceRoutes/openapi.ts'
import { routes } from '../http/routes.ts'
import { permissions } from '../identity/permissions.ts'
import { problemCodes } from '../problems/catalogue.ts'
import { generatedFile } from './paths.ts'

/**
 * Writes a file for the pages of the portal: the operations of the API with their types and permissions, and the codes
 * of problems.
 */

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: JSONSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JSONSchema }>> }
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: JSONSchema }>> }>>
}

export async function generate(): Promise<void> {
  const { paths, components } = openApiDocument(routes, '') as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, JSONSchema> }
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const schema = {
    ...object(Object.fromEntries(operations.map((one) => [one.operationId, shapeOf(one)]))),
    $defs: components.schemas,
  }
  const types = await compile(withLocalReferences(schema), 'Operations', {
    additionalProperties: false,
    bannerComment: '// Written by src/portalBuild/generate.ts from the declared routes.',
    format: false,
    ignoreMinAndMaxItems: true,
  })
  writeFileSync(
    generatedFile,
    `${types}\nexport type ProblemCode = ${problemCodes.map((code) => `'${code}'`).join(' | ')}\n${callable}export const operations: { readonly [Id in keyof Operations]: Callable } = ${JSON.stringify(callables(), null, 1)}\n`,
  )
}

const callable = `export interface Callable {
  readonly method: string
  readonly path: string
  /** The roles in the company that may call it. Without any, every caller may. */
  readonly roles?: readonly string[]
  /** The platform role that may call it. */
  readonly platform?: string
  /** It takes an Idempotency-Key. */
  readonly takesKey?: boolean
  /** It can answer as of a moment of the past. */
  readonly takesAsOf?: boolean
  /** It takes a file of one of these media types. */
  readonly file?: { readonly mediaTypes: readonly string[]; readonly maxBytes: number }
}
`

/** Return each operation's method and path, who may call it, and which files it takes. */
function callables() {
  return Object.fromEntries(
    routes.map(({ operationId, method, path, access, query, headers, file }) => [
      operationId,
      {
        method: method.toUpperCase(),
        path,
        ...(typeof access === 'object' && 'company' in access && { roles: permissions[access.company] }),
        ...(typeof access === 'object' && 'platform' in access && { platform: access.platform }),
        ...('idempotency-key' in headers.shape && { takesKey: true }),
        ...('asOf' in query.shape && { takesAsOf: true }),
        ...(file && { file }),
      },
    ]),
  )
}

function shapeOf({ parameters, requestBody, responses }: Operation): JSONSchema {
  const within = (where: string) => parameters.filter((one) => one.in === where)
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const answer = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content ? Object.values(content).map(({ schema }) => schema) : [],
  )[0]
  return object({
    params: parametersOf(within('path')),
    query: parametersOf(within('query')),
    body: Object.values(requestBody?.content ?? {})[0]?.schema ?? { type: 'null' },
    answer: answer ?? { type: success ? 'null' : 'object' },
  })
}

function parametersOf(list: Operation['parameters']): JSONSchema {
  const required = list.filter((one) => one.required).map(({ name }) => name)
  return { ...object(Object.fromEntries(list.map(({ name, schema }) => [name, schema]))), required }
}

function object(properties: Record<string, JSONSchema>): JSONSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function withLocalReferences(schema: object): JSONSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/'))
}

if (import.meta.main) await generate()
