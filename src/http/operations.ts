import { z } from 'zod'
import { projections } from '../projections/all.ts'
import { BusyWith } from '../projections/operations/operations.ts'
import { ReplayUnderWay } from '../projections/operations/replay.ts'
import type { RunKind } from '../projections/operations/runs.ts'
import { Problem } from './kit/problem.ts'
import { send } from './kit/routing/respond.ts'
import { type Declaration, paramsOf, type Route } from './kit/routing/route.ts'
import { timestamp, uuid } from './kit/schemas/fields.ts'

/** What operators see of the read models, and do with them. */

const failure = z
  .object({
    code: z.string(),
    message: z.string(),
    stack: z.string().optional(),
    event: z
      .object({
        id: z.string(),
        type: z.string(),
        streamName: z.string(),
        revision: z.int(),
        position: z.int(),
        schemaVersion: z.int(),
      })
      .meta({ description: 'The event that it stopped before.' }),
    at: timestamp,
  })
  .meta({ id: 'ProjectionFailure' })

const skipped = z
  .array(
    z
      .object({
        projection: z.string(),
        eventId: z.string(),
        eventType: z.string(),
        streamName: z.string(),
        position: z.int(),
        reason: z.string(),
        skippedAt: timestamp,
      })
      .meta({ id: 'SkippedEvent' }),
  )
  .meta({ description: 'Events that it passes over, because an operator said so.' })

const projection = z
  .object({
    name: z.string(),
    version: z.int(),
    status: z.enum(['running', 'failed', 'table-missing', 'went-back']),
    position: z.int().meta({ description: 'Of the last event that its rows show.' }),
    head: z.int().meta({ description: 'Position of the last event in the store.' }),
    lag: z.int().meta({ description: 'Positions from the one to the other; 0 when it is up to date.' }),
    generation: z.int().meta({ description: 'Which of its tables are read: a rebuild makes the next.' }),
    trouble: z
      .object({ what: z.string(), todo: z.string() })
      .nullable()
      .meta({ description: 'What is the matter, and what to do about it; null while it is running.' }),
    rows: z
      .int()
      .nullable()
      .meta({ description: 'How many it has in all its tables; null when one of these is missing.' }),
    rowsAreEstimated: z
      .boolean()
      .meta({ description: 'Whether that is only about how many: large tables are not counted.' }),
    lastError: failure.nullable(),
    skipped,
  })
  .meta({ id: 'Projection' })

const difference = z
  .object({
    projection: z.string(),
    table: z.string(),
    key: z.record(z.string(), z.unknown()),
    column: z.string().meta({ description: '`*` for a row that only one side has.' }),
    live: z.unknown(),
    rebuilt: z.unknown(),
  })
  .meta({ id: 'Difference' })

const begun = z.object({
  runId: uuid,
  kind: z.enum(['rebuild', 'verify']),
  projection: z.string(),
  status: z.enum(['running', 'succeeded', 'failed', 'stalled']),
})
const run = begun
  .extend({
    progress: z.number().min(0).max(1),
    position: z.int().meta({ description: 'Of the last event folded.' }),
    target: z.int().meta({ description: 'Of the last event to fold, as far as it is known.' }),
    eventsPerSecond: z.number(),
    etaSeconds: z.number().nullable(),
    differenceCount: z.int(),
    differences: z.array(difference).meta({ description: 'The first 1,000.' }),
    stopped: z
      .array(
        z.object({
          projection: z.string(),
          position: z.int().meta({ description: 'Of the event that it has stopped before.' }),
        }),
      )
      .meta({
        description: 'Read models that have stopped: a verify compared them up to there, no further.',
      }),
    skipped,
    error: z.string().nullable().meta({ description: 'Why it failed.' }),
    startedAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Run' })
const runSummary = run.omit({ differences: true }).meta({ id: 'RunSummary' })

const group = { tag: 'Operations', access: { platform: 'Operator' } } as const
const nothingElse = { query: z.strictObject({}), headers: z.object({}), body: undefined } as const
const fresh = { 'Cache-Control': 'no-store' }

const all = '/api/ops/projections'
const runs = '/api/ops/runs'

/** Any text is taken, and the answer to an unknown one names those that there are. */
const projectionName = z
  .string()
  .min(1)
  .max(100)
  .meta({ enum: projections.map(({ name }) => name) })

function starting(kind: RunKind, summary: string, description: string): Route {
  const declaration = {
    ...group,
    path: `${all}/{name}/${kind}`,
    operationId: `${kind}Projection`,
    summary,
    description,
    params: { name: projectionName },
  } satisfies Declaration<`${string}{name}${string}`>
  return {
    ...declaration,
    ...nothingElse,
    method: 'post',
    params: paramsOf(declaration),
    responses: { 202: { description: 'It is under way.', schema: begun, headers: ['Location'] } },
    problems: [404, 409],
    async answer({ res, params }, { operations, projections }) {
      const projection = projections.find(({ name }) => name === params.name)
      if (!projection)
        throw new Problem(
          404,
          'projection-not-found',
          `There is no projection ${params.name}; there are ${projections.map(({ name }) => name).join(', ')}.`,
        )
      const runId = await operations.start(kind, projection).catch((error) => {
        throw refused(error)
      })
      send(res, {
        status: 202,
        headers: { ...fresh, Location: `${runs}/${runId}` },
        body: { runId, kind, projection: projection.name, status: 'running' },
      })
    },
  }
}

function refused(error: unknown): unknown {
  if (error instanceof BusyWith)
    return new Problem(409, 'run-under-way', 'This service carries out one run at a time.', {
      members: { runId: error.runId },
    })
  if (error instanceof ReplayUnderWay)
    return new Problem(409, 'run-under-way', `Another process has begun: ${error.message}.`)
  return error
}

const following = {
  ...group,
  path: `${runs}/{runId}`,
  operationId: 'getRun',
  summary: 'How far a run is, and what it found',
} as const satisfies Declaration

export const operationRoutes: Route[] = [
  {
    ...group,
    ...nothingElse,
    method: 'get',
    path: all,
    operationId: 'listProjections',
    summary: 'Every read model: how far it is, and what stopped it',
    params: z.object({}),
    responses: { 200: { description: 'In the order of their names.', schema: z.array(projection) } },
    problems: [],
    answer: async ({ res }, { operations }) =>
      send(res, { status: 200, headers: fresh, body: await operations.report() }),
  },
  starting(
    'rebuild',
    'Build a read model again from the first event on',
    'Everybody reads the present rows until the new ones are complete. It also brings back a read model that has stopped.',
  ),
  starting(
    'verify',
    'Compare a read model with a fold of all events',
    'Nothing is changed. The differences, with the values that differ, are in the run.',
  ),
  {
    ...group,
    ...nothingElse,
    method: 'get',
    path: runs,
    operationId: 'listRuns',
    summary: 'The last 100 runs',
    description: 'The differences that a run found are in the answer to a GET of that run alone.',
    params: z.object({}),
    responses: { 200: { description: 'Newest first.', schema: z.array(runSummary) } },
    problems: [],
    answer: async ({ res }, { operations }) =>
      send(res, { status: 200, headers: fresh, body: await operations.list() }),
  },
  {
    ...following,
    ...nothingElse,
    method: 'get',
    params: paramsOf(following),
    responses: { 200: { description: 'The run as it was last heard of.', schema: run } },
    problems: [404],
    async answer({ res, params }, { operations }) {
      const found = await operations.find(params.runId!)
      if (!found) throw new Problem(404, 'run-not-found', `There is no run ${params.runId}.`)
      send(res, { status: 200, headers: fresh, body: found })
    },
  },
]
