import { plain } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Route } from '../routing/route.ts'

/** `document` is called at the first request, when all routes are known. */
export function openApiRoute(document: () => object): Route {
  let bytes: Buffer | undefined
  return plain({
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Read the OpenAPI document',
    tag: 'Service',
    access: 'open',
    responses: { 200: { description: 'An OpenAPI 3.1 document.', mediaType: 'application/json' } },
    answer: async ({ res }) => {
      bytes ??= Buffer.from(JSON.stringify(document()))
      send(res, { status: 200, headers: { 'Cache-Control': 'no-cache' }, body: bytes })
    },
  })
}
