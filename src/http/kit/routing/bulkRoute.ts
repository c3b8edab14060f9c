import type { Response } from 'express'
import { z } from 'zod'
import type { Command, CommandContext, Outcome } from '../../../commands/command.ts'
import type { Fault } from '../../../domain/refusal.ts'
import { requireMediaType } from '../body/body.ts'
import { type Line, linesOf } from '../body/lines.ts'
import { checkedBody } from '../body/validate.ts'
import { takenBy } from '../lists/streamList.ts'
import { maxListedFaults, Problem, problemOf, validationFailed } from '../problem.ts'
import type { Services } from '../services.ts'
import { untilShown } from './commandRoute.ts'
import {
  type Declaration,
  type Exchange,
  type Input,
  type PathParams,
  paramsOf,
  type Route,
} from './route.ts'

/** Bulk routes: each line of the body is a request of its own and is answered by one line. */

const mediaType = 'application/x-ndjson'
const limits = { lines: 10_000, lineBytes: 65_536, bytes: 67_108_864 }
/** Each block of this many lines counts as one request. The first block is the request itself. */
const linesPerRequest = 100
/** The most lines in progress at once. */
const maxUnderWay = 64
/**
 * Many clients send everything before they read. Up to this many bytes of answers are buffered before the
 * service stops reading the body.
 */
const maxUnreadBytes = 8_388_608
/** How long the end of the answer waits for the read models to apply the recorded events. */
const readModelsWithinMs = 10_000

export interface BulkDeclaration<Path extends string, Body extends z.ZodType, Answer>
  extends Declaration<Path> {
  /** The body schema of the path without `/bulk`. */
  readonly body: Body
  readonly bodyFaults?: (body: unknown) => readonly Fault[]
  readonly command: (input: Input<Path, Record<never, never>, z.output<Body>>) => Command<Answer>
  /** The id of the record that a line created or found. */
  readonly id: (answer: Answer) => string
}

/** The answer to one line. */
interface LineAnswer {
  readonly line: number
  /** The status of the same request sent alone. */
  readonly status: number
  readonly id?: string
  readonly code?: string
  readonly errors?: unknown
  readonly moreErrors?: unknown
}

const lineAnswer = z
  .object({
    line: z.int().min(1),
    status: z.int().meta({ description: 'The status of the same request sent alone.' }),
    id: z.guid().optional(),
    code: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    moreErrors: z
      .int()
      .optional()
      .meta({ description: `The number of faults beyond the ${maxListedFaults} that are listed.` }),
  })
  .meta({ id: 'BulkLine' })

/** Declare a route that executes a command for each line of its body. */
export function bulk<const Path extends string, Body extends z.ZodType, Answer>(
  declaration: BulkDeclaration<Path, Body, Answer>,
): Route {
  return {
    ...declaration,
    description: `${declaration.description} Each ${linesPerRequest} lines count as one request; lines above the limit of requests are answered 429. A body has at most ${limits.lines} lines that are not blank: the first line beyond that is answered 413 \`too-many-lines\`, and the rest of the body is ignored.`,
    method: 'post',
    params: paramsOf(declaration),
    query: z.strictObject({}),
    headers: z.object({}),
    body: undefined,
    lines: { mediaType, schema: declaration.body },
    responses: {
      200: {
        description: 'One line for each line of the request that is not blank, in the same order.',
        schema: lineAnswer,
        mediaType,
      },
    },
    problems: [413, 415],
    async answer(exchange, services) {
      const { req, res } = exchange
      requireMediaType(req, mediaType)
      refuseAnnouncedSize(req.headers['content-length'])
      const carryOut = createCarryOut(declaration, exchange, services)
      res.writeHead(200, {
        'Content-Type': mediaType,
        'Cache-Control': 'no-store',
        Trailer: 'Commit-Position',
      })
      await answerInOrder(linesOf(req, limits), carryOut.line, res)
      await carryOut.untilShown()
      if (res.destroyed) return
      res.addTrailers({ 'Commit-Position': String(carryOut.position()) })
      res.end()
    },
  }
}

function refuseAnnouncedSize(contentLength: string | undefined): void {
  if (Number(contentLength ?? 0) > limits.bytes)
    throw new Problem(413, 'body-too-large', `The body is larger than ${limits.bytes} bytes.`)
}

function createCarryOut<Path extends string, Body extends z.ZodType, Answer>(
  { body: schema, bodyFaults, command, id }: BulkDeclaration<Path, Body, Answer>,
  { params, caller, principal, traceId, requireAccess }: Exchange,
  services: Services,
) {
  const actor = { id: caller!.id, name: caller!.name, kind: caller!.kind }
  const context: CommandContext = { actor, correlationId: traceId }
  /** The lines left in the block that is already counted. */
  let paid = linesPerRequest
  let furthest: { useCase: Command<Answer>; outcome: Outcome<Answer> } | undefined

  /** @throws Problem 429 above the limit of requests */
  const countLine = () => {
    if (paid === 0) {
      principal!.countRequest()
      paid = linesPerRequest
    }
    paid -= 1
  }

  const inputOf = ({ bytes, fault }: Line) => {
    countLine()
    if (!bytes)
      throw new Problem(
        413,
        fault!,
        'The line or the whole body is too large, so this line was not registered.',
      )
    const { value, faults } = checkedBody(schema, bytes, bodyFaults)
    if (faults.length > 0) throw validationFailed(faults)
    return { params: params as PathParams<Path>, query: {}, body: value, principal: principal! }
  }

  return {
    /** Never throws: an error becomes the answer to the line. */
    async line(line: Line): Promise<LineAnswer> {
      const share = services.inFlight.begin()
      share.chargeTo(actor.id)
      try {
        const useCase = command(inputOf(line))
        share.take(line.bytes?.length ?? 0)
        await requireAccess()
        const outcome = await services.executor.execute(useCase, context)
        if (outcome.position >= (furthest?.outcome.position ?? 0)) furthest = { useCase, outcome }
        const status = outcome.recorded.length > 0 ? 201 : 200
        return { line: line.number, status, id: id(outcome.body) }
      } catch (error) {
        const { status, code, members, cause } = problemOf(error)
        if (status === 500)
          services.log.error(
            { err: cause, traceId, line: line.number },
            'a line of a bulk request failed unexpectedly',
          )
        const { errors, moreErrors } = members
        return { line: line.number, status, code, errors, moreErrors }
      } finally {
        share.release()
      }
    },
    position: () => furthest?.outcome.position ?? 0,
    untilShown: async () => {
      if (furthest) await untilShown(furthest.useCase, furthest.outcome, services, readModelsWithinMs)
    },
  }
}

/** Execute several lines at a time and answer them in order. */
async function answerInOrder(
  lines: AsyncIterable<Line>,
  carryOut: (line: Line) => Promise<LineAnswer>,
  res: Response,
): Promise<void> {
  const taken = takenBy(res)
  const underWay: Promise<LineAnswer>[] = []
  const answerOldest = async () => {
    const text = `${JSON.stringify(await underWay.shift())}\n`
    if (!res.destroyed && res.writableLength < maxUnreadBytes) res.write(text)
    else if (!(await taken(text))) throw new Error('the client has gone')
  }
  for await (const line of lines) {
    underWay.push(carryOut(line))
    if (underWay.length >= maxUnderWay) await answerOldest()
  }
  while (underWay.length > 0) await answerOldest()
}
