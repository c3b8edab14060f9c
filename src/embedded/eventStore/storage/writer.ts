import { realpathSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { now } from '../../../lib/clocks.ts'
import { explain, isFull, makePrivate, openForWriting } from './database.ts'
import { createFrameWriter, takeFrames, writeEvent } from './frames.ts'
import { lockStore } from './lock.ts'
import { type Log, openLog } from './log.ts'
import type { Commit, EventHeader, WriteOutcome, WriteRequest } from './types.ts'
import { write } from './writing.ts'

/**
 * The thread of the one writer. It writes each batch of requests in one transaction and answers when that is on
 * the disk. A batch that the disk has no room for is refused, and the next one is tried: SQLite writes the frame that
 * commits a transaction last, so nothing of the batch counts. After any other fault the thread ends, and the node with
 * it: nobody knows what a disk that has refused to sync has kept.
 */

export type ToWriter = { batch: WriteRequest[] } | { close: true }
export type FromWriter =
  | { ready: true; head: number }
  | { commit: Commit }
  /** The disk has no room for the batch, so nothing of it was written. */
  | { full: string }
  | { failed: string }
  | { closed: true }

const file: string = workerData
const port = parentPort!

try {
  const unlock = lockStore(realPath(file))
  const database = openForWriting(file)
  makePrivate(realPath(file))
  let log = openLog(database)
  port.on('message', (message: ToWriter) => {
    if ('batch' in message) {
      if (answer(database, log, message.batch)) return
      // The memory of the log holds what was rolled back.
      log = openLog(database)
      return
    }
    database.close()
    unlock()
    tell({ closed: true })
    port.close()
  })
  tell({ ready: true, head: headOf(database) })
} catch (error) {
  fail(error)
}

/** Write a batch and tell the outcome. Return false when the disk has no room for it. */
function answer(database: DatabaseSync, log: Log, batch: WriteRequest[]): boolean {
  try {
    const commit = commitBatch(database, log, batch)
    port.postMessage({ commit } satisfies FromWriter, [commit.frames.bytes.buffer as ArrayBuffer])
    return true
  } catch (error) {
    if (!isFull(error)) {
      fail(error)
      return true
    }
    // SQLite has rolled back by itself after some of these errors.
    if (database.isTransaction) database.exec('ROLLBACK')
    tell({ full: explain(file, error) })
    return false
  }
}

function commitBatch(database: DatabaseSync, log: Log, batch: WriteRequest[]): Commit {
  const frames = createFrameWriter(4096)
  const headers: EventHeader[] = []
  const context = {
    log,
    now: now().getTime(),
    onWritten(event: Parameters<typeof writeEvent>[1]) {
      writeEvent(frames, event)
      headers.push({ position: event.position, type: event.type })
    },
  }
  const outcomes: WriteOutcome[] = []
  database.exec('BEGIN IMMEDIATE')
  for (const request of batch) outcomes.push(write(request, context))
  database.exec('COMMIT')
  return { outcomes, headers, frames: takeFrames(frames) }
}

function headOf(database: DatabaseSync): number {
  return (database.prepare('SELECT max(position) AS head FROM event').get()?.head as number | null) ?? 0
}

/** The real path, because two names of one file must share one lock. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function tell(message: FromWriter): void {
  port.postMessage(message)
}

function fail(error: unknown): void {
  tell({ failed: explain(file, error) })
  port.close()
}
