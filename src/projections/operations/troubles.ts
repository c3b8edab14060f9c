import type { EventStore } from '../../eventStore.ts'
import type { Queries } from '../../postgres.ts'
import { findRewound } from '../../subscription/checkpoint.ts'
import type { Projection } from '../projection.ts'
import type { Failure, ProjectionState } from '../schema/schema.ts'
import { findMissingTables, missingText, rebuildTodo } from './missingTables.ts'
import { maySkip } from './skip.ts'

/** The condition of a read model that does more than lag, and what to do: the same text wherever it is shown. */
export interface Trouble {
  readonly status: 'failed' | 'table-missing' | 'went-back'
  readonly what: string
  readonly todo: string
}

export interface TroublesOptions {
  readonly eventStore: EventStore
  readonly postgres: Queries
  readonly schema: string
  readonly projections: readonly Projection[]
}

export const rewoundTodo =
  'stop every process. If the right store can come back, let it, and start again; else follow "The event store was rewound" in docs/operations.md'

export const newerReleaseTodo = 'run the newer release on every node: nothing else is needed'

function failedTodo(
  name: string,
  { code, event }: Failure,
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

/** Find the worst condition of each projection that has one, by name. @throws StoreUnavailable, PostgresUnavailable */
export async function findTroubles(
  { eventStore, postgres, schema, projections }: TroublesOptions,
  states: readonly ProjectionState[],
): Promise<ReadonlyMap<string, Trouble>> {
  const troubles = new Map<string, Trouble>()
  for (const { name, failure } of states)
    if (failure)
      troubles.set(name, {
        status: 'failed',
        what: `stopped before ${failure.event.type} at ${failure.event.position}: ${failure.code}: ${failure.message}`,
        todo: failedTodo(
          name,
          failure,
          projections.find((one) => one.name === name),
        ),
      })
  for (const [name, tables] of await findMissingTables(postgres, schema, projections, states))
    troubles.set(name, {
      status: 'table-missing',
      what: missingText(tables),
      todo: rebuildTodo(name),
    })
  for (const [{ name }, { message }] of await findRewound(eventStore, states))
    troubles.set(name, { status: 'went-back', what: message, todo: rewoundTodo })
  return troubles
}
