import type { EventStore } from '../../eventStore.ts'
import { PostgresUnavailable } from '../../postgres.ts'
import { checkHistory, WentBack } from '../../projections/feed.ts'
import { type ProjectionState, readStates } from '../../projections/schema.ts'
import type { Output } from './output.ts'
import { type Stores, schemaOf } from './stores.ts'

/** Positions at which the store does not have the event that was folded there, with what it says instead. */
const strangePositions = async (
  eventStore: EventStore,
  states: readonly ProjectionState[],
): Promise<ReadonlyMap<number, string>> => {
  const strange = new Map<number, string>()
  const kept = new Map(states.map((state) => [state.position, state]))
  for (const [position, state] of kept)
    await checkHistory(eventStore, state).catch((error) => {
      if (!(error instanceof WentBack)) throw error
      strange.set(position, error.message)
    })
  return strange
}

/** Shows how far each projection is; false when one has stopped, is behind, or is of another history. */
export const showStatus = async ({ eventStore, postgres }: Stores, output: Output): Promise<boolean> => {
  const schema = await schemaOf(eventStore)
  const head = (await eventStore.last())?.position ?? 0
  const states = await readStates(postgres, schema).catch((error) => {
    if (error instanceof PostgresUnavailable) throw error
    throw new Error(`this release has no read models here yet (schema ${schema}): start the service once`)
  })
  const strange = await strangePositions(eventStore, states)
  const rows = states.map(({ name, version, status, position, generation, failure }) => ({
    projection: name,
    version,
    status: strange.has(position) ? 'went-back' : status,
    position,
    head,
    behind: Math.max(0, head - position),
    generation,
    failure:
      failure && (output.json ? failure : `${failure.code} at ${failure.event.position}: ${failure.message}`),
  }))
  output.table(rows)
  for (const { name, failure } of states)
    if (failure)
      output.remark(
        `\n${name} stopped before ${failure.event.type} at ${failure.event.position}:\n${failure.stack ?? failure.message}`,
      )
  for (const message of strange.values()) output.remark(`\n${message}`)
  return rows.every(({ status, behind }) => status === 'running' && behind === 0)
}
