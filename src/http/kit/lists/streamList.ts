import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Response } from 'express'
import type { ListQuery, Page, SortKey } from '../../../projections/engine/reading/listQuery.ts'
import type { Reader, Reading, StreamReading } from '../../../projections/engine/reading/reader.ts'
import type { Named } from '../../../projections/engine/reading/waitFor.ts'
import { cachingOf } from '../routing/caching.ts'
import { type Coding, codingFor, createCompressor } from '../routing/contentCoding.ts'
import { declareLanguage, tellingFor } from '../routing/contentLanguage.ts'
import type { Exchange } from '../routing/route.ts'

/** The list that one request reads. */
export interface ListRequest {
  /** The company that owns the list; empty if none does. */
  readonly companyId: string
  readonly reads: readonly Named[]
  /** Identifies the filters; undefined when there are none. */
  readonly filters: string | undefined
  /** The rows that the first query reads; by default `portionRows`. */
  readonly rowsAtOnce?: number | undefined
  /** The rows after the cursor of the request, if it has one. */
  rows(reading: StreamReading, page?: Page): Promise<ListQuery>
  /** The number of rows on all pages; undefined unless the request asks for it. */
  count?: (reading: StreamReading) => Promise<number>
  /** Add to a portion of rows the members that the request includes. */
  complete(reading: StreamReading, rows: readonly Row[]): Promise<readonly Row[]>
  /** @throws Refusal 404 when the record that the list belongs to is missing */
  check(reading: StreamReading): Promise<void>
}

/** A row of a list query: the record and its sort key. */
export interface Row {
  readonly sortKey: SortKey
}

/** Serialise rows as the members of a JSON array, without brackets. */
export function serialise(rows: readonly Row[], telling?: ReturnType<typeof tellingFor>): string {
  return JSON.stringify(
    rows.map(({ sortKey: _, ...record }) => record),
    telling,
  ).slice(1, -1)
}

/** The connection of a client that reads nothing for this long is closed. */
const stalledAfterMs = 5_000

/** Send portions of rows to the client. */
type SendRows = (
  res: Response,
  reading: Pick<Reading, 'position'>,
  portions: AsyncIterable<readonly Row[]>,
) => Promise<void>

/**
 * Stream a list that is too large for memory, from one snapshot of the read models, as fast as the client
 * reads. An error in mid-stream breaks the connection, so that a truncated list never looks complete.
 */
export function streamList(
  list: ListRequest,
  { res, requireAccess }: Pick<Exchange, 'res' | 'requireAccess'>,
  reader: Reader,
  sendRows: SendRows = (to, reading, portions) =>
    streamText(to, reading, jsonOf(portions, tellingFor(to.req))),
): Promise<void> {
  return reader.stream(list.companyId, list.reads, async (reading) => {
    // The request may have waited a long time for its turn.
    if (res.destroyed) return
    await requireAccess()
    await list.check(reading)
    declareLanguage(res)
    await sendRows(res, reading, portionsOf(list, reading, await list.rows(reading)))
  })
}

async function* portionsOf(
  list: ListRequest,
  reading: StreamReading,
  query: ListQuery,
): AsyncIterable<readonly Row[]> {
  for await (const rows of reading.portions<Row>(query)) yield list.complete(reading, rows)
}

async function* jsonOf(
  portions: AsyncIterable<readonly Row[]>,
  telling: ReturnType<typeof tellingFor>,
): AsyncIterable<string> {
  let before = '['
  for await (const rows of portions) {
    yield before + serialise(rows, telling)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Stream text that is read in parts. The headers are sent with the first part, so an error before it is answered. */
export async function streamText(
  res: Response,
  { position }: Pick<Reading, 'position'>,
  parts: AsyncIterable<string>,
  contentType = 'application/json',
): Promise<void> {
  res.statusCode = 200
  res.setHeader('Content-Type', contentType)
  res.setHeader('Cache-Control', cachingOf(res.req))
  res.setHeader('Read-Position', position)
  await streamBody(res, parts)
}

/** Stream a body that is read in parts. The headers are sent with the first part, so an error before it is answered. */
export async function streamBody(res: Response, parts: AsyncIterable<string | Buffer>): Promise<void> {
  res.vary('Accept-Encoding')
  const coding = codingFor(res.req)
  if (coding) res.setHeader('Content-Encoding', coding)
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  let body: { readonly into: Writable; readonly taken: Taken } | undefined
  for await (const part of parts) {
    body ??= begin(res, coding)
    if (!(await body.taken(part))) return
  }
  body?.into.end()
}

/** Send the headers: an error after this breaks the connection, although a compressor may still hold the first rows. */
function begin(res: Response, coding: Coding | undefined) {
  res.flushHeaders()
  const into = coding ? compressingInto(res, coding) : res
  return { into, taken: watchTaking(res, into) }
}

function compressingInto(res: Response, coding: Coding): Writable {
  const compressor = createCompressor(coding)
  res.once('close', () => compressor.destroy())
  compressor.once('error', () => res.destroy())
  compressor.pipe(res)
  return compressor
}

type Taken = (content: string | Buffer) => Promise<boolean>

/**
 * Write to the client. Resolve to true once it has read enough for more to be sent, to false when it has disconnected.
 */
export function watchTaking(res: Response, into: Writable = res): Taken {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  return async (content) => {
    if (res.destroyed) return false
    if (into.write(content)) return true
    const stalled = setTimeout(() => res.destroy(), stalledAfterMs)
    try {
      await once(into, 'drain', { signal: gone.signal })
      return true
    } catch {
      return false
    } finally {
      clearTimeout(stalled)
    }
  }
}
