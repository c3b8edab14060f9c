import { type Coding, codingFor, compress } from '../routing/contentCoding.ts'
import { plainRoute } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Route } from '../routing/route.ts'

export interface OpenApiDocuments {
  /** The address where callers get tokens, as far as it is known. */
  readonly tokenUrl: () => string | undefined
  /** Build the document. It is called at the first request, when all routes are known. */
  readonly document: (tokenUrl: string | undefined) => object
}

/** Each coding of the document is made once, and again when another address for tokens becomes known. */
export function openApiRoute({ tokenUrl, document }: OpenApiDocuments): Route {
  let made: { readonly tokenUrl: string | undefined; readonly inCoding: InCoding } | undefined
  return plainRoute({
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Read the OpenAPI document',
    tag: 'Service',
    access: 'open',
    responses: { 200: { description: 'An OpenAPI 3.1 document.', mediaType: 'application/json' } },
    answer: async ({ req, res }) => {
      const present = tokenUrl()
      if (!made || made.tokenUrl !== present)
        made = { tokenUrl: present, inCoding: codingsOf(Buffer.from(JSON.stringify(document(present)))) }
      const coding = codingFor(req)
      const body = await made.inCoding(coding)
      const headers = { 'Cache-Control': 'no-cache', 'Content-Language': 'en' }
      await send(res, { status: 200, headers, body, coding })
    },
  })
}

type InCoding = (coding: Coding | undefined) => Promise<Buffer>

function codingsOf(whole: Buffer): InCoding {
  const byCoding = new Map<Coding, Promise<Buffer>>()
  return async (coding) => {
    if (!coding) return whole
    const compressed = byCoding.get(coding) ?? compress(whole, coding)
    byCoding.set(coding, compressed)
    return compressed
  }
}
