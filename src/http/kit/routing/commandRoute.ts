import { z } from 'zod'
import type { Command, CommandContext, Outcome, Workflow } from '../../../commands/command.ts'
import { runWorkflow } from '../../../commands/workflow.ts'
import type { Fault } from '../../../domain/refusal.ts'
import { PostgresUnavailable } from '../../../postgres.ts'
import { handlerOf } from '../../../projections/projection.ts'
import type { Reader } from '../../../projections/reading/reader.ts'
import { type Revoked, untilInForce } from '../authentication/revocation.ts'
import type { Services } from '../services.ts'
import { ifMatch } from './conditional.ts'
import { refuseReusedKey } from './idempotency.ts'
import { etagOf, send } from './respond.ts'
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

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .optional()
  .describe('Makes a repeat of this request safe: for 24 hours, the repeat gets the first answer.')

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
  /** Find faults that a schema cannot express. */
  readonly bodyFaults?: (body: unknown) => readonly Fault[]
  /** Return the command or workflow for the validated request. */
  readonly command: (
    input: Input<Path, z.output<Query>, z.output<Body>>,
    services: Services,
  ) => Command<Answer> | Workflow<Answer>
  /** The schema of the answer. Without it the answer is 204. */
  readonly record?: z.ZodType
  /** Complete the answer with state from the read models. Without `reader`, they cannot be reached. */
  readonly present?: (answer: Answer, reader?: Reader) => unknown
  /** The path of the created record. A request that recorded events answers 201. */
  readonly location?: (answer: Answer) => string
  /** Whether the route supports If-Match. */
  readonly conditional?: boolean
  /** The access that it revokes. It answers only when that is in force on every node. */
  readonly revokes?: Revoked
  readonly problems?: readonly number[]
}

/** Declare a route that executes a command and answers once the read models have applied its events. */
export function command<
  const Path extends string,
  Answer,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = typeof noBody,
>(declaration: CommandDeclaration<Path, Query, Body, Answer>): Route {
  const { record, location, conditional = false, problems = [] } = declaration
  return {
    ...declaration,
    params: paramsOf(declaration),
    query: (declaration.query ?? z.object({})).strict(),
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
    bodyFaults: declaration.bodyFaults,
    responses: responsesOf(record, location !== undefined),
    problems: [...problems, ...(conditional ? [412] : []), 422],
    async answer(exchange, services) {
      const { params, query, body, principal } = exchange
      const input = { params, query, body, principal } as unknown as Input<
        Path,
        z.output<Query>,
        z.output<Body>
      >
      const useCase = declaration.command(input, services)
      const context = contextOf(exchange, conditional)
      if (context.idempotency) await refuseReusedKey(context.idempotency, services)
      const outcome = await ('run' in useCase
        ? runWorkflow(useCase, { ...services.executor, newId: services.newId }, context)
        : services.executor.execute(useCase, context))
      const followed = declaration.revokes
        ? await untilInForce(declaration.revokes, outcome, services)
        : await untilShown(useCase, outcome, services)
      const { answer, shown } = await presented(outcome.body, services.reader, declaration.present)
      const created = location && outcome.recorded.length > 0
      send(exchange.res, {
        status: created ? 201 : record ? 200 : 204,
        headers: {
          'Cache-Control': 'no-store',
          'Commit-Position': outcome.position,
          'Projection-Status': followed && shown ? undefined : 'pending',
          'Idempotent-Replayed': outcome.replayed ? 'true' : undefined,
          ETag: outcome.etag === undefined ? undefined : etagOf(outcome.etag),
          Location: created ? location(outcome.body) : undefined,
        },
        body: record ? answer : undefined,
      })
    },
  }
}

function responsesOf(record: z.ZodType | undefined, creates: boolean): Route['responses'] {
  const headers = ['Commit-Position', 'Projection-Status', 'Idempotent-Replayed']
  if (!record) return { 204: { description: 'The request was carried out.', headers } }
  const shown = { schema: record, headers: [...headers, 'ETag'] }
  if (!creates) return { 200: { description: 'The record.', ...shown } }
  return {
    201: { description: 'Created.', schema: record, headers: [...headers, 'ETag', 'Location'] },
    200: { description: 'The record exists already; nothing was recorded.', ...shown },
  }
}

function contextOf(exchange: Exchange, conditional: boolean): CommandContext {
  const { route, caller, traceId, params, headers } = exchange
  const { id, name, kind } = caller!
  const key = headers['idempotency-key'] as string | undefined
  const condition = conditional ? (headers['if-match'] as string | undefined) : undefined
  const matches = condition === undefined ? undefined : ifMatch(condition)
  return {
    actor: { id, name, kind },
    correlationId: traceId,
    ...(key !== undefined && {
      idempotency: {
        key,
        caller: id,
        request: `${route.method.toUpperCase()} ${pathWith(route.path, params).replace(/^\/api/, '')}`,
        requestHash: exchange.requestHash(),
      },
    }),
    ...(matches && { ifMatch: (revision) => matches(etagOf(revision)) }),
  }
}

/** The events are recorded, so the answer must succeed even if the read models cannot be reached. */
async function presented<Answer>(
  decided: Answer,
  reader: Reader,
  present: (answer: Answer, reader?: Reader) => unknown = (same) => same,
): Promise<{ answer: unknown; shown: boolean }> {
  try {
    return { answer: await present(decided, reader), shown: true }
  } catch (error) {
    if (!(error instanceof PostgresUnavailable)) throw error
    return { answer: await present(decided), shown: false }
  }
}

/** Wait for the read models that apply these events. A repeat waits for the events of the first request. */
export function untilShown(
  { aggregate }: Pick<Command<unknown>, 'aggregate'>,
  { recorded, position }: Outcome<unknown>,
  { projections, positions }: Services,
  withinMs = readModelsWithinMs,
): Promise<boolean> {
  const types = recorded.length > 0 ? recorded : Object.keys(aggregate.eventVersions)
  const showing = projections.filter((projection) => types.some((type) => handlerOf(projection, { type })))
  return positions.waitFor(showing, position, withinMs)
}
