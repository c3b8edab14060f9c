import { parentPort, workerData } from 'node:worker_threads'
import { readXlsx } from './tables/xlsx.ts'
import { Unreadable } from './unreadable.ts'
import type { Answer, Task } from './workerTask.ts'

/** Reads one file in a thread of its own, which may be ended at any time. */

const { format, bytes } = workerData as Task

const readers = { xlsx: readXlsx }

try {
  answer({ read: await readers[format](bytes) })
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  answer({ unreadable: error.message })
}

function answer(message: Answer): void {
  parentPort!.postMessage(message)
}
