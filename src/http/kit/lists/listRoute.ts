import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Refusal } from '../../../domain/refusal.ts'
import type { ListQuery, Page } from '../../../projections/reading/listQuery.ts'
import type { ReadValue } from '../../../projections/reading/readCache.ts'
import { portionRows, type Reading, type StreamReading } from '../../../projections/reading/reader.ts'
import { validationFailed } from '../problem.ts'
import { alreadyHas } from '../routing/conditional.ts'
import { minPosition, type ReadDeclaration, untilReached } from '../routing/readRoute.ts'
import { send } from '../routing/respond.ts'
import { type Exchange, type Input, paramsOf, type Route } from '../routing/route.ts'
import type { SerialisedList, Services } from '../services.ts'
import { nextLink, notACursor, type PageParameters, pageParameters, type SortKey } from './page.ts'
import { type AskedList, type Row, serialised, streamList } from './streamList.ts'

/** Longer lists are streamed and not kept in memory. */
const maxListBytes = 4 * 1_048_576
/** A page ends early when it reaches this size. */
const maxPageBytes = 16 * 1_048_576

export interface ListDeclaration<Path extends string, Query extends z.ZodObject>
  extends ReadDeclaration<Path, Query> {
  /** Query one page of rows, each with its `sortKey`. */
  readonly rows: (
    reading: Reading,
    input: Input<Path, z.output<Query>, undefined>,
    page: Page | undefined,
    services: Services,
  ) => ListQuery
  /** Includes state that is not in any event, so it is never cached. */
  readonly alwaysRead?: boolean
  /** The schema of the sort keys; it validates cursors. */
  readonly sortKey: z.ZodType<SortKey>
  /** The record that the list belongs to. If it is missing, the answer is 404. */
  readonly within?: {
    readonly find: (reading: Reading, input: Input<Path, z.output<Query>, undefined>) => ListQuery
    readonly missing: (input: Input<Path, z.output<Query>, undefined>) => Refusal
  }
  readonly item: z.ZodType
}

/** Declare a route that reads a list, or one page of it. */
export function list<
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(declaration: ListDeclaration<Path, Query>): Route {
  return {
    ...declaration,
    method: 'get',
    params: paramsOf(declaration),
    query: z.strictObject({
      ...(declaration.query?.shape ?? {}),
      ...pageParameters(declaration.sortKey),
    }),
    headers: z.object({
      'min-position': minPosition,
      'if-none-match': z.string().optional().describe('304 when the list still has one of these ETags.'),
    }),
    body: undefined,
    responses: {
      200: {
        description: 'The list.',
        schema: z.array(declaration.item),
        headers: ['ETag', 'Read-Position', 'Link'],
      },
      304: { description: 'The list has not changed since the ETag in If-None-Match.' },
    },
    problems: declaration.within ? [404] : [],
    async answer(exchange, services) {
      const asked = askedFor(declaration as unknown as AnyList, exchange, services)
      await untilReached(services, declaration.reads, exchange.headers['min-position'])
      try {
        await answerList(asked, exchange, services, declaration.alwaysRead)
      } catch (error) {
        throw isForged(error, exchange) ? validationFailed([notACursor]) : error
      }
    },
  }
}

async function answerList(
  asked: AskedList,
  exchange: Exchange,
  services: Services,
  alwaysRead = false,
): Promise<void> {
  const { limit, cursor } = exchange.query as PageParameters
  if (limit !== undefined) return sendPage(asked, exchange, services)
  const whole = cursor || alwaysRead ? await read(asked, services) : await readOnce(asked, exchange, services)
  if (whole.value === 'large') return streamList(asked, exchange.res, services.reader)
  sendList(exchange, { ...whole.value, position: whole.position })
}

/** A forged cursor may pass its schema and still hold values that PostgreSQL refuses. */
function isForged(error: unknown, { query }: Exchange): boolean {
  return query.cursor !== undefined && /^22/.test(String((error as { code?: unknown }).code))
}

