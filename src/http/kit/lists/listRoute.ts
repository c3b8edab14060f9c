import { z } from 'zod'
import type { ProblemCode } from '../../../problems/catalogue.ts'
import { type Filters, type FilterValues, wantedOf } from '../../../projections/engine/reading/filters.ts'
import type { ListQuery, Page, SortKey } from '../../../projections/engine/reading/listQuery.ts'
import type { Reading } from '../../../projections/engine/reading/reader.ts'
import { validationFailed } from '../problem.ts'
import { asOfParameter, type Past, resolveAsOf } from '../routing/asOf.ts'
import { codingFor } from '../routing/contentCoding.ts'
import { tellingFor } from '../routing/contentLanguage.ts'
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
import type { ListServices, SerialisedList, Services } from '../services.ts'
import { filterParameters, fingerprintOf, parameterOf } from './filterParameters.ts'
import { type Inclusions, includedIn, includeParameter, withMembers } from './inclusions.ts'
import { nextLink, notACursor, ofOtherFilters, type PageParameters, pageParameters } from './page.ts'
import { placeOf, readOnce, readPage, readWhole } from './readList.ts'
import { askedFilters, type SavedFilters, savedFiltersParameter } from './savedFilters.ts'
import { type ListRequest, type Row, streamList } from './streamList.ts'
import {
  csvHeading,
  csvRows,
  nameTable,
  negotiateTable,
  separatorParameter,
  streamTable,
  type TableRequest,
  tableBytes,
  tableTypes,
} from './tableAnswer.ts'
import { columnsOf, type NamedKeys } from './tableColumns.ts'

interface ListDeclaration<Path extends string, Query extends z.ZodObject>
  extends ReadDeclaration<Path, Query> {
  /** The filters of the list; none unless declared. */
  readonly filters?: Filters
  /** Callers may name filters that the company has saved. */
  readonly savedFilters?: SavedFilters
  /** Members that the records have only on request; none unless declared. */
  readonly inclusions?: Inclusions
  /** Query one page of rows, each with its `sortKey`. */
  readonly rows: (
    reading: Reading,
    input: ListInput<Path, z.output<Query>>,
    page: Page | undefined,
    services: ListServices,
  ) => ListQuery | Promise<ListQuery>
  /** The rows that the first query of the whole list reads, where none is large. Each further portion costs round trips. */
  readonly rowsAtOnce?: number
  /** Count the rows of all pages; without it, the list itself is counted, with all its details. */
  readonly count?: (
    reading: Reading,
    input: ListInput<Path, z.output<Query>>,
    services: ListServices,
  ) => Promise<number>
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

interface ListInput<Path extends string, Query> extends Input<Path, Query, undefined> {
  /** The values of the filters. */
  readonly filterValues: FilterValues
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
      ...(declaration.savedFilters && savedFiltersParameter),
      ...includeParameter(declaration.inclusions),
      ...pageParameters(declaration.sortKey),
      ...countParameter,
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
        headers: ['ETag', 'Read-Position', 'Link', 'Total-Count'],
      },
      304: { ...unchanged, headers: [...unchanged.headers, 'Total-Count'] },
    },
    problems: [
      'too-many-large-reads',
      ...(declaration.within ? [declaration.within.missing.code] : []),
      ...(declaration.problems ?? []),
    ],
    async answer(exchange, services) {
      const filters = await askedFilters(declaration, exchange, services)
      const wanted = prepareList(declaration as unknown as AnyList, exchange, services, filters)
      const table = negotiateTable(exchange, () => columnsOf(declaration.item, declaration.namedKeys))
      exchange.res.vary('Accept')
      await waitUntilReached(services, wanted.reads, exchange.headers['min-position'])
      const past = await resolveAsOf(exchange, services, wanted.reads)
      const list = past ? listAsOf(wanted, past) : wanted
      const isOfProfile = exchange.query.profileId !== undefined && declaration.savedFilters !== undefined
      const alwaysRead = declaration.alwaysRead || past !== undefined || isOfProfile
      try {
        await answerList(list, exchange, services, { alwaysRead, table, past })
      } catch (error) {
        throw isForged(error, exchange) ? validationFailed([notACursor]) : error
      }
    },
  }
}

