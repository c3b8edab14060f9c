import type { Readable } from 'node:stream'
import type { Response } from 'express'
import { z } from 'zod'
import type { ByteRange } from '../../../documents/objects.ts'
import { typedName } from '../../../documents/typedName.ts'
import { forbidden } from '../../../domain/kernel/refusal.ts'
import type { Permission } from '../../../identity/permissions.ts'
import { Failure } from '../../../lib/failure.ts'
import type { ListQuery } from '../../../projections/engine/reading/listQuery.ts'
import type { Reading } from '../../../projections/engine/reading/reader.ts'
import { watchTaking } from '../lists/streamList.ts'
import { Problem } from '../problem.ts'
import { attachmentHeader } from './attachment.ts'
import { byteRangeIn } from './byteRange.ts'
import { cachingOf } from './caching.ts'
import { alreadyHas } from './conditional.ts'
import { waitUntilReached } from './minPosition.ts'
import { mayOf } from './qualityOf.ts'
import { type Missing, missingRecord, type ReadDeclaration, readHeaders, unchanged } from './readRoute.ts'
import { type Exchange, type PathParams, paramsOf, type Route } from './route.ts'

/** Content routes: they answer the bytes of a file, whole or in part. */

/** A file as the read models know it. */
interface File {
  readonly sha256: string
  readonly bytes: number
  readonly mediaType: string
  readonly fileName: string
}

interface ContentDeclaration<Path extends string, Found extends File>
  extends Omit<ReadDeclaration<Path, z.ZodObject>, 'query'> {
  readonly mediaTypes: readonly string[]
  readonly find: (reading: Reading, params: PathParams<Path>) => ListQuery
  readonly missing: Missing<Path>
  /** The key of the object that holds the bytes. */
  readonly key: (content: Found) => string
  /** The permission that this file needs besides the access of the route, if any. */
  readonly needs?: (content: Found) => Permission | undefined
}

/** Declare a route that answers a file as an attachment. */
export function contentRoute<const Path extends string, Found extends File>(
  declaration: ContentDeclaration<Path, Found>,
): Route {
  const { mediaTypes, reads, find, missing, key, needs } = declaration
  const headers = ['ETag', 'Read-Position', 'Accept-Ranges', 'Content-Disposition', 'Repr-Digest'] as const
  return {
    ...declaration,
    method: 'get',
    params: paramsOf(declaration),
    query: z.strictObject({}),
    headers: readHeaders.extend({
      range: z.string().optional().describe('The part to answer, as in `bytes=0-1023`.'),
      'if-range': z.string().optional().describe('Answer the part only if the file still has this ETag.'),
    }),
    body: undefined,
    responses: {
      200: { description: 'The file.', mediaType: mediaTypes, headers },
      206: {
        description: 'The part that Range names.',
        mediaType: mediaTypes,
        headers: [...headers, 'Content-Range'],
      },
      304: unchanged,
    },
    problems: [missing.code, 'range-not-satisfiable', 'documents-unavailable'],
    async answer(exchange, services) {
      const { req, res, params, headers } = exchange
      await waitUntilReached(services, reads, headers['min-position'])
      const { value: file, position } = await services.reader.read(reads, async (reading) => {
        const [content] = await reading.query<Found>(find(reading, params as PathParams<Path>))
        if (!content) throw missingRecord(missing as unknown as Missing<string>, params)
        return content
      })
      await exchange.requireAccess()
      const needed = needs?.(file)
      if (needed && !(await mayOf(exchange.principal!, params.companyId!, needed)())) throw forbidden()
      const etag = `"${file.sha256}"`
      res.setHeader('Cache-Control', cachingOf(req))
      res.setHeader('Read-Position', position)
      res.setHeader('ETag', etag)
      if (alreadyHas(req, etag)) {
        res.statusCode = 304
        res.end()
        return
      }
      const range = partOf(exchange, etag, file.bytes)
      if (req.method === 'HEAD') {
        describe(res, file, range)
        res.end()
        return
      }
      const objects = await services.documents.objects()
      const opened = await objects.get(key(file), range)
      if (!opened) throw new Failure('objects-unavailable', `the object ${key(file)} is missing`)
      describe(res, file, range)
      await stream(res, opened.content)
    },
  }
}

/** Return the part to answer; undefined for the whole file. @throws Problem 416 */
function partOf({ req, headers }: Exchange, etag: string, bytes: number): ByteRange | undefined {
  const { range, 'if-range': ifRange } = headers as { readonly range?: string; readonly 'if-range'?: string }
  // Only GET has ranges (RFC 9110, 14.2).
  if (req.method !== 'GET' || range === undefined || (ifRange !== undefined && ifRange !== etag))
    return undefined
  const part = byteRangeIn(range, bytes)
  if (part !== 'none') return part
  throw new Problem(
    'range-not-satisfiable',
    `The file has ${bytes} bytes, and Range names none of them. Ask for bytes that it has.`,
    {
      headers: { 'Content-Range': `bytes */${bytes}` },
    },
  )
}

/** Nothing in a file may run in the name of the service, even if a browser shows it. */
const inert = "default-src 'none'; frame-ancestors 'none'; sandbox"

function describe(res: Response, { sha256, bytes, mediaType, fileName }: File, range?: ByteRange): void {
  res.statusCode = range ? 206 : 200
  res.setHeader('Content-Disposition', attachmentHeader(typedName(fileName, mediaType)))
  res.setHeader('Content-Type', mediaType)
  res.setHeader('Content-Length', range ? range.last - range.first + 1 : bytes)
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('Repr-Digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`)
  res.setHeader('Content-Security-Policy', inert)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (range) res.setHeader('Content-Range', `bytes ${range.first}-${range.last}/${bytes}`)
}

/** Send as fast as the client reads. An error in mid-stream breaks the connection, so that no part looks whole. */
async function stream(res: Response, content: Readable): Promise<void> {
  try {
    res.flushHeaders()
    const taken = watchTaking(res)
    for await (const bytes of content) if (!(await taken(bytes))) return
    res.end()
  } finally {
    content.destroy()
  }
}
