import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { inTime } from '../inTime.ts'
import { createSlots } from '../projections/reading/slots.ts'
import type { ImportFile } from './read.ts'
import type { ReadRow } from './readRow.ts'
import { Unreadable } from './unreadable.ts'

/**
 * Files are read in threads of their own: a file of 25 MiB takes seconds, and a program could make one that takes for
 * ever, or all memory.
 */
export interface ImportReader {
  /**
   * Read the records of a file, no faster than they are taken.
   * @param open called when it is the turn of the file
   * @throws Unreadable, also when the file takes too long or too much memory; Refusal 503 `too-many-large-reads`; the
   * errors of `open`
   */
  read(
    companyId: string,
    file: Omit<ImportFile, 'bytes'>,
    open: () => Promise<AsyncIterable<Uint8Array>>,
  ): AsyncIterable<ReadRow>
}

/** The answer of the thread. */
export type Portion =
  | { readonly rows: readonly ReadRow[]; readonly isLast: boolean }
  | { readonly unreadable: string }

/** Each file takes up to 600 MB, so few are read at once, and one of a company. */
const slotsOfFiles = {
  ...{ atOnce: 2, waitingOfACompany: 5, waitingInAll: 20, waitMs: 20_000 },
  detail: 'Too many files are being imported at this moment, so nothing was read. Send the file again later.',
}

export interface Limits {
  /** The time that the thread works, without its pauses. */
  readonly withinMs: number
  readonly heapMegabytes: number
}

const usualLimits: Limits = { withinMs: 30_000, heapMegabytes: 512 }

export function createImportReader(clock: () => number, limits = usualLimits): ImportReader {
  const slots = createSlots(slotsOfFiles)
  return {
    async *read(companyId, file, open) {
      const release = await slots.take(companyId)
      try {
        const bytes = await buffer(await open())
        yield* readInThread({ ...file, bytes }, clock, limits)
      } finally {
        release()
      }
    },
  }
}

async function* readInThread(
  file: ImportFile,
  clock: () => number,
  { withinMs, heapMegabytes }: Limits,
): AsyncIterable<ReadRow> {
  const thread = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  let left = withinMs
  const tooLate = () =>
    new Unreadable(`The file takes longer than ${withinMs / 1_000} s to read. Split it into smaller files.`)
  const next = async (): Promise<Portion> => {
    const begun = clock()
    thread.postMessage('next')
    const [portion] = (await inTime(once(thread, 'message'), left, tooLate).catch((error) => {
      throw isOutOfMemory(error)
        ? new Unreadable('The file takes too much memory to read. Split it into smaller files.')
        : error
    })) as [Portion]
    left -= clock() - begun
    return portion
  }
  try {
    for (;;) {
      const portion = await next()
      if ('unreadable' in portion) throw new Unreadable(portion.unreadable)
      yield* portion.rows
      if (portion.isLast) return
    }
  } finally {
    await thread.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
}
