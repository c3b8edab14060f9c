import { Refusal } from '../../domain/kernel/refusal.ts'
import {
  type ClaimedRun,
  type CompanyRun,
  type Ending,
  type NewRun,
  type RunError,
  type RunKind,
  runKinds,
} from './companyRuns.ts'
import type { RunRows } from './runRows.ts'

/**
 * The runner carries out the runs of companies, one of each kind at a time: an export may take hours, and packs do not
 * wait for it. Each process that serves HTTP has one. A run whose process has ended is begun again by another.
 */
export interface Runs {
  /**
   * Begin a run, or return the one that has its id already.
   * @throws Refusal 422 `idempotency-key-reused`, 503 `too-many-large-reads`
   */
  begin(
    run: NewRun & { readonly name: string },
  ): Promise<{ readonly run: CompanyRun; readonly isNew: boolean }>
}

export interface Runner extends Runs {
  /** Stop the work of this process. Its runs wait for another one. */
  close(): Promise<void>
}

/** Carry out a run, and return its result. It stops when the signal says so. */
export type Perform = (run: NamedRun, tools: RunTools) => Promise<object>

interface NamedRun extends ClaimedRun {
  /** The name of the person who asked; empty when this process does not know it. */
  readonly name: string
}

interface RunTools {
  readonly signal: AbortSignal
  readonly onProgress: (progress: number) => void
}

interface RunnerOptions {
  readonly rows: RunRows
  readonly perform: Readonly<Record<RunKind, Perform>>
  /** Return the code and the words for an error of a run. */
  readonly errorOf: (error: unknown) => RunError
  readonly onError: (error: Error) => void
}

/**
 * A company may have this many runs of a kind that have not ended. Exports of other companies wait meanwhile, and the
 * next export of the company replaces the one before.
 */
const mostOpen: Readonly<Record<RunKind, number>> = { orderPack: 20, companyExport: 1 }
const lookEveryMs = 15_000
const reportEveryMs = 5_000

export function createRunner(options: RunnerOptions): Runner {
  const { rows, onError } = options
  const ended = new AbortController()
  const names = new Map<string, string>()
  /** Each run may need 100 MiB and a core. */
  const working = new Map<RunKind, Promise<void>>()

  const next = async (kind: RunKind) => (ended.signal.aborted ? undefined : rows.claim(kind))
  const work = async (kind: RunKind) => {
    for (let run = await next(kind); run; run = await next(kind)) {
      const name = names.get(run.runId) ?? ''
      await carryOut(options, { ...run, name }, ended.signal).finally(() => names.delete(run.runId))
    }
  }
  /** A run whose end cannot be written is begun again later. */
  const look = (kind: RunKind) => {
    if (working.has(kind) || ended.signal.aborted) return
    const done = work(kind)
      .catch((error: Error) => onError(error))
      .finally(() => working.delete(kind))
    working.set(kind, done)
  }
  const lookAtAll = () => {
    void rows.tidy().catch((error: Error) => onError(error))
    for (const kind of runKinds) look(kind)
  }
  const looking = setInterval(lookAtAll, lookEveryMs)
  lookAtAll()

  return {
    async begin({ name, ...run }) {
      const most = mostOpen[run.kind]
      const row = await rows.keep(run, most)
      if (!row)
        throw new Refusal(
          'too-many-large-reads',
          `The company has ${most} ${most === 1 ? 'run' : 'runs'} of this kind under way already, so nothing was begun. Wait until one has ended.`,
        )
      const { requestHash, isNew, ...kept } = row
      if (requestHash !== run.requestHash)
        throw new Refusal(
          'idempotency-key-reused',
          'This Idempotency-Key belongs to another request, so nothing was done. Use a new key for a new request.',
        )
      if (isNew) names.set(run.runId, name)
      look(run.kind)
      return { run: kept, isNew }
    },
    async close() {
      clearInterval(looking)
      ended.abort()
      await Promise.all(working.values())
    },
  }
}

/** Carry the run out, and write how it ended. Release it when this process stops before. */
async function carryOut(options: RunnerOptions, run: NamedRun, stopped: AbortSignal): Promise<void> {
  const { rows } = options
  let progress = 0
  const report = () => void rows.progress(run, progress).catch(() => {})
  const reporting = setInterval(report, reportEveryMs)
  const onProgress = (now: number) => {
    progress = now
  }
  try {
    const ending = await endingOf(options, run, { signal: stopped, onProgress })
    await (ending ? rows.end(run, ending) : rows.release(run))
  } finally {
    clearInterval(reporting)
  }
}

/** Carry the run out. Return how it ended; undefined when this process stops before. */
async function endingOf(
  { perform, errorOf }: RunnerOptions,
  run: NamedRun,
  tools: RunTools,
): Promise<Ending | undefined> {
  try {
    // The process may have been told to stop while it took this run.
    tools.signal.throwIfAborted()
    return { status: 'succeeded', result: await perform[run.kind](run, tools) }
  } catch (error) {
    return tools.signal.aborted ? undefined : { status: 'failed', error: errorOf(error) }
  }
}
