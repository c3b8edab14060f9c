import { z } from 'zod'
import type { Command, CommandContext, Outcome, Workflow } from '../../../commands/command.ts'
import type { Author } from '../../../commands/persons.ts'
import { runWorkflow } from '../../../commands/workflow.ts'
import { type Fault, Refusal } from '../../../domain/refusal.ts'
import { type Revoked, untilInForce } from '../../../identity/revocation.ts'
import { PostgresUnavailable } from '../../../postgres.ts'
import type { ProblemCode } from '../../../problems/catalogue.ts'
import type { Reader } from '../../../projections/reading/reader.ts'
import { trueOrFalse } from '../schemas/fields.ts'
import type { Services } from '../services.ts'
import { ifMatch } from './conditional.ts'
import { etagOfRecord, etagOfRevision } from './etags.ts'
import { idempotencyKey, refuseReusedKey } from './idempotency.ts'
import { commandCodes } from './problemCodes.ts'
import { send } from './respond.ts'
import {
  type Declaration,
  type Exchange,
  type Input,
  type Method,
  paramsOf,
  pathWith,
  type Route,
} from './route.ts'

/** How long the answer waits for the read models to apply the recorded events. */
const readModelsWithinMs = 2_000

const noBody = z.undefined()

export interface CommandDeclaration<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer,
> extends Declaration<Path> {
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
  /** The schema of the answer. Without it the answer is 204. */
  readonly record?: z.ZodType
  /** Some requests are answered without a record, by 204. */
  readonly isRecordOptional?: boolean
  /** Complete the answer with state from the read models. Without `reader`, they cannot be reached. */
  readonly present?: (answer: Answer, reader?: Reader) => unknown
  /** Return members of the answer that GET of the record does not have. The ETag leaves them out. */
  readonly beside?: (answer: Answer) => object | undefined
  /** With `?dryRun=true` the command decides and records nothing, and this answers. */
  readonly dryRun?: {
    readonly description: string
    readonly answer: z.ZodType
    readonly send: (decided: Answer, exchange: Exchange, services: Services) => Promise<void>
  }
  /** The path of the created record. A request that recorded events answers 201. */
  readonly location?: (answer: Answer) => string
  /** The answer holds a secret, so it is never compressed. */
  readonly holdsSecret?: boolean
  /** Whether the route supports If-Match. */
  readonly conditional?: boolean
  /** The access that it revokes. It answers only when that is in force on every node. */
  readonly revokes?: Revoked
  /** The codes with which the use case refuses. */
  readonly problems?: readonly ProblemCode[]
}

/** Declare a route that executes a command and answers once the read models have applied its events. */
export function command<
  const Path extends string,
  Answer,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = typeof noBody,
>(declaration: CommandDeclaration<Path, Query, Body, Answer>): Route {
  const {
    record,
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
      ...(conditional && {
        'if-match': z
          .string()
          .optional()
          .describe('Change the record only if it still has one of these ETags.'),
      }),
    }),
    body: declaration.body,
    bodyType: declaration.method === 'patch' ? 'application/merge-patch+json' : 'application/json',
    bodyFaults: declaration.bodyFaults,
    responses: {
      ...responsesOf(record && dryRun ? z.union([record, dryRun.answer]) : record, location !== undefined),
      ...(isRecordOptional && responsesOf(undefined, false)),
    },
    problems: [
      ...problems,
      ...commandCodes,
      ...(conditional ? (['precondition-failed'] as const) : []),
      ...(mayRequireIfMatch(declaration) ? (['precondition-required'] as const) : []),
      ...(declaration.revokes ? (['revocation-pending'] as const) : []),
    ],
    async answer(exchange, services) {
      const { params, query, body, principal } = exchange
      const input = { params, query, body, principal } as unknown as Input<
        Path,
        z.output<Query>,
        z.output<Body>
      >
      const useCase = declaration.command(input, services)
      const asked = {
        ...contextOf(exchange, await conditionOf(declaration, exchange, services)),
        // A revocation has several steps, and must finish even when it ends the access of its own author.
        ...(isOfCompany(declaration) && !declaration.revokes && { requireAccess: exchange.requireAccess }),
      }
      if (dryRun && query.dryRun === 'true') {
        const decided = await decideDry(useCase as Command<Answer>, asked, services)
        return dryRun.send(decided, exchange, services)
      }
      const context = asked.idempotency
        ? { ...asked, idempotency: await refuseReusedKey(asked.idempotency, services) }
        : asked
      const tools = {
        ...{ ...services.executor, newId: services.newId },
        untilShown: (step: Outcome<unknown>) => untilShown(useCase, step, services),
      }
      const outcome = await ('run' in useCase
        ? runWorkflow(useCase, tools, context)
        : services.executor.execute(useCase, context))
      const followed = declaration.revokes
        ? await untilInForce(declaration.revokes, outcome, services)
        : await untilShown(useCase, outcome, services)
      const { answer, shown } = await presented(outcome.body, services.reader, declaration.present)
      const hasRecord = record !== undefined && answer !== undefined
      const created = location && outcome.recorded.length > 0
      const bytes = hasRecord ? serialised(answer) : undefined
      const beside = declaration.beside?.(outcome.body)
      await send(exchange.res, {
        status: created ? 201 : hasRecord ? 200 : 204,
        headers: {
          'Cache-Control': 'no-store',
          'Commit-Position': outcome.position,
          'Projection-Status': followed && shown ? undefined : 'pending',
          'Idempotent-Replayed': outcome.replayed ? 'true' : undefined,
          ETag: etagOf(outcome, bytes),
          Location: created ? location(outcome.body) : undefined,
        },
        body: beside ? serialised({ ...(answer as object), ...beside }) : bytes,
        isSecret: declaration.holdsSecret ?? false,
      })
    },
  }
}

