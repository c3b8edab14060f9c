import { EventStoreDBClient } from '@eventstore/db-client'
import { readTask } from './processes.ts'

/** The bare client reading to the end and doing nothing: events a second. */

export interface ReadTask {
  readonly url: string
  /** A stream; undefined: all of them. */
  readonly stream?: string
}

export interface ReadResult {
  readonly events: number
  readonly milliseconds: number
}

const { url, stream } = await readTask<ReadTask>()
const client = EventStoreDBClient.connectionString(url)
const began = performance.now()
let events = 0
for await (const _ of stream ? client.readStream(stream) : client.readAll()) events += 1
const result: ReadResult = { events, milliseconds: performance.now() - began }
process.stdout.write(JSON.stringify(result), () => process.exit())
