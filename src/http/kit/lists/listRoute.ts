import { z } from 'zod'
import type { ProblemCode } from '../../../problems/catalogue.ts'
import type { Filters, FilterValues } from '../../../projections/engine/reading/filters.ts'
import type { ListQuery, Page, SortKey } from '../../../projections/engine/reading/listQuery.ts'
import type { ReadValue } from '../../../projections/engine/reading/readCache.ts'
import { portionRows, type Reading, type StreamReading } from '../../../projections/engine/reading/reader.ts'
import { validationFailed } from '../problem.ts'
import { asOfHeaders, asOfParameter, type Past, resolveAsOf } from '../routing/asOf.ts'
import { type Coding, codingFor, compressed, leastBytes } from '../routing/contentCoding.ts'
import { etagOfBody } from '../routing/etags.ts'
import { waitUntilReached } from '../routing/minPosition.ts'
import {
  type Missing,
  missingRecord,
  type ReadDeclaration,
  readHeaders,
  sendRead,
  unchanged,
} from '../routing/readRoute.ts'
import { type Exchange, type Input, paramsOf, type Route, type WholeTable } from '../routing/route.ts'
import type { SerialisedList, Services } from '../services.ts'
import { filterParameters, fingerprintOf, readFilters } from './filterParameters.ts'
import { type Inclusions, includedIn, includeParameter, withMembers } from './inclusions.ts'
import { nextLink, notACursor, ofOtherFilters, type PageParameters, pageParameters } from './page.ts'
import { type AskedList, type Row, serialised, streamList } from './streamList.ts'
import {
  type AskedTable,
  csvHeading,
  csvRows,
  nameTable,
  negotiateTable,
  separatorParameter,
  streamTable,
  tableBytes,
  tableTypes,
} from './tableAnswer.ts'
import { columnsOf, type NamedKeys } from './tableColumns.ts'

/** Longer lists are streamed and not kept in memory. */
const maxListBytes = 4 * 1_048_576
/** A page ends early when it reaches this size. */
const maxPageBytes = 16 * 1_048_576

export interface ListDeclaration<Path extends string, Query extends z.ZodObject>
  extends ReadDeclaration<Path, Query> {
  /** The filters of the list; none unless declared. */
  readonly filters?: Filters
  /** Members that the records have only on request; none unless declared. */
  readonly inclusions?: Inclusions
  /** Query one page of rows, each with its `sortKey`. */
  readonly rows: (
    reading: Reading,
    input: ListInput<Path, z.output<Query>>,
    page: Page | undefined,
    services: Pick<Services, 'rules' | 'ownRules'>,
  ) => ListQuery | Promise<ListQuery>
  /** Includes state that is not in any event, so it is never cached. */
  readonly alwaysRead?: boolean
  /** The schema of the sort keys; it validates cursors. */
  readonly sortKey: z.ZodType<SortKey>
  /** The record that the list belongs to. If it is missing, the answer is 404. */
  readonly within?: {
    readonly find: (reading: Reading, input: Input<Path, z.output<Query>, undefined>) => ListQuery
    readonly missing: Missing<Path>
  }
  readonly item: z.ZodType
  /** Columns of a table for members that the schema does not name. */
  readonly namedKeys?: NamedKeys
  /** The filters that show every record, if the list leaves out some unless asked. */
  readonly everything?: FilterValues
  /** Problem codes beyond those of every list. */
  readonly problems?: readonly ProblemCode[]
}

export interface ListInput<Path extends string, Query> extends Input<Path, Query, undefined> {
  /** The values of the filters. */
  readonly asked: FilterValues
}

