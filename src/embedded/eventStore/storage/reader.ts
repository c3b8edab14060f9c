import { parentPort, workerData } from 'node:worker_threads'
import { explain, openForReading } from './database.ts'
import { openPages } from './pages.ts'
import type { Page, ReadRequest } from './types.ts'

/** The thread that reads. The writer has a thread of its own, so that a long catch-up does not delay appends. */

export type ToReader = { id: number; read: ReadRequest } | { close: true }
export type FromReader =
  | { ready: true }
  | { failed: string }
  | { id: number; page: Page }
  | { id: number; error: string }

const file: string = workerData
const port = parentPort!

try {
  const database = openForReading(file)
  const readPage = openPages(database)
  port.on('message', (message: ToReader) => {
    if ('read' in message) return answer(message.id, () => readPage(message.read))
    database.close()
    port.close()
  })
  port.postMessage({ ready: true } satisfies FromReader)
} catch (error) {
  port.postMessage({ failed: explain(file, error) } satisfies FromReader)
  port.close()
}

function answer(id: number, read: () => Page): void {
  try {
    const page = read()
    port.postMessage({ id, page } satisfies FromReader, [page.frames.bytes.buffer as ArrayBuffer])
  } catch (error) {
    port.postMessage({ id, error: explain(file, error) } satisfies FromReader)
  }
}
