import { z } from 'zod'
import type { Command, CommandContext, Outcome, Workflow } from '../../../commands/executor/command.ts'
import { runWorkflow } from '../../../commands/executor/workflow.ts'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import { type Revoked, untilInForce } from '../../../identity/revocation.ts'
import type { ProblemCode } from '../../../problems/catalogue.ts'
import { trueOrFalse } from '../schemas/fields.ts'
import type { Services } from '../services.ts'
import { type CommandAnswer, sendOutcome, waitUntilShown } from './commandAnswer.ts'
import { contextOf, isOfCompany, mayRequireIfMatch } from './commandContext.ts'
import { idempotencyKey, refuseReusedKey } from './idempotency.ts'
import { prefer, prefersAsync } from './prefer.ts'
import { commandCodes } from './problemCodes.ts'
import {
  type Declaration,
  type Exchange,
  type Input,
  json,
  type Method,
  mergePatch,
  paramsOf,
  type Route,
} from './route.ts'

const noBody = z.undefined()

export interface CommandDeclaration<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer,
> extends Declaration<Path>,
    CommandAnswer<Answer> {
  readonly method: Exclude<Method, 'get'>
  readonly query?: Query
  readonly body?: Body
  /** A request may come without a body. Then the command gets undefined. */
  readonly isBodyOptional?: boolean
  /** Find faults that a schema cannot express. */
  readonly bodyFaults?: (body: unknown) => readonly Fault[]
  /** Return the command or workflow for the validated request. */
  readonly command: (
    input: Input<Path, z.output<Query>, z.output<Body>>,
    services: Services,
  ) => Command<Answer> | Workflow<Answer>
  /** Some requests are answered without a record, by 204. */
  readonly isRecordOptional?: boolean
  /** With `?dryRun=true` the command decides and records nothing, and this answers. */
  readonly dryRun?: {
    readonly description: string
    readonly answer: z.ZodType
    readonly send: (decided: Answer, exchange: Exchange, services: Services) => Promise<void>
  }
  /**
   * Whether the route changes a record that exists, on the condition of If-Match; `each`: the body of a request for many
   * records has the condition of each.
   */
  readonly conditional?: boolean | 'each'
  /** The access that it revokes. It answers only when that is in force on every node. */
  readonly revokes?: Revoked | ((query: z.output<Query>) => Revoked | undefined)
  /** The codes with which the use case refuses. */
  readonly problems?: readonly ProblemCode[]
}

/** Declare a route that executes a command and answers once the read models have applied its events. */
export function commandRoute<
  const Path extends string,
  Answer,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = typeof noBody,
>(declaration: CommandDeclaration<Path, Query, Body, Answer>): Route {
  const {
    record,
    isMinimal = false,
    isRecordOptional = false,
    location,
    conditional = false,
    problems = [],
    dryRun,
  } = declaration
  return {
    ...declaration,
    params: paramsOf(declaration),
    query: (declaration.query ?? z.object({}))
      .extend(dryRun ? { dryRun: trueOrFalse.optional().meta({ description: dryRun.description }) } : {})
      .strict(),
    headers: z.object({
      'idempotency-key': idempotencyKey,
      ...(!declaration.revokes && { prefer }),
      ...(conditional === true && {
        'if-match': z
          .string()
          .optional()
          .describe('Change the record only if it still has one of these ETags.'),
      }),
    }),
    body: declaration.body,
    bodyType: declaration.method === 'patch' ? mergePatch : json,
    bodyFaults: declaration.bodyFaults,
    responses: {
      ...responsesOf(record && dryRun ? z.union([record, dryRun.answer]) : record, location !== undefined),
      ...((isRecordOptional || isMinimal) && responsesOf(undefined, false)),
    },
    problems: [
      ...problems,
      ...commandCodes,
      ...(conditional === true ? (['precondition-failed'] as const) : []),
      ...(conditional === true && mayRequireIfMatch(declaration) ? (['precondition-required'] as const) : []),
      ...(declaration.revokes ? (['revocation-pending'] as const) : []),
    ],
    answer: (exchange, services) => answer(declaration, exchange, services),
  }
}

async function answer<Path extends string, Answer, Query extends z.ZodObject, Body extends z.ZodType>(
  declaration: CommandDeclaration<Path, Query, Body, Answer>,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const { dryRun } = declaration
  const { params, query, body, principal } = exchange
  const { revokes: declared } = declaration
  const revokes = typeof declared === 'function' ? declared(query as z.output<Query>) : declared
  const input = { params, query, body, principal } as unknown as Input<Path, z.output<Query>, z.output<Body>>
  const useCase = declaration.command(input, services)
  const context = {
    ...(await contextOf(declaration, exchange, services)),
    // A revocation has several steps, and must finish even when it ends the access of its own author.
    ...(isOfCompany(declaration) && !revokes && { requireAccess: exchange.requireAccess }),
  }
  if (dryRun && query.dryRun === 'true') {
    const decided = await decideDry(useCase as Command<Answer>, context, services)
    return dryRun.send(decided, exchange, services)
  }
  const outcome = await execute(useCase, context, services)
  const isFollowed = revokes
    ? await untilInForce(revokes, outcome, services)
    : await waitUntilShown(useCase, outcome, services, prefersAsync(exchange.req.headers) ? 0 : undefined)
  await sendOutcome(exchange, declaration, outcome, isFollowed, services)
}

/** @throws Refusal 422 for an idempotency key that came with another request */
async function execute<Answer>(
  useCase: Command<Answer> | Workflow<Answer>,
  context: CommandContext,
  services: Services,
): Promise<Outcome<Answer>> {
  if (context.idempotency) await refuseReusedKey(context.idempotency, services)
  if (!('run' in useCase)) return services.executor.execute(useCase, context)
  const tools = {
    ...services.executor,
    newId: services.newId,
    waitUntilShown: (step: Outcome<unknown>) => waitUntilShown(useCase, step, services),
  }
  return runWorkflow(useCase, tools, context)
}

async function decideDry<Answer>(
  command: Command<Answer>,
  context: CommandContext,
  { beginDryRun, executor }: Services,
): Promise<Answer> {
  const dryRun = beginDryRun(context.actor.id)
  try {
    return (await executor.execute(command, { ...context, dryRun })).body
  } finally {
    dryRun.end()
  }
}

function responsesOf(record: z.ZodType | undefined, creates: boolean): Route['responses'] {
  const headers = ['Commit-Position'] as const
  if (!record) return { 204: { description: 'The request was carried out.', headers } }
  const response = { schema: record, headers: [...headers, 'ETag'] as const }
  if (!creates) return { 200: { description: 'The record.', ...response } }
  return {
    201: { description: 'Created.', schema: record, headers: [...headers, 'ETag', 'Location'] as const },
    200: { description: 'The record exists already; nothing was recorded.', ...response },
  }
}
