import { Worker } from 'node:worker_threads'
import type { FromReader, ToReader } from './reader.ts'
import type { Commit, Page, ReadRequest, WriteOutcome, WriteRequest } from './types.ts'
import type { FromWriter, ToWriter } from './writer.ts'

/** The storage as the rest of the node sees it. */
export interface Store {
  /** The position of the last event when the store was opened. */
  head: number
  /**
   * Queues a write. All writes that are queued during a commit form the next commit.
   * @param isExpired asked when the turn of this write comes; an expired write is not written
   * @param settle gets the outcome once it is on the disk; undefined when the write expired
   */
  write(request: WriteRequest, isExpired: () => boolean, settle: (outcome?: WriteOutcome) => void): void
  /** @throws Error of one line when the file cannot be read */
  read(request: ReadRequest): Promise<Page>
  /** Writes the queue and closes the file. */
  close(): Promise<void>
}

interface StoreEvents {
  /** A commit is on the disk, and its writers have their outcomes. */
  onCommit(commit: Commit): void
  /** The disk takes no more data, and appends are refused until it does again. Called once each time. */
  full(line: string): void
  /** The file can no longer be used, or a thread has died. From now on nothing is answered. */
  onFailure(line: string): void
}

/** The most that one commit holds: in a longer one the first writer would wait for the last. */
const BATCH_REQUESTS = 1000
const BATCH_BYTES = 8 * 1024 * 1024

/**
 * Open the file in two threads, one that writes and one that reads.
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
  settle: (outcome?: WriteOutcome) => void
}

async function startWriter(file: string, { onCommit, full, onFailure }: StoreEvents) {
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
  let isFull = false
  worker.on('error', (error: Error) => onFailure(`${file}: ${error.message}`))
  worker.on('message', (message: FromWriter) => {
    if ('failed' in message) return onFailure(message.failed)
    if ('closed' in message) return closed?.()
    if ('ready' in message) return
    const done = underWay
    underWay = []
    // The next commit runs while these writers get their outcomes.
    next()
    if ('full' in message) {
      for (const write of done) write.settle({ result: 'full' })
      if (!isFull) full(message.full)
      isFull = true
      return
    }
    isFull = false
    const { commit } = message
    for (const [index, write] of done.entries()) write.settle(commit.outcomes[index])
    onCommit(commit)
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
    write(request: WriteRequest, isExpired: QueuedWrite['isExpired'], settle: QueuedWrite['settle']) {
      queue.push({ request, isExpired, settle })
      next()
    },
    close: () =>
      new Promise<void>((resolve) => {
        closed = resolve
        next()
      }),
  }
}

/** Take the next commit off the queue, and answer expired writes. */
function takeBatch(queue: QueuedWrite[]): QueuedWrite[] {
  const batch: QueuedWrite[] = []
  let taken = 0
  let bytes = 0
  for (const write of queue) {
    if (batch.length >= BATCH_REQUESTS || bytes >= BATCH_BYTES) break
    taken++
    if (write.isExpired()) {
      write.settle()
      continue
    }
    batch.push(write)
    for (const { data, metadata } of write.request.events) bytes += data.length + metadata.length
  }
  queue.splice(0, taken)
  return batch
}

async function startReader(file: string, { onFailure }: StoreEvents) {
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
  worker.on('error', (error: Error) => onFailure(`${file}: ${error.message}`))

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