async function decideDry<Answer>(
  command: Command<Answer>,
  context: CommandContext,
  { beginDryRun, executor }: Services,
): Promise<Answer> {
  const dryRun = beginDryRun()
  try {
    return (await executor.execute(command, { ...context, dryRun })).body
  } finally {
    dryRun.end()
  }
}

function serialised(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Return the ETag that GET of the record answers. */
function etagOf({ etag, shown }: Outcome<unknown>, body: Buffer | undefined): string | undefined {
  if (etag === undefined) return undefined
  if (body === undefined) return etagOfRevision(etag)
  return etagOfRecord(etag, shown ? serialised(shown) : body)
}

/** Wait for the read models that apply these events. A repeat waits for the events of the first request. */
export function untilShown(
  { aggregate }: Pick<Command<unknown>, 'aggregate'>,
  { recorded, position }: Outcome<unknown>,
  { readModels, positions }: Services,
  withinMs = readModelsWithinMs,
): Promise<boolean> {
  const types = recorded.length > 0 ? recorded : Object.keys(aggregate.eventVersions)
  return positions.waitFor(readModels.handling(types), position, withinMs)
}

function responsesOf(record: z.ZodType | undefined, creates: boolean): Route['responses'] {
  const headers = ['Commit-Position', 'Projection-Status', 'Idempotent-Replayed'] as const
  if (!record) return { 204: { description: 'The request was carried out.', headers } }
  const shown = { schema: record, headers: [...headers, 'ETag'] as const }
  if (!creates) return { 200: { description: 'The record.', ...shown } }
  return {
    201: { description: 'Created.', schema: record, headers: [...headers, 'ETag', 'Location'] as const },
    200: { description: 'The record exists already; nothing was recorded.', ...shown },
  }
}

/** Return the caller as the author of what the request records. */
export function authorOf({ caller }: Exchange): Author {
  const { platformRoles: _, ...author } = caller!
  return author
}

type Condition = Pick<CommandContext, 'ifMatch' | 'ifMatchRequired'>

/** Return the condition on the record's revision: the one of the request, else the one that the company demands. */
async function conditionOf(
  declaration: Conditional,
  { headers, params }: Exchange,
  { settingsOf }: Services,
): Promise<Condition> {
  if (!declaration.conditional) return {}
  const sent = headers['if-match'] as string | undefined
  if (sent !== undefined) return { ifMatch: ifMatch(sent) }
  if (!mayRequireIfMatch(declaration)) return {}
  const { requireIfMatch } = await settingsOf(params.companyId!)
  return requireIfMatch ? { ifMatchRequired: true } : {}
}

type Conditional = Pick<Route, 'method' | 'access'> & { readonly conditional?: boolean }

/** Whether the route changes or deletes a record of a company, which may demand If-Match. */
function mayRequireIfMatch({ conditional = false, ...route }: Conditional): boolean {
  return conditional && route.method !== 'post' && isOfCompany(route)
}

function isOfCompany({ access }: Pick<Route, 'access'>): boolean {
  return typeof access === 'object' && 'company' in access
}

function contextOf(exchange: Exchange, condition: Condition): CommandContext {
  const { route, traceId, params, headers } = exchange
  const actor = authorOf(exchange)
  const key = headers['idempotency-key'] as string | undefined
  // Every body that has this member has it from `performed`.
  const { performedAt } = { ...(exchange.body as { readonly performedAt?: string } | undefined) }
  return {
    actor,
    correlationId: traceId,
    ...(performedAt !== undefined && { performedAt }),
    ...(key !== undefined && {
      idempotency: {
        key,
        caller: actor.id,
        request: `${route.method.toUpperCase()} ${pathWith(route.path, params).replace(/^\/api/, '')}`,
        ...exchange.requestHashes(),
      },
    }),
    ...condition,
  }
}

/** The events are recorded, so the answer must succeed even if the read models cannot be reached, or are busy. */
async function presented<Answer>(
  decided: Answer,
  reader: Reader,
  present: (answer: Answer, reader?: Reader) => unknown = (same) => same,
): Promise<{ answer: unknown; shown: boolean }> {
  try {
    return { answer: await present(decided, reader), shown: true }
  } catch (error) {
    const isBusy = error instanceof Refusal && error.code === 'too-busy'
    if (!isBusy && !(error instanceof PostgresUnavailable)) throw error
    return { answer: await present(decided), shown: false }
  }
}
