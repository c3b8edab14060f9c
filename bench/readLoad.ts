import { openClient } from '../src/stores/eventStoreDb/client.ts'
import { readTask } from './processes.ts'

/** Reads to the end with the bare client, and does nothing with the events. */

export interface ReadTask {
  readonly url: string
  /** The stream to read; undefined reads `$all`. */
  readonly stream?: string
}

export interface ReadResult {
  readonly events: number
  readonly milliseconds: number
}

const { url, stream } = await readTask<ReadTask>()
const client = openClient(url)
const began = performance.now()
let events = 0
for await (const _ of stream ? client.readStream(stream) : client.readAll()) events += 1
const result: ReadResult = { events, milliseconds: performance.now() - began }
process.stdout.write(JSON.stringify(result), () => process.exit())
