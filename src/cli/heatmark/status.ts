import { PostgresUnavailable } from '../../postgres.ts'
import { readStates } from '../../projections/schema.ts'
import type { Output } from './output.ts'
import { type Stores, schemaOf } from './stores.ts'

/** Shows how far each projection is; false when one has stopped or is behind. */
export const showStatus = async ({ eventStore, postgres }: Stores, output: Output): Promise<boolean> => {
  const schema = await schemaOf(eventStore)
  const head = (await eventStore.last())?.position ?? 0
  const states = await readStates(postgres, schema).catch((error) => {
    if (error instanceof PostgresUnavailable) throw error
    throw new Error(`this release has no read models here yet (schema ${schema}): start the service once`)
  })
  const rows = states.map(({ name, version, status, position, generation, failure }) => ({
    projection: name,
    version,
    status,
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
  return rows.every(({ status, behind }) => status === 'running' && behind === 0)
}
