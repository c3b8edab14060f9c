import { type Coding, codingFor, compressed } from '../routing/contentCoding.ts'
import { plain } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Route } from '../routing/route.ts'

/** `document` is called at the first request, when all routes are known. Each coding of it is made once. */
export function openApiRoute(document: () => object): Route {
  let bytes: Buffer | undefined
  const byCoding = new Map<Coding, Promise<Buffer>>()
  const compressedTo = (coding: Coding, whole: Buffer) => {
    const known = byCoding.get(coding) ?? compressed(whole, coding)
    byCoding.set(coding, known)
    return known
  }
  return plain({
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Read the OpenAPI document',
    tag: 'Service',
    access: 'open',
    responses: { 200: { description: 'An OpenAPI 3.1 document.', mediaType: 'application/json' } },
    answer: async ({ req, res }) => {
      bytes ??= Buffer.from(JSON.stringify(document()))
      const coding = codingFor(req)
      const body = coding ? await compressedTo(coding, bytes) : bytes
      await send(res, { status: 200, headers: { 'Cache-Control': 'no-cache' }, body, coding })
    },
  })
}