/** Declare a route that reads a list, or one page of it. */
export function listRoute<
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(declaration: ListDeclaration<Path, Query>): Route {
  return {
    ...declaration,
    method: 'get',
    table: wholeTable(declaration as unknown as AnyList),
    params: paramsOf(declaration),
    query: z.strictObject({
      ...(declaration.query?.shape ?? {}),
      ...filterParameters(declaration.filters ?? {}),
      ...includeParameter(declaration.inclusions),
      ...pageParameters(declaration.sortKey),
      ...separatorParameter,
      ...asOfParameter(declaration),
    }),
    headers: readHeaders,
    body: undefined,
    responses: {
      200: {
        description: 'The list.',
        schema: z.array(declaration.item),
        alternatives: tableTypes,
        headers: ['ETag', 'Read-Position', 'Link', ...asOfHeaders(declaration)],
      },
      304: unchanged,
    },
    problems: [
      'too-many-large-reads',
      ...(declaration.within ? [declaration.within.missing.code] : []),
      ...(declaration.problems ?? []),
    ],
    async answer(exchange, services) {
      const wanted = prepareList(declaration as unknown as AnyList, exchange, services)
      const table = negotiateTable(exchange, () => columnsOf(declaration.item, declaration.namedKeys))
      exchange.res.vary('Accept')
      await waitUntilReached(services, wanted.reads, exchange.headers['min-position'])
      const past = await resolveAsOf(exchange, services, wanted.reads)
      const asked = past ? listAsOf(wanted, past) : wanted
      const alwaysRead = declaration.alwaysRead || past !== undefined
      try {
        await answerList(asked, exchange, services, { alwaysRead, table, past })
      } catch (error) {
        throw isForged(error, exchange) ? validationFailed([notACursor]) : error
      }
    },
  }
}

/** Return how the whole list of a company is written as CSV. */
function wholeTable({ reads, hasAsOf = false, ...declaration }: AnyList): WholeTable {
  const { rows, everything = {}, item, namedKeys } = declaration
  return {
    reads,
    hasAsOf,
    heading: () => csvHeading({ columns: columnsOf(item, namedKeys) }),
    async *portions(reading, companyId, services, after) {
      // No list of a company depends on its reader.
      const input = { params: { companyId }, query: {}, asked: everything, body: undefined }
      const query = await rows(reading, input as unknown as Parameters<typeof rows>[1], { after }, services)
      const columns = columnsOf(item, namedKeys)
      for await (const some of reading.portions<Row>(query))
        yield { lines: csvRows({ columns }, some), last: some.at(-1)!.sortKey }
    },
  }
}

interface Manner {
  readonly alwaysRead: boolean
  /** Undefined: as JSON. */
  readonly table: AskedTable | undefined
  /** Undefined: the present. */
  readonly past: Past | undefined
}

async function answerList(
  asked: AskedList,
  exchange: Exchange,
  services: Services,
  { alwaysRead, table, past }: Manner,
): Promise<void> {
  const { req, res } = exchange
  const { limit, cursor } = exchange.query as PageParameters
  const readAnew = () => (limit === undefined ? read(asked, services) : readPage(asked, limit, services))
  const coding = table ? undefined : codingFor(req)
  const { value, position } =
    cursor || alwaysRead ? await readAnew() : await readOnce(asked, exchange, services, { readAnew, coding })
  if (table) nameTable(table, req, res)
  if (value === 'large')
    return streamList(asked, exchange, services.reader, table && ((...parts) => streamTable(table, ...parts)))
  const { next, ...list } = value
  const after = next && nextLink(req.originalUrl, { after: next, filters: asked.filters }, past?.position)
  const shown = table ? await asTable(table, list) : list
  await sendRead(exchange, { ...shown, position, next: after })
}

async function asTable(table: AskedTable, { bytes }: SerialisedList): Promise<SerialisedList> {
  const written = await tableBytes(table, JSON.parse(bytes.toString()))
  return { bytes: written, etag: etagOfBody(written) }
}

/** A forged cursor may pass its schema and still hold values that PostgreSQL refuses. */
function isForged(error: unknown, { query }: Exchange): boolean {
  return query.cursor !== undefined && /^22/.test(String((error as { code?: unknown }).code))
}

type AnyList = ListDeclaration<string, z.ZodObject>

/** @throws Problem 400 when the cursor belongs to a list with other filters */
function prepareList(
  declaration: AnyList,
  { params, query, principal }: Exchange,
  services: Services,
): AskedList {
  const { rows, within, filters = {} } = declaration
  const { cursor } = query as PageParameters
  const asked = readFilters(filters, query)
  const fingerprint = fingerprintOf(asked)
  if (cursor && cursor.filters !== fingerprint) throw validationFailed([ofOtherFilters])
  const input = { params, query, asked, body: undefined, principal: principal! }
  const included = includedIn(declaration.inclusions, query)
  return {
    companyId: params.companyId ?? '',
    reads: [...new Set([declaration, ...included].flatMap(({ reads }) => reads))],
    filters: fingerprint,
    rows: async (reading, page = {}) =>
      rows(reading, input, { ...page, after: page.after ?? cursor?.after }, services),
    complete: (reading, rows) => withMembers(included, reading, params, rows),
    check: async (reading) => {
      if (!within) return
      const [found] = await reading.query(within.find(reading, input))
      if (!found) throw missingRecord(within.missing, params)
    },
  }
}

