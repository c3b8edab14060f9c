import { setTimeout as pause } from 'node:timers/promises'
import { isFailure } from '../../lib/failure.ts'
import type { Connection, Postgres } from '../postgres/postgres.ts'
import { keepLease } from './keepLease.ts'
import { type Lease, releaseLease, renewLeases, takeLease } from './lease.ts'
import { createRenewals, type Renewals } from './renewals.ts'

/** Work that one process at a time may do: the holder of the lease leads, and the others wait. */

export interface LeadingStatus {
  /** False when another process leads, or PostgreSQL cannot be reached. */
  readonly leading: boolean
  /** The condition that keeps this process from its work; it goes on trying. */
  readonly condition: string | undefined
}

export interface Leading {
  status(): LeadingStatus
  /** Ends the term, waits until the work has returned, and releases the lease. */
  stop(): Promise<void>
}

/** Called as things happen, for metrics and logs. */
export interface LeadingObserver {
  leading?(leading: boolean): void
  /** A condition came up; the work is tried again. */
  condition?(message: string): void
}

/** The time from taking the lease until it is lost, or until the work has to begin anew. */
export interface Term {
  readonly lease: Lease
  /** Holds the lease: the process that takes the lease over ends this connection, and its transaction with it. */
  readonly connection: Connection
  /** Aborted when the lease is lost, a check failed, or the process stops. The work then returns soon. */
  readonly over: AbortSignal
  /** Runs `check` after each renewal of the lease; false ends the term. */
  checkOnRenewal(check: () => Promise<boolean>): void
  /** Clears the error that ended the term before: the work goes on. */
  underWay(): void
  /** Notes a condition of one part of the work, or clears it. */
  note(part: string, message?: string): void
}

interface LeadingOptions {
  /** One connection holds the lease for the whole term; another one renews it. */
  readonly postgres: Postgres
  readonly leaseName: string
  /** Identifies this process; never used twice. */
  readonly owner: string
  readonly observe: LeadingObserver
  /** The work. An error is noted as a condition, unless its code is `term-over`. */
  lead(term: Term): Promise<void>
  /** The text to note for an error of `lead`; its message by default. */
  readonly textOf?: (error: Error) => string
  /** Milliseconds to wait after an error that an early retry cannot mend; undefined for any other error. */
  readonly longPauseAfter: (error: Error) => number | undefined
  /** Renews the lease, with others of this process. By default it is renewed by itself. */
  readonly renewals?: Renewals | undefined
}

export function startLeading(options: LeadingOptions): Leading {
  const { postgres, leaseName, owner, observe, textOf = ({ message }) => message } = options
  const stopping = new AbortController()
  const conditions = createConditions(observe)
  let leading = false
  /** The lease that this process took last; another process may hold it by now. */
  let last: Lease | undefined

  const setLeading = (now: boolean) => {
    if (now !== leading) observe.leading?.(now)
    leading = now
  }

  /** Leads until the term ends; false when another process holds the lease. */
  const turn = async (): Promise<boolean> => {
    const connection = await postgres.connect()
    let lease: Lease | undefined
    try {
      lease = await takeLease(connection, leaseName, owner)
      last = lease
      setLeading(lease !== undefined)
      if (lease) await serveTerm(options, { lease, connection, conditions, stopping: stopping.signal })
      return lease !== undefined
    } catch (error) {
      if (lease && !isFailure(error, 'term-over'))
        await letOthersTry(postgres, lease, textOf(error as Error)).catch(() => {})
      throw error
    } finally {
      connection.release(lease !== undefined)
    }
  }

  const run = async () => {
    let pauseMs = 0
    while (!stopping.signal.aborted) {
      try {
        pauseMs = (await turn()) ? 0 : askEveryMs
        // Another process leads by now and reports its own conditions.
        if (pauseMs > 0) conditions.clear()
      } catch (error) {
        setLeading(false)
        pauseMs = pauseAfter(error as Error, pauseMs, options)
        if (!isFailure(error, 'term-over')) conditions.note(lastTerm, textOf(error as Error))
      }
      if (pauseMs > 0) await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    setLeading(false)
    if (last) await releaseLease(postgres, last).catch(() => {})
  }
  const running = run()

  return {
    status: () => ({ leading, condition: conditions.first() }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The part under which the error that ended a term is noted. */
const lastTerm = 'last term'
/** Interval at which a follower asks for the lease. */
const askEveryMs = 500
const againAfterMs = 100
/** A process that released the lease because of an error waits until the others have asked for it. */
const othersFirstMs = 600
const longestPauseMs = 2_000

interface Serving {
  readonly lease: Lease
  readonly connection: Connection
  readonly conditions: Conditions
  readonly stopping: AbortSignal
}

/** Do the work, and renew the lease meanwhile. */
async function serveTerm(
  { postgres, lead, renewals = createRenewals(postgres) }: LeadingOptions,
  serving: Serving,
): Promise<void> {
  const { lease, connection, conditions, stopping } = serving
  const { note, first: condition } = conditions
  const ended = new AbortController()
  const over = AbortSignal.any([ended.signal, stopping])
  let checkNow = async () => true
  const renewing = keepLease({ renewals, lease, condition, note, check: () => checkNow() }, over)
  void renewing.then(() => ended.abort())
  try {
    await lead({
      lease,
      connection,
      over,
      note,
      checkOnRenewal: (check) => {
        checkNow = check
      },
      underWay: () => note(lastTerm),
    })
  } finally {
    ended.abort()
    await renewing
  }
}

/** Release the lease: another process may be able to do what this one cannot. The reason stays beside the lease. */
async function letOthersTry(postgres: Postgres, lease: Lease, why: string): Promise<void> {
  await renewLeases(postgres, [{ ...lease, condition: why }])
  await releaseLease(postgres, lease)
}

function pauseAfter(error: Error, before: number, { longPauseAfter }: LeadingOptions): number {
  if (isFailure(error, 'term-over')) return againAfterMs
  return longPauseAfter(error) ?? Math.min(longestPauseMs, Math.max(othersFirstMs, before * 2))
}

interface Conditions {
  note(part: string, message?: string): void
  first(): string | undefined
  clear(): void
}

/** The present conditions, by the part of the work that has them. Each message is reported once while it lasts. */
function createConditions(observe: LeadingObserver): Conditions {
  const byPart = new Map<string, string>()
  return {
    note(part, message) {
      if (message === undefined) return void byPart.delete(part)
      if (![...byPart.values()].includes(message)) observe.condition?.(message)
      byPart.set(part, message)
    },
    first: () => [...byPart.values()][0],
    clear: () => byPart.clear(),
  }
}
