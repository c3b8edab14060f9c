import { Worker } from 'node:worker_threads'
import type { FromReader, ToReader } from './reader.ts'
import type { Commit, Page, ReadRequest, WriteOutcome, WriteRequest } from './types.ts'
import type { FromWriter, ToWriter } from './writer.ts'

/** The storage as the rest of the node sees it. */
export interface Store {
  /** The position of the last event when the store was opened. */
  head: number
  /**
   * Queues a write. Everything queued while a commit is under way is the next commit.
   * @param isExpired asked when the turn of this write comes; if so it is not written
   * @param done the outcome once it is on the disk; undefined when it expired
   */
  write(request: WriteRequest, isExpired: () => boolean, done: (outcome?: WriteOutcome) => void): void
  /** @throws Error of one line when the file cannot be read */
  read(request: ReadRequest): Promise<Page>
  /** Writes what is queued and lets go of the file. */
  close(): Promise<void>
}

export interface StoreEvents {
  /** A commit is on the disk; its writers have been told. */
  committed(commit: Commit): void
  /** The file cannot be written any more, or a thread has died. Nothing will be answered from here on. */
  failed(line: string): void
}

/** So much at most in one commit: a longer one would make the first of its writers wait for the last. */
const BATCH_REQUESTS = 1000
const BATCH_BYTES = 8 * 1024 * 1024

/**
 * Opens the file in two threads, one that writes and one that reads.
 * @throws Error of one line when the file cannot be opened
 */
export async function openStore(file: string, events: StoreEvents): Promise<Store> {
  const writer = await startWriter(file, events)
  const reader = await startReader(file, events).catch(async (error: unknown) => {
    await writer.close()
    throw error
  })
  return {
    head: writer.head,
    write: writer.write,
    read: reader.read,
    async close() {
      reader.close()
      await writer.close()
    },
  }
}

interface QueuedWrite {
  request: WriteRequest
  isExpired: () => boolean
  done: (outcome?: WriteOutcome) => void
}

async function startWriter(file: string, { committed, failed }: StoreEvents) {
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: file })
  const head = await new Promise<number>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: FromWriter) => {
      if ('ready' in message) resolve(message.head)
      else reject(new Error('failed' in message ? message.failed : `${file}: cannot be opened`))
    })
  })

  const queue: QueuedWrite[] = []
  let underWay: QueuedWrite[] = []
  let closed: (() => void) | undefined
  worker.on('error', (error: Error) => failed(`${file}: ${error.message}`))
  worker.on('message', (message: FromWriter) => {
    if ('failed' in message) return failed(message.failed)
    if ('closed' in message) return closed?.()
    if (!('commit' in message)) return
    const { commit } = message
    const done = underWay
    underWay = []
    // The next commit runs while these are told.
    next()
    for (const [index, write] of done.entries()) write.done(commit.outcomes[index])
    committed(commit)
  })

  function next(): void {
    if (underWay.length > 0) return
    underWay = takeBatch(queue)
    if (underWay.length > 0) post({ batch: underWay.map(({ request }) => request) })
    else if (closed) post({ close: true })
  }

  function post(message: ToWriter): void {
    worker.postMessage(message)
  }

  return {
    head,
    write(request: WriteRequest, isExpired: QueuedWrite['isExpired'], done: QueuedWrite['done']) {
      queue.push({ request, isExpired, done })
      next()
    },
    close: () =>
      new Promise<void>((resolve) => {
        closed = resolve
        next()
      }),
  }
}

/** Takes what may go into the next commit off the queue; what has expired is told so. */
function takeBatch(queue: QueuedWrite[]): QueuedWrite[] {
  const batch: QueuedWrite[] = []
  let taken = 0
  let bytes = 0
  for (const write of queue) {
    if (batch.length >= BATCH_REQUESTS || bytes >= BATCH_BYTES) break
    taken++
    if (write.isExpired()) {
      write.done()
      continue
    }
    batch.push(write)
    for (const { data, metadata } of write.request.events) bytes += data.length + metadata.length
  }
  queue.splice(0, taken)
  return batch
}

async function startReader(file: string, { failed }: StoreEvents) {
  const worker = new Worker(new URL('./reader.ts', import.meta.url), { workerData: file })
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: FromReader) => {
      if ('ready' in message) resolve()
      else reject(new Error('failed' in message ? message.failed : `${file}: cannot be read`))
    })
  })

  const waiting = new Map<number, { resolve: (page: Page) => void; reject: (error: Error) => void }>()
  let lastId = 0
  worker.on('message', (message: FromReader) => {
    if (!('id' in message)) return
    const caller = waiting.get(message.id)
    waiting.delete(message.id)
    if ('page' in message) caller?.resolve(message.page)
    else caller?.reject(new Error(message.error))
  })
  worker.on('error', (error: Error) => failed(`${file}: ${error.message}`))

  return {
    read: (read: ReadRequest) =>
      new Promise<Page>((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, read } satisfies ToReader)
      }),
    close: () => worker.postMessage({ close: true } satisfies ToReader),
  }
}
