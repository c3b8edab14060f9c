import type { IncomingHttpHeaders } from 'node:http'
import type { Response } from 'express'
import { z } from 'zod'
import { inOrder } from '../../../lib/inOrder.ts'
import { type Line, linesOf, linesType } from '../body/lines.ts'
import { parameterPlace } from '../body/validate.ts'
import { watchTaking } from '../lists/streamList.ts'
import { validationFailed } from '../problem.ts'
import { trueOrFalse } from '../schemas/fields.ts'
import {
  type BulkLines,
  beginBulkRun,
  bulkLimits,
  lineAnswer,
  linesPerRequest,
  summaryLine,
} from './bulkRun.ts'
import { prefer, prefersAsync } from './prefer.ts'
import { type Declaration, paramsOf, type Route } from './route.ts'

/** Bulk routes: each line of the body is a request of its own and is answered by one line. */

/** The most lines in progress at once. */
const maxUnderWay = 64
/**
 * Many clients send everything before they read. Up to this many bytes of answers are buffered before the
 * service stops reading the body.
 */
const maxUnreadBytes = 8_388_608

interface BulkDeclaration<Path extends string, Body extends z.ZodType, Sent extends z.ZodType, Answer>
  extends Declaration<Path>,
    BulkLines<Path, Body, Sent, Answer> {}

const bulkQuery = z.strictObject({
  mode: z.enum(['upsert'], 'must be upsert').optional().meta({
    description:
      'With `upsert`, a line corrects the record that exists, as PUT does, instead of being refused with 409. A line that equals the present record, or the content last recorded from the same caller, changes nothing.',
  }),
  dryRun: trueOrFalse.optional().meta({
    description: 'When true, nothing is recorded, and each line is answered as it would be otherwise.',
  }),
  summary: trueOrFalse
    .optional()
    .meta({ description: 'When true, a last line counts the lines by their outcome.' }),
})

/** Declare a route that executes a command for each line of its body. */
export function bulkRoute<const Path extends string, Body extends z.ZodType, Sent extends z.ZodType, Answer>(
  declaration: BulkDeclaration<Path, Body, Sent, Answer>,
): Route {
  return {
    ...declaration,
    description: `${declaration.description} Each ${linesPerRequest} lines count as one request; lines above the limit of requests are answered 429. A body has at most ${bulkLimits.lines} lines that are not blank: the first line beyond that is answered 413 \`too-many-lines\`, and the rest of the body is ignored. Idempotency-Key is refused, because each line may be repeated by itself.`,
    method: 'post',
    params: paramsOf(declaration),
    query: bulkQuery,
    headers: z.object({ prefer }),
    body: undefined,
    lines: {
      mediaType: linesType,
      schema: z.union([declaration.body, declaration.upsert.body]),
      maxBytes: bulkLimits.bytes,
    },
    responses: {
      200: {
        description: 'One line for each line of the request that is not blank, in the same order.',
        schema: z.union([lineAnswer, summaryLine]),
        mediaType: linesType,
      },
    },
    problems: ['validation-failed', 'body-too-large', 'unsupported-media-type'],
    async answer(exchange, services) {
      const { req, res, query } = exchange
      refuseKey(req.headers)
      const run = beginBulkRun(declaration, exchange, services)
      try {
        res.writeHead(200, {
          'Content-Type': linesType,
          'Cache-Control': 'no-store',
          Trailer: 'Commit-Position, Projection-Status',
        })
        const noteUnread = () => services.unread.note(res, exchange.caller!.id)
        await answerInOrder(linesOf(req, bulkLimits), run.line, res, noteUnread)
        const isShown = await run.waitUntilShown(prefersAsync(req.headers) ? 0 : undefined)
        if (res.destroyed) return
        const summary = run.summary()
        if (query.summary === 'true') res.write(`${JSON.stringify({ summary })}\n`)
        res.addTrailers({
          'Commit-Position': String(summary.commitPosition),
          ...(!isShown && { 'Projection-Status': 'pending' }),
        })
        res.end()
      } finally {
        run.end()
      }
    },
  }
}

/** Refuse an Idempotency-Key, because it would have to stand for up to 10,000 answers. */
export function refuseKey(headers: IncomingHttpHeaders): void {
  if (headers['idempotency-key'] !== undefined)
    throw validationFailed([
      {
        ...parameterPlace('Idempotency-Key'),
        code: 'unknown-parameter',
        message: 'is not accepted here, because each line may be repeated by itself',
      },
    ])
}

/** Execute several lines at a time and answer them in order. */
async function answerInOrder(
  lines: AsyncIterable<Line>,
  carryOut: (line: Line) => Promise<unknown>,
  res: Response,
  noteUnread: () => void,
): Promise<void> {
  const taken = watchTaking(res)
  for await (const answer of inOrder(lines, maxUnderWay, carryOut)) {
    const text = `${JSON.stringify(answer)}\n`
    if (!res.destroyed && res.writableLength < maxUnreadBytes) res.write(text)
    else if (!(await taken(text))) throw new Error('the client has gone')
    noteUnread()
  }
}
