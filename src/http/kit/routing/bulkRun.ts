import { z } from 'zod'
import type { Command, CommandContext, Outcome } from '../../../commands/executor/command.ts'
import type { Change } from '../../../domain/kernel/changes.ts'
import { type Fault, invalid } from '../../../domain/kernel/refusal.ts'
import { atOnce } from '../../../lib/inTurns.ts'
import { fault } from '../../../problems/requests.ts'
import type { Line } from '../body/lines.ts'
import { checkInSteps } from '../body/validate.ts'
import { Problem, problemOf } from '../problem.ts'
import { recordOutcomes } from '../schemas/fields.ts'
import type { Services } from '../services.ts'
import { waitUntilShown } from './commandAnswer.ts'
import { authorOf } from './commandContext.ts'
import type { Exchange, Input, PathParams } from './route.ts'

/** The lines of one bulk request: each is carried out, or tried in a dry run, and answered. */

export const bulkLimits = { lines: 10_000, lineBytes: 65_536, bytes: 67_108_864 }
/** Each block of this many lines counts as one request. The first block is the request itself. */
export const linesPerRequest = 100
/** The longest time that the end of the answer waits until the read models have applied the recorded events. */
const readModelsWithinMs = 10_000

type LineInput<Path extends string, Body> = Input<Path, Record<never, never>, Body>

export interface BulkLines<Path extends string, Body extends z.ZodType, Sent extends z.ZodType, Answer> {
  /** The body schema of the path without `/bulk`. */
  readonly body: Body
  readonly bodyFaults?: (body: unknown) => readonly Fault[]
  readonly command: (input: LineInput<Path, z.output<Body>>, services: Services) => Command<Answer>
  readonly upsert: {
    /** The schema of a line that may name a record that exists, and then leave members out. */
    readonly body: Sent
    /** @param whole returns the line as the body of a new record, or throws Refusal `validation-failed` */
    readonly command: (
      input: LineInput<Path, z.output<Sent>>,
      whole: () => z.output<Body>,
      services: Services,
    ) => Command<Answer>
  }
  /** The type of the event that creates a record. */
  readonly creates: string
  /** The id of the record that a line created or found. */
  readonly id: (answer: Answer) => string
}

/** The answer to one line. */
export interface LineAnswer {
  readonly line: number
  /** The status of the same request sent alone. */
  readonly status: number
  readonly id?: string
  readonly outcome?: (typeof recordOutcomes)[number]
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[]
}

export const lineAnswer = z
  .looseObject({
    line: z.int().min(1).meta({ description: 'The number of the line. Blank lines count, too.' }),
    status: z.int().meta({ description: 'The status of the same request sent alone.' }),
    id: z.guid().optional().meta({ description: 'The record that the line created, updated or found.' }),
    outcome: z.enum(recordOutcomes).optional(),
    code: z.string().optional().meta({ description: 'The code of the problem.' }),
    detail: z.string().optional(),
    errors: z.array(fault).optional(),
  })
  .meta({
    id: 'BulkLine',
    description: 'A line that failed has the members of the problem of the same request sent alone.',
  })

export const summaryLine = z
  .object({
    summary: z.object({
      lines: z.int().meta({ description: 'The lines that are not blank.' }),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      failed: z.int(),
      commitPosition: z.int().meta({ description: 'The position of the last event of all records.' }),
    }),
  })
  .meta({ id: 'BulkSummary' })

type Summary = z.output<typeof summaryLine>['summary']

export interface RunOutcome {
  readonly answer: LineAnswer
  /** The revision of the record after the line; undefined when the line failed. */
  readonly revision: number | undefined
  /** The changes of a record that existed. */
  readonly changes?: readonly Change[] | undefined
}

interface BulkRun {
  /** Never throws: an error becomes the answer to the line. */
  line(line: Line): Promise<LineAnswer>
  carryOut(line: Line): Promise<RunOutcome>
  /** Wait until the read models have applied the recorded events, by default for 10 s. */
  waitUntilShown(withinMs?: number): Promise<boolean>
  summary(): Summary
  end(): void
}