function listAsOf(asked: AskedList, past: Past): AskedList {
  return {
    ...asked,
    rows: (reading, page) => asked.rows(past.of(reading), page),
    complete: (reading, rows) => asked.complete(past.of(reading), rows),
    check: (reading) => asked.check(past.of(reading)),
  }
}

function readPage(asked: AskedList, limit: number, { reader }: Services): Promise<ReadValue<SerialisedList>> {
  return reader.read(asked.reads, async (reading) => {
    await asked.check(reading)
    // One row more than the limit shows whether there is a next page.
    const query = await asked.rows(reading, { limit: limit + 1 })
    const portions = limit <= portionRows ? [await reading.query<Row>(query)] : reading.portions<Row>(query)
    const parts: string[] = []
    const pageBefore = (next: SortKey | undefined) => ({ ...serialisedList(parts), next })
    let room = limit
    let bytes = 0
    let last: Row | undefined
    for await (const rows of portions) {
      if (room === 0 || bytes > maxPageBytes) return pageBefore(last?.sortKey)
      const page = rows.slice(0, room)
      if (page.length === 0) break
      const part = serialised(await asked.complete(reading, page))
      parts.push(part)
      bytes += Buffer.byteLength(part)
      room -= page.length
      last = page.at(-1)
      if (page.length < rows.length) return pageBefore(last?.sortKey)
    }
    return pageBefore(undefined)
  })
}

/**
 * Return the list or its first page, from memory if it has not changed. Each coding that callers ask for is kept beside
 * the list, so that it is compressed once.
 */
function readOnce(
  asked: AskedList,
  { route, params, query: { separator: _, ...query } }: Exchange,
  services: Services,
  {
    readAnew,
    coding,
  }: { readAnew: () => Promise<ReadValue<SerialisedList | 'large'>>; coding: Coding | undefined },
): Promise<ReadValue<SerialisedList | 'large'>> {
  const { companyId } = params
  if (companyId === undefined) return readAnew()
  const name = JSON.stringify([route.operationId, params, query])
  const { reads } = asked
  const isWhole = JSON.stringify(query) === '{}'
  const lists = isWhole ? services.lists : services.filteredLists
  const asIs = () => lists.get({ companyId, name, reads }, readAnew)
  if (!coding) return asIs()
  return lists.get({ companyId, name: `${coding} ${name}`, reads }, async () => {
    const { value, position } = await asIs()
    return { value: value === 'large' ? value : await compressedList(value, coding), position }
  })
}

async function compressedList(list: SerialisedList, coding: Coding): Promise<SerialisedList> {
  if (list.bytes.length < leastBytes) return list
  return { ...list, bytes: await compressed(list.bytes, coding), coding }
}

/** Return the whole list, or `large` if it is too large to keep. */
function read(asked: AskedList, { reader }: Services): Promise<ReadValue<SerialisedList | 'large'>> {
  return reader.read(asked.reads, async (reading) => {
    await asked.check(reading)
    const parts: string[] = []
    let bytes = 2
    for await (const rows of portionsOf(asked, reading)) {
      const part = serialised(await asked.complete(reading, rows))
      bytes += Buffer.byteLength(part) + 1
      if (bytes > maxListBytes) return 'large'
      parts.push(part)
    }
    return serialisedList(parts)
  })
}

/** Most lists are one portion, for which a query is all it takes; what follows comes as it does in a stream. */
async function* portionsOf(asked: AskedList, reading: StreamReading): AsyncIterable<Row[]> {
  const first = await reading.query<Row>(await asked.rows(reading, { limit: portionRows }))
  if (first.length > 0) yield first
  const last = first.at(-1)
  if (!last || first.length < portionRows) return
  yield* reading.portions<Row>(await asked.rows(reading, { after: last.sortKey }))
}

function serialisedList(parts: readonly string[]): SerialisedList {
  const bytes = Buffer.from(`[${parts.join(',')}]`)
  return { bytes, etag: etagOfBody(bytes) }
}
