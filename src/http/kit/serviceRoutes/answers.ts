import type { DeclaredResponse, Route } from '../routing/route.ts'
import { headerReferences } from '../schemas/responseHeaders.ts'
import { rawContent, schemaIn } from './contents.ts'
import type { Json, SchemaOf } from './jsonSchemas.ts'
import type { Named } from './sharedParts.ts'

/**
 * Return the answers of an operation that are no problems, by status. One in a component has the name of its status and
 * schema, such as `200.Certificate`.
 */
export function answersOf(route: Route, schemaOf: SchemaOf): [status: string, answer: Named][] {
  return Object.entries(route.responses).map(([status, response]) => {
    const { description, headers } = response
    const answer = {
      description,
      ...(headers && { headers: headerReferences(headers) }),
      ...contentOf(response, schemaOf),
    }
    return [status, [[status, ...schemaNames(answer)].join('.'), answer]]
  })
}

function contentOf(response: DeclaredResponse, schemaOf: SchemaOf): { content?: Json } {
  const { schema, mediaType, alternatives = [] } = response
  if (!schema && !mediaType) return {}
  return {
    content: Object.fromEntries([
      ...[mediaType ?? 'application/json']
        .flat()
        .map((type) => [
          type,
          { schema: schema ? schemaIn(type, schemaOf(schema, 'output')) : rawContent(type) },
        ]),
      ...alternatives.map((type) => [type, { schema: rawContent(type) }]),
    ]),
  }
}

function schemaNames({ content }: { readonly content?: Json }): string[] {
  const references = JSON.stringify(content ?? {}).matchAll(/#\/components\/schemas\/([^"]+)/g)
  return [...new Set([...references].map(([, name]) => name!))]
}
