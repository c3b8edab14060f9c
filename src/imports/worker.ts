import { parentPort, workerData } from 'node:worker_threads'
import { type ImportFile, readFile } from './read.ts'
import type { Portion } from './reader.ts'
import type { ReadRow } from './readRow.ts'
import { Unreadable } from './unreadable.ts'

/** Reads one file in a thread of its own, which may be ended at any time. Each message asks for some more rows. */

const rowsOfPortion = 100

const rows = readFile(workerData as ImportFile)[Symbol.asyncIterator]()

parentPort!.on('message', async () => parentPort!.postMessage(await portion()))

async function portion(): Promise<Portion> {
  const read: ReadRow[] = []
  try {
    while (read.length < rowsOfPortion) {
      const next = await rows.next()
      if (next.done) return { rows: read, isLast: true }
      read.push(next.value)
    }
    return { rows: read, isLast: false }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { unreadable: error.message }
  }
}
