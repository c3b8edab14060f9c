import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Postgres } from '../postgres.ts'
import { type Lease, releaseLease, renewLease, takeLease } from './lease.ts'

/** Work for one process: of all that could do it the holder of its lease does, and the others wait. */

export interface LeadingStatus {
  /** Whether this process leads; if not, another does, or PostgreSQL cannot be reached. */
  readonly leading: boolean
  /** What keeps it from its work, if anything does; it goes on trying. */
  readonly trouble: string | undefined
}

export interface Leading {
  status(): LeadingStatus
  /** Lets what is under way finish, and the lease go. */
  stop(): Promise<void>
}

/** Called as things happen, for metrics and logs. */
export interface LeadingObserver {
  leading?(leading: boolean): void
  /** Something is wrong that is tried again. */
  trouble?(message: string): void
}

/** From taking the lease until it is lost, or the work has to begin anew. */
export interface Term {
  readonly lease: Lease
  /** The one that holds the lease: whoever takes it from us ends it, with whatever it was about to commit. */
  readonly connection: Connection
  readonly stopping: AbortSignal
  /** Says that the work goes on: what ended the last term is no trouble any more. */
  underWay(): void
  /** Says what is wrong in a part of the work, or that nothing is any more. */
  note(part: string, message?: string): void
  /** What is wrong, for everybody to see beside the lease. */
  trouble(): string | undefined
}

/** A term has ended in order: somebody else leads by now, or what it worked on has been replaced. */
export class TermOver extends Error {
  override readonly name = 'TermOver'
}

export interface LeadingOptions {
  /** One connection holds the lease, as long as it lasts. */
  readonly postgres: Postgres
  readonly leaseName: string
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly observe: LeadingObserver
  /** The work. What it throws is trouble, unless it is `TermOver`. */
  lead(term: Term): Promise<void>
  /** The words for what it has thrown; its message unless told. */
  readonly textOf?: (error: Error) => string
  /** Milliseconds until the next try after an error that no haste mends; undefined for any other. */
  readonly longPauseAfter: (error: Error) => number | undefined
}

/** Under this its end is noted. */
const lastTerm = 'last term'
/** So often those who wait ask for the lease. */
const askEveryMs = 500
const againAfterMs = 100
/** Whoever let the lease go because of an error lets the others ask first. */
const othersFirstMs = 600
const longestPauseMs = 2_000

export const startLeading = (options: LeadingOptions): Leading => {
  const { postgres, leaseName, owner, observe, textOf = ({ message }) => message, longPauseAfter } = options
  const stopping = new AbortController()
  const troubles = new Map<string, string>()
  let leading = false
  /** As it was taken last; somebody else may have it by now. */
  let last: Lease | undefined

  const trouble = () => [...troubles.values()][0]
  const note = (part: string, message?: string) => {
    if (message === undefined) return void troubles.delete(part)
    if (![...troubles.values()].includes(message)) observe.trouble?.(message)
    troubles.set(part, message)
  }
  const setLeading = (now: boolean) => {
    if (now !== leading) observe.leading?.(now)
    leading = now
  }

  /** What it cannot do another may be able to. Whoever looks for the reason sees it beside the lease. */
  const letGo = async (lease: Lease, why: string) => {
    await renewLease(postgres, lease, why)
    await releaseLease(postgres, lease)
  }

  /** Leads for as long as it may; false when another does. */
  const turn = async (): Promise<boolean> => {
    const connection = await postgres.connect()
    let lease: Lease | undefined
    try {
      lease = await takeLease(connection, leaseName, owner)
      last = lease
      setLeading(lease !== undefined)
      const underWay = () => note(lastTerm)
      if (lease) await options.lead({ lease, connection, stopping: stopping.signal, underWay, note, trouble })
      return lease !== undefined
    } catch (error) {
      if (lease && !(error instanceof TermOver)) await letGo(lease, textOf(error as Error)).catch(() => {})
      throw error
    } finally {
      connection.release(lease !== undefined)
    }
  }

  const pauseAfter = (error: Error, before: number): number => {
    if (error instanceof TermOver) return againAfterMs
    return longPauseAfter(error) ?? Math.min(longestPauseMs, Math.max(othersFirstMs, before * 2))
  }

  const run = async () => {
    let pauseMs = 0
    while (!stopping.signal.aborted) {
      try {
        pauseMs = (await turn()) ? 0 : askEveryMs
        // Another leads by now: what was wrong here is its to say.
        if (pauseMs > 0) troubles.clear()
      } catch (error) {
        setLeading(false)
        pauseMs = pauseAfter(error as Error, pauseMs)
        if (!(error instanceof TermOver)) note(lastTerm, textOf(error as Error))
      }
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    setLeading(false)
    if (last) await releaseLease(postgres, last).catch(() => {})
  }
  const running = run()

  return {
    status: () => ({ leading, trouble: trouble() }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
