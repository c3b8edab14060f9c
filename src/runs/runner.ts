import { Refusal } from '../domain/refusal.ts'
import type { ClaimedRun, CompanyRun, NewRun, RunError, RunKind, RunRows } from './companyRuns.ts'

/**
 * The runner carries out the runs of companies, a few at a time. Each process that serves HTTP has one. A run whose
 * process has ended is begun again by another.
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
export type Perform = (
  run: ClaimedRun & {
    /** The name of the person who asked, when this process knows it. */
    readonly name: string
  },
  tools: { readonly signal: AbortSignal; readonly reached: (progress: number) => void },
) => Promise<object>

export interface RunnerOptions {
  readonly rows: RunRows
  readonly perform: Readonly<Record<RunKind, Perform>>
  /** Return the code and the words for an error of a run. */
  readonly errorOf: (error: unknown) => RunError
  readonly onError: (error: Error) => void
}

/** Each run may need 100 MiB and a core. */
const runsAtOnce = 1
/**
 * A company may have this many runs of a kind that have not ended. An export may take hours, in which the runs of other
 * companies wait, and the next export replaces it.
 */
const mostOpen: Readonly<Record<RunKind, number>> = { orderPack: 20, companyExport: 1 }
const lookEveryMs = 15_000
const sayEveryMs = 5_000

export function createRunner({ rows, perform, errorOf, onError }: RunnerOptions): Runner {
  const ended = new AbortController()
  const names = new Map<string, string>()
  const working = new Set<Promise<void>>()

  const next = async () => (ended.signal.aborted ? undefined : rows.claim())
  const work = async () => {
    for (let run = await next(); run; run = await next()) await carryOut(run)
  }
  const carryOut = async (run: ClaimedRun) => {
    let progress = 0
    const say = () => void rows.progress(run, progress).catch(() => {})
    const saying = setInterval(say, sayEveryMs)
    const reached = (now: number) => {
      progress = now
    }
    try {
      const asked = { ...run, name: names.get(run.runId) ?? '' }
      const result = await perform[run.kind](asked, { signal: ended.signal, reached })
      await rows.end(run, { status: 'succeeded', result })
    } catch (error) {
      if (ended.signal.aborted) await rows.release(run)
      else await rows.end(run, { status: 'failed', error: errorOf(error) })
    } finally {
      clearInterval(saying)
      names.delete(run.runId)
    }
  }
  /** A run that cannot be written about is begun again later. */
  const look = () => {
    if (working.size >= runsAtOnce || ended.signal.aborted) return
    const done = work()
      .catch((error: Error) => onError(error))
      .finally(() => working.delete(done))
    working.add(done)
  }
  const looking = setInterval(() => {
    void rows.tidy().catch((error: Error) => onError(error))
    look()
  }, lookEveryMs)
  look()

  return {
    async begin({ name, ...run }) {
      const most = mostOpen[run.kind]
      if ((await rows.countOthersOpen(run)) >= most)
        throw new Refusal(
          'too-many-large-reads',
          `The company has ${most} ${most === 1 ? 'run' : 'runs'} of this kind under way already, so nothing was begun. Wait until one has ended.`,
        )
      const { contentHash, isNew, ...kept } = await rows.keep(run)
      if (contentHash !== run.contentHash)
        throw new Refusal(
          'idempotency-key-reused',
          'This Idempotency-Key belongs to another request. Use a new key for a new request.',
        )
      if (isNew) names.set(run.runId, name)
      look()
      return { run: kept, isNew }
    },
    async close() {
      clearInterval(looking)
      ended.abort()
      await Promise.all(working)
    },
  }
}