export function beginBulkRun<Path extends string, Body extends z.ZodType, Sent extends z.ZodType, Answer>(
  lines: BulkLines<Path, Body, Sent, Answer>,
  exchange: Exchange,
  services: Services,
): BulkRun {
  const { traceId, requireAccess } = exchange
  const { inFlight, checks, executor, log } = services
  const dryRun = exchange.query.dryRun === 'true' ? services.beginDryRun(authorOf(exchange).id) : undefined
  const actor = authorOf(exchange)
  const context: CommandContext = {
    actor,
    correlationId: traceId,
    requireAccess,
    ...(dryRun && { dryRun }),
  }
  const commandOf = createReadLine(lines, exchange, services)
  const counts = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
  let furthest: { useCase: Command<Answer>; outcome: Outcome<Answer> } | undefined

  const carryOut = async (line: Line): Promise<RunOutcome> => {
    counts.lines += 1
    const held = inFlight.begin()
    held.chargeTo(actor.id)
    try {
      held.take(line.bytes?.length ?? 0)
      const useCase = await checks.run(actor.id, commandOf(line))
      const outcome = await executor.execute(useCase, context)
      if (outcome.position >= (furthest?.outcome.position ?? 0)) furthest = { useCase, outcome }
      const what = nameOf(outcome, lines.creates)
      counts[what] += 1
      const status = what === 'created' ? 201 : 200
      const answer = { line: line.number, status, id: lines.id(outcome.body), outcome: what }
      return { answer, revision: outcome.etag, changes: outcome.changes }
    } catch (error) {
      counts.failed += 1
      const { status, code, message, members, cause } = problemOf(error)
      if (status === 500)
        log.error({ err: cause, traceId, line: line.number }, 'a line of a bulk request failed unexpectedly')
      return {
        answer: { line: line.number, status, code, detail: message, ...members },
        revision: undefined,
      }
    } finally {
      held.release()
    }
  }

  return {
    carryOut,
    line: async (line) => (await carryOut(line)).answer,
    waitUntilShown: async (withinMs = readModelsWithinMs) =>
      furthest === undefined ||
      dryRun !== undefined ||
      waitUntilShown(furthest.useCase, furthest.outcome, services, withinMs),
    summary: () => ({ ...counts, commitPosition: furthest?.outcome.position ?? 0 }),
    end: () => dryRun?.end(),
  }
}

function nameOf({ recorded }: Outcome<unknown>, creates: string): (typeof recordOutcomes)[number] {
  if (recorded.length === 0) return 'unchanged'
  return recorded.includes(creates) ? 'created' : 'updated'
}

/** Return a function that turns a line into its command, in steps. It throws the problem of the line. */
function createReadLine<Path extends string, Body extends z.ZodType, Sent extends z.ZodType, Answer>(
  { body: schema, bodyFaults, command, upsert }: BulkLines<Path, Body, Sent, Answer>,
  { params, principal, query }: Exchange,
  services: Services,
): (line: Line) => Iterator<void, Command<Answer>> {
  /** The lines left in the block that is already counted. */
  let paid = linesPerRequest

  /** @throws Problem 429 above the limit of requests */
  const countLine = () => {
    if (paid === 0) {
      principal!.countRequest()
      paid = linesPerRequest
    }
    paid -= 1
  }

  const inputOf = function* <Schema extends z.ZodType>(wanted: Schema, bytes: Buffer) {
    const { value, faults } = yield* checkInSteps(wanted, bytes, bodyFaults, 'line')
    if (faults.length > 0) throw invalid(faults, 'The line has faults, so it was not carried out.')
    return { params: params as PathParams<Path>, query: {}, body: value, principal: principal! }
  }

  return function* ({ bytes, fault }) {
    countLine()
    if (!bytes) throw new Problem(fault!, tooMuch[fault!])
    if (query.mode !== 'upsert') return command(yield* inputOf(schema, bytes), services)
    const whole = () => atOnce(inputOf(schema, bytes)).body
    return upsert.command(yield* inputOf(upsert.body, bytes), whole, services)
  }
}

const tooMuch: Record<NonNullable<Line['fault']>, string> = {
  'line-too-long': `The line has more than ${bulkLimits.lineBytes} bytes, so it was not carried out.`,
  'too-many-lines': `The body has more than ${bulkLimits.lines} lines, so this line and all after it were not carried out.`,
  'body-too-large': `The body has more than ${bulkLimits.bytes} bytes, so this line and all after it were not carried out.`,
}
