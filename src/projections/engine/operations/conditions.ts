import type { EventStore } from '../../../stores/eventStore.ts'
import type { Queries } from '../../../stores/postgres/postgres.ts'
import { findRewound } from '../../../stores/subscription/checkpoint.ts'
import type { Projection } from '../projection.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { ProjectionFailure, ProjectionState } from '../schema/schema.ts'
import { findMissingTables, missingText, rebuildTodo } from './missingTables.ts'
import { maySkip } from './skip.ts'

/** The condition of a read model that does more than lag, and what to do: the same text wherever it is shown. */
export interface Condition {
  readonly status: 'failed' | 'table-missing' | 'went-back'
  readonly what: string
  readonly todo: string
}

export interface ConditionsOptions {
  readonly eventStore: EventStore
  readonly postgres: Queries
  readonly readModels: ReadModels
}

export const rewoundTodo =
  'stop every process. If the right store can come back, let it, and start again; else follow "The event store was rewound" in docs/operations.md'

export const newerReleaseTodo = 'run the newer release on every node: nothing else is needed'

/** Find the worst condition of each projection that has one, by name. @throws StoreUnavailable, PostgresUnavailable */
export async function findConditions(
  { eventStore, postgres, readModels }: ConditionsOptions,
  states: readonly ProjectionState[],
): Promise<ReadonlyMap<string, Condition>> {
  const conditions = new Map<string, Condition>()
  for (const { name, failure } of states)
    if (failure)
      conditions.set(name, {
        status: 'failed',
        what: `stopped before ${failure.event.type} at ${failure.event.position}: ${failure.code}: ${failure.message}`,
        todo: failedTodo(name, failure, readModels.find(name)),
      })
  for (const [name, tables] of await findMissingTables(postgres, readModels, states))
    conditions.set(name, { status: 'table-missing', what: missingText(tables), todo: rebuildTodo(name) })
  for (const [{ name }, { message }] of await findRewound(eventStore, states))
    conditions.set(name, { status: 'went-back', what: message, todo: rewoundTodo })
  return conditions
}

function failedTodo(
  name: string,
  { code, event }: ProjectionFailure,
  projection: Pick<Projection, 'skippable'> = {},
): string {
  const rebuild = `"heatmark projections rebuild ${name}"`
  if (code === 'newer-release-running') return newerReleaseTodo
  const skip = maySkip(projection, event.type)
    ? `; if no release ever will, "heatmark projections skip ${name} --reason …" passes over it`
    : ''
  // An SQLSTATE: PostgreSQL refused the rows.
  if (/^[0-9A-Z]{5}$/.test(code))
    return `${rebuild}, if somebody has changed its rows or tables by hand; else run a release that can fold this event first${skip}`
  return `run a release that can fold this event, then ${rebuild}${skip}`
}
