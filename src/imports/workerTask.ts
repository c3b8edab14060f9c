import { Worker } from 'node:worker_threads'
import type { TableRow } from './tables/table.ts'
import { Unreadable } from './unreadable.ts'

/** Files that a program could make to take for ever, or all memory, are read in a thread of their own. */

export interface Task {
  readonly format: 'xlsx'
  readonly bytes: Uint8Array
}

export type Answer = { readonly read: readonly TableRow[] } | { readonly unreadable: string }

const withinMs = 30_000
const heapMegabytes = 512

/** @throws Unreadable, also when the file takes too long or too much memory */
export function readInWorker(task: Task): Promise<readonly TableRow[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    const end = () => {
      clearTimeout(late)
      void worker.terminate()
    }
    const late = setTimeout(() => {
      end()
      reject(
        new Unreadable(
          `The file takes longer than ${withinMs / 1_000} s to read. Split it into smaller files.`,
        ),
      )
    }, withinMs)
    worker.once('message', (answer: Answer) => {
      end()
      if ('read' in answer) resolve(answer.read)
      else reject(new Unreadable(answer.unreadable))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      end()
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(
        isMemory
          ? new Unreadable('The file takes too much memory to read. Split it into smaller files.')
          : error,
      )
    })
  })
}
