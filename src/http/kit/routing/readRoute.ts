import { z } from 'zod'
import { forbidden, notFound, type Refusal } from '../../../domain/kernel/refusal.ts'
import type { MissingRecordCode } from '../../../problems/records.ts'
import type { Projection } from '../../../projections/engine/projection.ts'
import type { ListQuery } from '../../../projections/engine/reading/listQuery.ts'
import type { Reading } from '../../../projections/engine/reading/reader.ts'
import { hiddenFindings, requireComplete } from '../../../projections/engine/reading/toDecide.ts'
import type { Services } from '../services.ts'
import { asOfParameter, resolveAsOf } from './asOf.ts'
import { cachingOf } from './caching.ts'
import { alreadyHas } from './conditional.ts'
import type { Coding } from './contentCoding.ts'
import { declareLanguage, etagOfTold, toldFor } from './contentLanguage.ts'
import { etagOfBody, etagOfRecord } from './etags.ts'
import { minPosition, waitUntilReached } from './minPosition.ts'
import { send } from './respond.ts'
import {
  type Declaration,
  type Exchange,
  type Input,
  type PathParams,
  paramsOf,
  type Route,
} from './route.ts'

export interface ReadDeclaration<Path extends string, Query extends z.ZodObject> extends Declaration<Path> {
  readonly query?: Query
  /** The read models that it reads. */
  readonly reads: readonly Projection[]
  /** Callers may ask for an earlier time. Every table that it reads is versioned. */
  readonly hasAsOf?: boolean
}

/** The code of a record that does not exist, and the path parameter that holds its id. */
export interface Missing<Path extends string> {
  readonly code: MissingRecordCode
  readonly id: keyof PathParams<Path>
}

interface RecordDeclaration<Path extends string, Query extends z.ZodObject>
  extends ReadDeclaration<Path, Query> {
  /** Find the row, with the revision of the record's last event as `revision`. Without one the ETag is for caches alone. */
  readonly find: (
    reading: Reading,
    input: Input<Path, z.output<Query>, undefined>,
    services: Pick<Services, 'rules'>,
  ) => ListQuery
  /** The answer while its rows lack an event of the company, for a record that tells what to decide. */
  readonly whileLacking?: 'refusal' | 'noFindings'
  /** The 404 for a missing row. Undefined when the record is the company itself. */
  readonly missing?: Missing<Path>
  /** Turn the row into the answered record, where they differ. */
  readonly present?: (row: never) => object
  readonly record: z.ZodType
  /** The answer has the revision as well, as a list of these records has. */
  readonly showsRevision?: boolean
}

/** Declare a route that reads one record. */
export function recordRoute<
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(declaration: RecordDeclaration<Path, Query>): Route {
  return {
    ...declaration,
    method: 'get',
    params: paramsOf(declaration),
    query: (declaration.query ?? z.object({})).extend(asOfParameter(declaration)).strict(),
    headers: readHeaders,
    body: undefined,
    responses: {
      200: {
        description: 'The record.',
        schema: declaration.record,
        headers: ['ETag', 'Read-Position'],
      },
      304: unchanged,
    },
    problems: [
      ...(declaration.missing ? [declaration.missing.code] : []),
      ...(declaration.whileLacking === 'refusal' ? (['facts-incomplete'] as const) : []),
    ],
    async answer(exchange, services) {
      const { params, query, headers, principal } = exchange
      const { reads, find, whileLacking, missing, present = keepRow, showsRevision } = declaration
      const input = { params, query, body: undefined, principal } as unknown as Input<
        Path,
        z.output<Query>,
        undefined
      >
      await waitUntilReached(services, reads, headers['min-position'])
      const past = await resolveAsOf(exchange, services, reads)
      const { value, position } = await services.reader.read(reads, async (snapshot) => {
        if (whileLacking === 'refusal') await requireComplete(snapshot, params.companyId!)
        const hidden =
          whileLacking === 'noFindings' ? await hiddenFindings(snapshot, params.companyId!) : undefined
        const reading = past?.of(snapshot) ?? snapshot
        const [row] = await reading.query<{ revision?: number | null }>(find(reading, input, services))
        if (!row) throw missingRecord(missing, params)
        return { row, hidden }
      })
      const { row, hidden } = value
      const { revision, ...rest } = row
      const record = showsRevision ? row : rest
      const presented = present(record as never)
      const bytes = Buffer.from(JSON.stringify(hidden ? { ...presented, ...hidden } : presented))
      // In the past there is no revision in the ETag: If-Match would accept it for another record of that revision.
      const etag = revision == null || past ? etagOfBody(bytes) : etagOfRecord(revision, bytes)
      await sendRead(exchange, { bytes, etag, position })
    },
  }
}

function keepRow(row: object): object {
  return row
}

export const readHeaders = z.object({
  'min-position': minPosition,
  'if-none-match': z.string().optional().describe('304 when the answer still has one of these ETags.'),
})

export const unchanged = {
  description: 'The answer has not changed since the ETag in If-None-Match.',
  headers: ['ETag', 'Read-Position'],
} as const

interface ReadAnswer {
  readonly bytes: Buffer
  readonly etag: string
  /** The coding that the bytes are in already. */
  readonly coding?: Coding | undefined
  readonly position: number
  /** The link to the next page. */
  readonly next?: string | undefined
  /** How many records all pages have. */
  readonly total?: number | undefined
  /** Whether there may be more records, without a next page. */
  readonly truncated?: boolean
}

/**
 * Answer what was read, or 304 when the caller has it already. Access is checked again, because the read may have waited
 * for a turn or for Min-Position.
 */
export async function sendRead(
  { req, res, requireAccess }: Pick<Exchange, 'req' | 'res' | 'requireAccess'>,
  { bytes, etag, coding, position, next, total, truncated = false }: ReadAnswer,
): Promise<void> {
  await requireAccess()
  declareLanguage(res)
  const body = coding ? bytes : toldFor(req, bytes)
  const own = body === bytes ? etag : etagOfTold(etag)
  const matched = alreadyHas(req, own)
  return send(res, {
    status: matched ? 304 : 200,
    headers: {
      'Cache-Control': cachingOf(req),
      'Read-Position': position,
      ETag: matched ?? own,
      Link: next,
      'Total-Count': total,
      Truncated: truncated ? 'true' : undefined,
    },
    body: matched ? undefined : body,
    coding,
  })
}

/** The answer about a company is the same whether or not it exists. */
export function missingRecord(
  missing: Missing<string> | undefined,
  params: Readonly<Record<string, string>>,
): Refusal {
  return missing ? notFound(missing.code, params[missing.id]!) : forbidden()
}
