import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { confine } from './confine.ts'
import { loadReader, readFile, readPages } from './read.ts'
import type { Portion, ToWorker } from './reader.ts'
import type { ReadRow } from './readRow.ts'
import { piecesOf, type RowPiece } from './rowPieces.ts'
import { tooMuchMemory, Unreadable, unreadable } from './unreadable.ts'

/** Reads one file in a process of its own, which may be ended at any time. Each message asks for some more rows. */

const rowsOfPortion = 100
/** A portion ends when its rows have about this many characters as JSON. */
const lengthOfPortion = 262_144
/** The most characters of a row as JSON. A plan with the most cuts, of four values each, takes two thirds of them. */
const longestRow = 33_554_432

// The watch must not keep a process alive that nobody asks any more.
const [megabytes, cpuMs, scanCpuMs] = process.argv.slice(2).map(Number)
const watch = new Worker(new URL('./watch.ts', import.meta.url), {
  workerData: { megabytes, cpuMs, scanCpuMs, parent: process.ppid },
})
watch.unref()

let rows: AsyncIterator<RowPiece> | undefined

process.on('message', async (message: ToWorker) => {
  if ('file' in message) {
    await loadReader(message.file)
    confine()
    const { some } = message
    if (some) {
      process.send!(await answerWith(async () => ({ part: await readPages(some, message.file.bytes) })))
      return
    }
    rows = inPieces(readFile(message.file, readAsScan))[Symbol.asyncIterator]()
  }
  process.send!(await readPortion(rows!))
})

/** A scan takes seconds of the processor. Requests come first meanwhile. */
function readAsScan(): void {
  watch.postMessage('scan')
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

async function readPortion(from: AsyncIterator<RowPiece>): Promise<Portion> {
  const pieces: RowPiece[] = []
  return answerWith(async () => {
    let length = 0
    while (pieces.length < rowsOfPortion && length < lengthOfPortion) {
      const next = await from.next()
      if (next.done) return { rows: pieces, isLast: true }
      length += lengthAsJson(next.value)
      pieces.push(next.value)
    }
    return { rows: pieces, isLast: false }
  })
}

async function answerWith(work: () => Promise<Portion>): Promise<Portion> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { unreadable: error.message, reason: error.reason }
  }
}

/** A row may hold one text many times, such as the mark of 200 equal pieces. @throws Failure `unreadable` */
async function* inPieces(rows: AsyncIterable<ReadRow>): AsyncIterable<RowPiece> {
  for await (const row of rows) {
    let length = 0
    for (const piece of piecesOf(row)) {
      const { values, undecided, faults } = piece
      length += lengthAsJson({ values, undecided, faults })
      if (length > longestRow) throw unreadable('too-large', tooMuchMemory)
      yield piece
    }
  }
}

function lengthAsJson(part: object): number {
  try {
    return JSON.stringify(part).length
  } catch {
    // V8 has no text of this length.
    return Number.POSITIVE_INFINITY
  }
}