type AnyList = ListDeclaration<string, z.ZodObject>

function askedFor(
  declaration: AnyList,
  { params, query, principal }: Exchange,
  services: Services,
): AskedList {
  const input = { params, query, body: undefined, principal: principal! }
  const { rows, within, reads } = declaration
  return {
    companyId: params.companyId ?? '',
    reads,
    rows: (reading, page = {}) =>
      rows(reading, input, { ...page, after: page.after ?? (query.cursor as SortKey) }, services),
    check: async (reading) => {
      if (!within) return
      const [found] = await reading.query(within.find(reading, input))
      if (!found) throw within.missing(input)
    },
  }
}

async function sendPage(asked: AskedList, exchange: Exchange, services: Services): Promise<void> {
  const limit = exchange.query.limit as number
  const { value, position } = await services.reader.read(asked.reads, async (reading) => {
    await asked.check(reading)
    const parts: string[] = []
    let room = limit
    let bytes = 0
    let last: Row | undefined
    // One row more than the limit shows whether there is a next page.
    for await (const rows of portionsOf(asked, reading, limit + 1)) {
      if (room === 0 || bytes > maxPageBytes) return { parts, next: last }
      const page = rows.slice(0, room)
      const part = serialised(page)
      parts.push(part)
      bytes += Buffer.byteLength(part)
      room -= page.length
      last = page.at(-1)
      if (page.length < rows.length) return { parts, next: last }
    }
    return { parts, next: undefined }
  })
  const next = value.next && nextLink(exchange.req.originalUrl, value.next.sortKey)
  sendList(exchange, { ...withEtag(Buffer.from(`[${value.parts.join(',')}]`)), position, next })
}

/** Return the whole list, from memory if it has not changed. */
function readOnce(
  asked: AskedList,
  { route, params, query }: Exchange,
  services: Services,
): Promise<ReadValue<SerialisedList | 'large'>> {
  const { companyId } = params
  if (companyId === undefined) return read(asked, services)
  const name = JSON.stringify([route.operationId, params, query])
  return services.lists.get({ companyId, name, reads: asked.reads }, () => read(asked, services))
}

/** Return the whole list, or `large` if it is too large to keep. */
function read(asked: AskedList, { reader }: Services): Promise<ReadValue<SerialisedList | 'large'>> {
  return reader.read(asked.reads, async (reading) => {
    await asked.check(reading)
    const parts: string[] = []
    let bytes = 2
    for await (const rows of portionsOf(asked, reading)) {
      const part = serialised(rows)
      bytes += Buffer.byteLength(part) + 1
      if (bytes > maxListBytes) return 'large'
      parts.push(part)
    }
    return withEtag(Buffer.from(`[${parts.join(',')}]`))
  })
}

/** Most lists are one portion, for which a query is all it takes; what follows comes as it does in a stream. */
async function* portionsOf(
  asked: AskedList,
  reading: StreamReading,
  limit = Number.POSITIVE_INFINITY,
): AsyncIterable<Row[]> {
  const first = await reading.query<Row>(asked.rows(reading, { limit: Math.min(limit, portionRows) }))
  if (first.length > 0) yield first
  const last = first.at(-1)
  if (!last || first.length < portionRows || limit <= portionRows) return
  const rest = Number.isFinite(limit) ? { limit: limit - portionRows } : {}
  yield* reading.portions<Row>(asked.rows(reading, { after: last.sortKey, ...rest }))
}

function withEtag(bytes: Buffer): SerialisedList {
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
  }
}

function sendList(
  { req, res }: Exchange,
  { bytes, etag, position, next }: SerialisedList & { position: number; next?: string | undefined },
): void {
  const unchanged = alreadyHas(req.headers['if-none-match'], etag)
  send(res, {
    status: unchanged ? 304 : 200,
    headers: { 'Cache-Control': 'private, no-cache', 'Read-Position': position, ETag: etag, Link: next },
    body: unchanged ? undefined : bytes,
  })
}
