import { randomUUID } from 'node:crypto'
import { jsonEvent } from '@eventstore/db-client'
import { openClient } from '../src/stores/eventStoreDb/client.ts'
import { keepGoing } from './commandLoad.ts'
import { readTask } from './processes.ts'

/** Appends events like those of tag updates with the bare client; each lane has a stream of its own. */

export interface AppendTask {
  readonly url: string
  readonly inFlight: number
  readonly seconds: number
}

const { url, inFlight, seconds } = await readTask<AppendTask>()
const client = openClient(url)
const companyId = randomUUID()
const revisions = new Map<number, bigint>()

const result = await keepGoing({ inFlight, seconds }, async (turn, lane) => {
  const name = `Tag ${turn}`
  const event = jsonEvent({
    id: randomUUID(),
    type: 'BenchTagUpdated',
    data: {
      companyId,
      family: 'millCert',
      tagId: companyId,
      name,
      color: '#1f77b4',
      description: null,
      severity: 'Flag',
      changes: [{ field: 'name', from: 'Tag', to: name }],
    },
    metadata: {
      actor: { id: companyId, name: 'Edith Editor', kind: 'application' },
      occurredAt: new Date().toISOString(),
      correlationId: randomUUID(),
      schemaVersion: 1,
    },
  })
  const { nextExpectedRevision, success } = await client.appendToStream(`bench-${companyId}-${lane}`, event, {
    expectedRevision: revisions.get(lane) ?? 'no_stream',
  })
  revisions.set(lane, nextExpectedRevision)
  return success
})
process.stdout.write(JSON.stringify(result), () => process.exit())
