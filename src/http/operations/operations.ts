import { z } from 'zod'
import { projections } from '../../projections/all.ts'
import type { RunKind } from '../../projections/engine/operations/runs.ts'
import { Problem } from '../kit/problem.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, paramsOf, type Route } from '../kit/routing/route.ts'
import { timestamp, uuid } from '../kit/schemas/fields.ts'

/** Operations on the read models: status, rebuild and verify. */

const failure = z
  .object({
    code: z.string(),
    message: z.string(),
    stack: z.string().optional(),
    ofFold: z
      .boolean()
      .meta({ description: 'Whether the fold of the event threw, and not the writing of its rows.' }),
    event: z
      .object({
        id: z.string(),
        type: z.string(),
        streamName: z.string(),
        revision: z.int(),
        position: z.int(),
        schemaVersion: z.int(),
        companyIds: z.array(z.string()),
      })
      .meta({ description: 'The event at which the read model stopped.' }),
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
        companyIds: z.array(z.string()).meta({ description: 'The companies whose rows lack the event.' }),
        reason: z.string(),
        automatic: z.boolean(),
        skippedAt: timestamp,
      })
      .meta({ id: 'SkippedEvent' }),
  )
  .meta({
    description: 'Events that it skips: an operator said so, or (`automatic`) this release cannot fold them.',
  })

const projection = z
  .object({
    name: z.string(),
    version: z.int(),
    status: z.enum(['running', 'failed', 'table-missing', 'went-back']).meta({ id: 'ProjectionStatus' }),
    position: z.int().meta({ description: 'The position of the last applied event.' }),
    head: z.int().meta({ description: 'Position of the last event in the store.' }),
    lag: z.int().meta({ description: 'The head minus the position; 0 when the read model is up to date.' }),
    generation: z.int().meta({ description: 'The generation of its tables; each rebuild creates the next.' }),
    condition: z
      .object({ what: z.string(), todo: z.string() })
      .nullable()
      .meta({ description: 'The problem and its remedy; null while the read model is running.' }),
    rows: z
      .int()
      .nullable()
      .meta({ description: 'The rows in all of its tables; null if a table is missing.' }),
    rowsAreEstimated: z
      .boolean()
      .meta({ description: 'Whether `rows` is an estimate. Large tables are not counted exactly.' }),
    lastError: failure.nullable(),
    skipped,
  })
  .meta({ id: 'Projection' })

const difference = z
  .object({
    projection: z.string(),
    table: z.string(),
    key: z.record(z.string(), z.unknown()),
    column: z
      .string()
      .meta({ description: 'The column that differs; `*` for a row that only one side has.' }),
    live: z.unknown(),
    rebuilt: z.unknown(),
  })
  .meta({ id: 'Difference' })

const begun = z.object({
  runId: uuid,
  kind: z.enum(['rebuild', 'verify']).meta({ id: 'ReadModelRunKind' }),
  projection: z.string(),
  status: z.enum(['running', 'succeeded', 'failed', 'stalled']).meta({ id: 'ReadModelRunStatus' }),
})
const run = begun
  .extend({
    progress: z.number().min(0).max(1),
    position: z.int().meta({ description: 'The position of the last folded event.' }),
    target: z.int().meta({ description: 'The position of the last event to fold, as far as it is known.' }),
    eventsPerSecond: z.number(),
    etaSeconds: z.number().nullable(),
    differenceCount: z.int(),
    differences: z.array(difference).meta({ description: 'The first 1,000 differences.' }),
    stopped: z
      .array(
        z.object({
          projection: z.string(),
          position: z.int().meta({ description: 'The position of the event at which it stopped.' }),
        }),
      )
      .meta({
        description: 'Stopped read models. A verify compares them only up to that position.',
      }),
    skipped,
    error: z.string().nullable().meta({ description: 'Why the run failed.' }),
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

/** Any text is accepted; the answer to an unknown name lists the known ones. */
const projectionName = z
  .string()
  .min(1)
  .max(100)
  .meta({ id: 'ProjectionName', as: { type: 'string', enum: projections.map(({ name }) => name) } })

const following = {
  ...group,
  path: `${runs}/{runId}`,
  operationId: 'getRun',
  summary: 'Read the progress and result of a run',
} as const satisfies Declaration

export const operationRoutes: Route[] = [
  {
    ...group,
    ...nothingElse,
    method: 'get',
    path: all,
    operationId: 'listProjections',
    summary: 'List the read models with their progress',
    params: z.object({}),
    responses: { 200: { description: 'The read models, ordered by name.', schema: z.array(projection) } },
    problems: [],
    answer: async ({ res }, { operations }) =>
      send(res, { status: 200, headers: fresh, body: await operations.report() }),
  },
  startRoute(
    'rebuild',
    'Rebuild a read model from the first event',
    'Readers see the current rows until the new ones are complete. A rebuild also restarts a stopped read model.',
  ),
  startRoute(
    'verify',
    'Compare a read model with a fold of all events',
    'A verify changes nothing. The run lists the differences with their values.',
  ),
  {
    ...group,
    ...nothingElse,
    method: 'get',
    path: runs,
    operationId: 'listRuns',
    summary: 'List the last 100 runs',
    description: 'The list omits the differences. Read a single run to see them.',
    params: z.object({}),
    responses: { 200: { description: 'The runs, newest first.', schema: z.array(runSummary) } },
    problems: [],
    answer: async ({ res }, { operations }) =>
      send(res, { status: 200, headers: fresh, body: await operations.list() }),
  },
  {
    ...following,
    ...nothingElse,
    method: 'get',
    params: paramsOf(following),
    responses: { 200: { description: 'The last known state of the run.', schema: run } },
    problems: ['run-not-found'],
    async answer({ res, params }, { operations }) {
      const state = await operations.find(params.runId!)
      if (!state) throw new Problem('run-not-found', `There is no run ${params.runId}.`)
      await send(res, { status: 200, headers: fresh, body: state })
    },
  },
]

function startRoute(kind: RunKind, summary: string, description: string): Route {
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
    responses: { 202: { description: 'The run has started.', schema: begun, headers: ['Location'] } },
    problems: ['projection-not-found', 'run-under-way'],
    async answer({ res, params }, { operations, readModels }) {
      const projection = readModels.find(params.name!)
      if (!projection)
        throw new Problem(
          'projection-not-found',
          `There is no projection ${params.name}; there are ${readModels.projections.map(({ name }) => name).join(', ')}.`,
        )
      const runId = await operations.start(kind, projection)
      await send(res, {
        status: 202,
        headers: { ...fresh, Location: `${runs}/${runId}` },
        body: { runId, kind, projection: projection.name, status: 'running' },
      })
    },
  }
}
