import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from '../../../eventStore.ts'
import type { Postgres } from '../../../postgres.ts'
import { projections } from '../../../projections/all.ts'
import { checkHistory, WentBack } from '../../../projections/feed.ts'
import { localVersion } from '../../../projections/local.ts'
import { type ProjectionState, readStates } from '../../../projections/schema.ts'
import { schemaName } from '../../../projections/sql.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Whether this release's read models are there, of this store's history, running and up to date. */

/** A projector that is well is not behind for as long as this. */
export const catchUpMs = 2_000
const lookEveryMs = 100

export const wentBackTodo =
  'stop every process. If the right store can come back, let it, and start again; else follow "The event store went back" in docs/operations.md'

const checkLocal = async (postgres: Postgres): Promise<Finding> => {
  const check = 'schema heatmark_local'
  const [there] = await postgres.query<{ there: boolean }>(
    "SELECT to_regclass('heatmark_local.version') IS NOT NULL AS there",
  )
  if (!there!.there) return problem(check, 'is not there', 'start the service once, which makes it')
  const [row] = await postgres.query<{ version: number }>('SELECT version FROM heatmark_local.version')
  const version = row?.version ?? 0
  if (version === localVersion) return ok(check, `version ${version}`)
  return version > localVersion
    ? problem(
        check,
        `version ${version}, of a newer release; this one knows ${localVersion}`,
        'use the newer release: this one does not start on it any more',
      )
    : problem(
        check,
        `version ${version}; this release has ${localVersion}`,
        'start this release once: it migrates in place',
      )
}

interface Schemas {
  readonly finding: Finding
  readonly there: boolean
}

const checkSchema = async (postgres: Postgres, schema: string): Promise<Schemas> => {
  const check = 'read models'
  const rows = await postgres.query<{ name: string }>(
    "SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_' ORDER BY nspname",
  )
  const names = rows.map(({ name }) => name)
  const ofStore = names.filter((name) => name.startsWith(schema.slice(0, schema.lastIndexOf('_') + 1)))
  const others = ofStore.filter((name) => name !== schema)
  const strangers = names.length - ofStore.length
  if (ofStore.includes(schema)) {
    const more =
      others.length > 0 ? `; ${others.length} of other releases ("heatmark projections prune")` : ''
    return { there: true, finding: ok(check, `schema ${schema}${more}`) }
  }
  const elsewhere = others.length > 0 ? `, only of other releases: ${others.join(', ')}` : ''
  const todo =
    strangers > 0 && others.length === 0
      ? 'the database has read models of another store: see that EVENTSTORE_URL and DATABASE_URL belong together, then start the service'
      : 'start this release: it builds them from the first event on, while the other goes on serving its own'
  return {
    there: false,
    finding: problem(check, `this release has none here (schema ${schema})${elsewhere}`, todo),
  }
}

/** The states once all that run have reached `head`, or as they are after so long. */
const settledStates = async (
  postgres: Postgres,
  schema: string,
  head: number,
  clock: () => number,
  withinMs: number,
): Promise<ProjectionState[]> => {
  const end = clock() + withinMs
  for (;;) {
    const states = await readStates(postgres, schema)
    if (states.every(({ status, position }) => status === 'failed' || position >= head)) return states
    if (clock() > end) return states
    await pause(lookEveryMs)
  }
}

const checkState = (
  { name, status, position, failure }: ProjectionState,
  head: number,
): Finding | undefined => {
  if (status === 'failed')
    return problem(
      `projection ${name}`,
      `stopped before ${failure?.event.type} at ${failure?.event.position}: ${failure?.code}: ${failure?.message}`,
      failure?.code === 'newer-release-running'
        ? 'run the newer release on every node: it goes on by itself'
        : `run a release that can fold this event, then "heatmark projections rebuild ${name}"`,
    )
  if (position >= head) return undefined
  return problem(
    `projection ${name}`,
    `at ${position}, behind the store's ${head}`,
    'if its position moves ("heatmark status"), wait; else see to the projector above',
  )
}

const checkHistories = async (
  eventStore: EventStore,
  states: readonly ProjectionState[],
): Promise<Finding> => {
  const check = 'history'
  try {
    const seen = new Set<number>()
    for (const state of states) {
      if (seen.has(state.position)) continue
      seen.add(state.position)
      await checkHistory(eventStore, state)
    }
    return ok(check, 'the store has the events that the read models end with')
  } catch (error) {
    const todo = error instanceof WentBack ? wentBackTodo : 'see to the event store above'
    return problem(check, (error as Error).message, todo)
  }
}

export interface ReadModelsOptions {
  readonly eventStore: EventStore
  readonly postgres: Postgres
  readonly storeId: string
  readonly head: number
  readonly clock: () => number
}

/** Whether there is anything to look at beside the store: what a service makes at its first start. */
export const isPrepared = async (postgres: Postgres, storeId: string): Promise<boolean> => {
  const [row] = await postgres.query<{ there: boolean }>(
    `SELECT to_regclass('heatmark_local.lease') IS NOT NULL
       AND EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS there`,
    [schemaName(storeId, projections)],
  )
  return row!.there
}

/** `isLed`: only then is it worth while to wait for those that are behind. */
export const checkReadModels = async ({
  eventStore,
  postgres,
  storeId,
  head,
  clock,
  isLed,
}: ReadModelsOptions & { readonly isLed: boolean }): Promise<Finding[]> => {
  const schema = schemaName(storeId, projections)
  const local = await checkLocal(postgres)
  const { finding, there } = await checkSchema(postgres, schema)
  if (!there) return [local, finding]
  const states = await settledStates(postgres, schema, head, clock, isLed ? catchUpMs : 0)
  const faults = states.map((state) => checkState(state, head)).filter((fault) => fault !== undefined)
  const well =
    faults.length === 0 ? [ok('projections', `${states.length} running, none behind position ${head}`)] : []
  return [local, finding, await checkHistories(eventStore, states), ...well, ...faults]
}