const countParameter = {
  count: parameterOf({
    parameter: { kind: 'boolean' },
    description: 'With `limit`: whether to answer Total-Count.',
  }),
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
      const input = { params: { companyId }, query: {}, filterValues: everything, body: undefined }
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
  readonly table: TableRequest | undefined
  /** Undefined: the present. */
  readonly past: Past | undefined
}

async function answerList(
  request: ListRequest,
  exchange: Exchange,
  services: Services,
  { alwaysRead, table, past }: Manner,
): Promise<void> {
  const { req, res } = exchange
  const { limit, cursor } = exchange.query as PageParameters
  const readAnew = () =>
    limit === undefined ? readWhole(request, services) : readPage(request, limit, services)
  // A list in another language is translated from the bytes in memory.
  const isAsInMemory = !table && !tellingFor(req)
  const coding = isAsInMemory ? codingFor(req) : undefined
  const place = cursor || alwaysRead ? undefined : placeOf(request, exchange, services, coding)
  const { value, position } = place ? await readOnce(place, readAnew) : await readAnew()
  if (table) nameTable(table, req, res)
  if (value === 'large')
    return streamList(
      request,
      exchange,
      services.reader,
      table && ((...parts) => streamTable(table, ...parts)),
    )
  const { next, ...list } = value
  const after = next && nextLink(req.originalUrl, { after: next, filters: request.filters }, past?.position)
  const answer = table ? await asTable(table, list) : list
  await sendRead(exchange, { ...answer, position, next: after })
  if (place && isAsInMemory) services.repeatedLists.keep(res, place, value)
}

async function asTable(table: TableRequest, { bytes }: SerialisedList): Promise<SerialisedList> {
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
  filterValues: FilterValues,
): ListRequest {
  const { rows, within, filters = {} } = declaration
  const { cursor } = query as PageParameters
  const fingerprint = fingerprintOf(filterValues)
  if (cursor && cursor.filters !== fingerprint) throw validationFailed([ofOtherFilters])
  const input = { params, query, filterValues, body: undefined, principal: principal! }
  const included = includedIn(declaration.inclusions, query)
  const consulted = wantedOf(filters, filterValues).map(({ filter }) => filter)
  return {
    companyId: params.companyId ?? '',
    reads: [...new Set([declaration, ...included, ...consulted].flatMap(({ reads = [] }) => reads))],
    filters: fingerprint,
    rowsAtOnce: declaration.rowsAtOnce,
    rows: async (reading, page = {}) =>
      rows(reading, input, { ...page, after: page.after ?? cursor?.after }, services),
    ...(query.count === true && { count: (reading) => countOf(declaration, reading, input, services) }),
    complete: (reading, rows) => withMembers(included, reading, params, rows, services),
    check: async (reading) => {
      if (!within) return
      const [record] = await reading.query(within.find(reading, input))
      if (!record) throw missingRecord(within.missing, params)
    },
  }
}

async function countOf(
  { count, rows }: AnyList,
  reading: Reading,
  input: Parameters<typeof rows>[1],
  services: Services,
): Promise<number> {
  if (count) return count(reading, input, services)
  const { text, values } = await rows(reading, input, undefined, services)
  const sql = `SELECT count(*)::integer AS count FROM (${text}) listed`
  const [row] = await reading.query<{ count: number }>({ text: sql, values, isOnce: true })
  return row!.count
}

function listAsOf(list: ListRequest, past: Past): ListRequest {
  const { count } = list
  return {
    ...list,
    ...(count && { count: (reading) => count(past.of(reading)) }),
    rows: (reading, page) => list.rows(past.of(reading), page),
    complete: (reading, rows) => list.complete(past.of(reading), rows),
    check: (reading) => list.check(past.of(reading)),
  }
}
