import { writeFileSync } from 'node:fs'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import type { Route } from '../http/kit/routing/route.ts'
import { collectSchemas, type SchemaOf } from '../http/kit/serviceRoutes/jsonSchemas.ts'
import { nameOfEnum } from '../http/namedEnums.ts'
import { routes } from '../http/routes.ts'
import { permissions } from '../identity/permissions.ts'
import { problemCodes } from '../problems/catalogue.ts'
import { clientTypesFile, generatedFile } from './paths.ts'

/**
 * Writes the operations of the API with their types, and the codes of problems: for the pages of the portal, which also
 * learn who may call what, and for the client of other programs.
 */

/** Write the file for the pages. */
export async function generate(): Promise<void> {
  writeFileSync(
    generatedFile,
    `${await typesOfOperations()}${callable}export const operations: { readonly [Id in keyof Operations]: Callable } = ${JSON.stringify(callables(), null, 1)}\n`,
  )
}

/** Write the file of the client, where the method and the path name an operation. */
async function generateForClient(): Promise<void> {
  const paths = routes.map(({ method, path, operationId, file, responses }) => {
    const type = `Operations['${operationId}']`
    const isFile = responses[200]?.mediaType !== undefined && responses[200].schema === undefined
    const blobs = [file && 'body', isFile && 'answer'].filter((member) => typeof member === 'string')
    const own =
      blobs.length > 0
        ? `Omit<${type}, '${blobs.join("' | '")}'> & Record<'${blobs.join("' | '")}', Blob>`
        : type
    return `  '${method.toUpperCase()} ${path}': ${own}`
  })
  writeFileSync(
    clientTypesFile,
    `${await typesOfOperations()}/** The operations by their method and path. */\nexport interface Paths {\n${paths.join('\n')}\n}\n`,
  )
}

async function typesOfOperations(): Promise<string> {
  const { components, schemaOf } = collectSchemas(nameOfEnum)
  const schema = {
    ...object(Object.fromEntries(routes.map((route) => [route.operationId, shapeOf(route, schemaOf)]))),
    $defs: components,
  }
  const types = await compile(withLocalReferences(schema), 'Operations', {
    additionalProperties: false,
    bannerComment: '// Written by src/portalBuild/generate.ts from the declared routes.',
    format: false,
    ignoreMinAndMaxItems: true,
  })
  return `${types}\nexport type ProblemCode = ${problemCodes.map((code) => `'${code}'`).join(' | ')}\n`
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
  /** It can answer as of an earlier time. */
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

/** The type of an operation. */
function shapeOf(route: Route, schemaOf: SchemaOf): JSONSchema {
  const { params, query, responses } = route
  const body = route.body ?? route.lines?.schema
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = answers.map(([, { schema }]) => (schema ? schemaOf(schema, 'output') : { type: 'null' }))
  return object({
    params: schemaOf(params, 'input'),
    query: schemaOf(query, 'input'),
    body: body ? schemaOf(body, 'input') : { type: 'null' },
    answer: types.length === 1 ? types[0]! : { anyOf: types },
  })
}

function object(properties: Record<string, JSONSchema>): JSONSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function withLocalReferences(schema: object): JSONSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/'))
}

if (import.meta.main) {
  await generate()
  await generateForClient()
}
