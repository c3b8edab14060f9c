import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { slotsFor } from '../admission/kinds.ts'
import { createSlots } from '../admission/slots.ts'
import { inTime } from '../lib/inTime.ts'
import type { UnreadableReason } from '../problems/faults.ts'
import { confinement } from './confine.ts'
import { type ImportFile, isPicture, type SomePages } from './read.ts'
import type { ReadRow } from './readRow.ts'
import { joinRows, type RowPiece } from './rowPieces.ts'
import { tooMuchMemory, type Unreadable, unreadable } from './unreadable.ts'

/**
 * Files are read in processes of their own: a file of 25 MiB takes seconds, and a hostile file may take for ever or all
 * memory. A thread is not enough: when V8 finds no memory for a large value, it ends the whole process.
 */
export interface ImportReader {
  /**
   * Read the records of a file, no faster than they are taken.
   * @param open called when it is the turn of the file
   * @throws Failure `unreadable`, also when the file takes too long or too much memory; Refusal 503
   * `too-many-large-reads`; the errors of `open`
   */
  read(
    companyId: string,
    file: Omit<ImportFile, 'bytes'>,
    open: () => Promise<AsyncIterable<Uint8Array>>,
  ): AsyncIterable<ReadRow>
  /** Return some pages of a file as a file of the same format. @throws as `read` does */
  pages(
    companyId: string,
    some: SomePages,
    open: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<Uint8Array>
}

/** The first message holds the file, and each later one asks for some more rows. */
export type ToWorker = { readonly file: ImportFile; readonly some?: SomePages } | { readonly next: true }

/** The answer of the process. */
export type Portion =
  | { readonly rows: readonly RowPiece[]; readonly isLast: boolean }
  | { readonly part: Uint8Array }
  | { readonly unreadable: string; readonly reason: UnreadableReason }

export interface Limits {
  /** Milliseconds of the processor for any file, and those that each MiB of it adds. */
  readonly cpuMs: number
  readonly cpuMsOfMiB: number
  /** The time that the process works by the clock, without its pauses. */
  readonly withinMs: number
  readonly heapMegabytes: number
}

/** Megabytes that the process may take beside its heap: for Node itself, the file and buffers. */
const besideHeap = 192

const usualLimits: Limits = { cpuMs: 2_000, cpuMsOfMiB: 4_000, withinMs: 30_000, heapMegabytes: 512 }

/**
 * A page of a scan takes about ten seconds of the processor, and longer by the clock, because other work comes first. A PDF
 * gets this only when it turns out to be one.
 */
const ofScan = { cpuMs: 60_000, withinMs: 600_000 }

export function createImportReader(clock: () => number, limits = usualLimits): ImportReader {
  const slots = createSlots(slotsFor.imports, clock)
  return {
    async *read(companyId, file, open) {
      const release = await slots.take(companyId)
      try {
        const bytes = await buffer(await open())
        yield* joinRows(readInProcess({ ...file, bytes }, clock, limits))
      } finally {
        release()
      }
    },
    async pages(companyId, some, open) {
      const release = await slots.take(companyId)
      try {
        const { format } = some
        const file: ImportFile = { kind: 'certificates', format, bytes: await buffer(await open()) }
        const worker = startWorker(file, clock, limits)
        try {
          const answer = await worker.ask({ file, some })
          return (answer as Extract<Portion, { part: unknown }>).part
        } finally {
          worker.end()
        }
      } finally {
        release()
      }
    },
  }
}

async function* readInProcess(
  file: ImportFile,
  clock: () => number,
  limits: Limits,
): AsyncIterable<RowPiece> {
  const worker = startWorker(file, clock, limits)
  try {
    for (let message: ToWorker = { file }; ; message = { next: true }) {
      const portion = (await worker.ask(message)) as Extract<Portion, { rows: unknown }>
      yield* portion.rows
      if (portion.isLast) return
    }
  } finally {
    worker.end()
  }
}

/** Start a process that reads this file alone. */
function startWorker(
  file: ImportFile,
  clock: () => number,
  { cpuMs, cpuMsOfMiB, withinMs, heapMegabytes }: Limits,
) {
  const ofFile = Math.ceil(cpuMs + (cpuMsOfMiB * file.bytes.length) / 1_048_576)
  const mayBeScan = file.format === 'pdf' || isPicture(file.format)
  const limits = [heapMegabytes + besideHeap, ofFile, ofFile + ofScan.cpuMs].map(String)
  const child = fork(new URL('./worker.ts', import.meta.url), limits, {
    execArgv: [`--max-old-space-size=${heapMegabytes}`, ...confinement()],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The file is hostile, and the environment of the service has secrets.
    env: compileCache(),
  })
  const ended = whenEnded(child, ofFile)
  const allowed = mayBeScan ? Math.max(withinMs, ofScan.withinMs) : withinMs
  let leftMs = allowed
  const tooLate = () => takesTooLong(allowed)
  return {
    /** @throws Failure `unreadable` */
    async ask(message: ToWorker) {
      const begun = clock()
      const answer = once(child, 'message')
      // Writing fails once the child has ended; `ended` rejects with the reason.
      child.send(message, () => {})
      const [portion] = (await inTime(Promise.race([answer, ended]), leftMs, tooLate)) as [Portion]
      leftMs -= clock() - begun
      if ('unreadable' in portion) throw unreadable(portion.reason, portion.unreadable)
      return portion
    },
    end: () => void child.kill('SIGKILL'),
  }
}

/** The folder in which Node keeps what it has compiled: the process starts in less than half of the time with it. */
function compileCache(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

function takesTooLong(ms: number): Unreadable {
  const seconds = Math.ceil(ms / 1_000)
  return unreadable(
    'too-large',
    `The file takes longer than ${seconds} s to read. Split it into smaller files.`,
  )
}

/** Reject when the process has ended. Beyond its limits it ends itself by a signal. */
async function whenEnded(child: ChildProcess, cpuMs: number): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  if (signal === 'SIGXCPU') throw takesTooLong(cpuMs)
  throw signal === null
    ? new Error(`the process that reads a file has ended with exit code ${code}`)
    : unreadable('too-large', tooMuchMemory)
}
