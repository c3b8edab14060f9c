import { Worker } from 'node:worker_threads'
import { readFile } from './read.ts'
import type { Portion, ToWorker } from './reader.ts'
import type { ReadRow } from './readRow.ts'
import { tooMuchMemory, Unreadable } from './unreadable.ts'

/** Reads one file in a process of its own, which may be ended at any time. Each message asks for some more rows. */

const rowsOfPortion = 100
/** A portion ends when its rows have about this many characters as JSON. */
const lengthOfPortion = 1_048_576
/** The most characters of a row as JSON. A plan with the most cuts, of four values each, takes two thirds of them. */
const longestRow = 33_554_432

// The watch must not keep a process alive that nobody asks any more.
new Worker(new URL('./memoryWatch.ts', import.meta.url), {
  workerData: { megabytes: Number(process.argv[2]), parent: process.ppid },
}).unref()

let rows: AsyncIterator<ReadRow> | undefined

process.on('message', async (message: ToWorker) => {
  if ('file' in message) rows = readFile(message.file)[Symbol.asyncIterator]()
  process.send!(await portion(rows!))
})

async function portion(from: AsyncIterator<ReadRow>): Promise<Portion> {
  const read: ReadRow[] = []
  try {
    let length = 0
    while (read.length < rowsOfPortion && length < lengthOfPortion) {
      const next = await from.next()
      if (next.done) return { rows: read, isLast: true }
      length += lengthOf(next.value)
      read.push(next.value)
    }
    return { rows: read, isLast: false }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { unreadable: error.message }
  }
}

/** A row may hold one text many times, such as the mark of 200 equal pieces. @throws Unreadable */
function lengthOf(row: ReadRow): number {
  const length = lengthAsJson(row)
  if (length > longestRow) throw new Unreadable(tooMuchMemory)
  return length
}

function lengthAsJson(row: ReadRow): number {
  try {
    return JSON.stringify(row).length
  } catch {
    // V8 has no text of this length.
    return Number.POSITIVE_INFINITY
  }
}
