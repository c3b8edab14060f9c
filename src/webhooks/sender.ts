import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type ChangeSources, readChanges } from '../changes/readChanges.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import { atMost } from '../lib/atMost.ts'
import { isFailure } from '../lib/failure.ts'
import { ifInTime } from '../lib/inTime.ts'
import { entries } from '../projections/audit/entries.ts'
import { findWebhook, listSendable, webhooks } from '../projections/company/webhooks.ts'
import type { Changes } from '../projections/engine/reading/knownStates.ts'
import type { Reader } from '../projections/engine/reading/reader.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'
import { type Leading, type LeadingObserver, startLeading, type Term } from '../stores/leading/leading.ts'
import type { Renewals } from '../stores/leading/renewals.ts'
import type { Postgres } from '../stores/postgres/postgres.ts'
import { mostChanges } from './batches.ts'
import { type Delivering, deliver, type Endpoint } from './deliver.ts'
import { begin, type Place } from './place.ts'
import type { Post } from './post.ts'
import { attemptDays, openProgress } from './progress.ts'

/**
 * The sender: of all processes with the role `policies`, the holder of the lease sends the changes of companies to their
 * webhooks. Each endpoint is asked by itself, one request at a time, so a slow one keeps no other waiting.
 */

interface SenderOptions extends ChangeSources {
  /** A pool of its own: one connection holds the lease, the others do the rest. */
  readonly postgres: Postgres
  readonly reader: Pick<Reader, 'read' | 'ofCompany'>
  readonly positions: Pick<Positions, 'waitFor' | 'onChange'>
  readonly storeId: string
  readonly post: Post
  readonly now: () => Date
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly observe: LeadingObserver & Pick<Delivering, 'onAnswer'>
  readonly renewals?: Renewals | undefined
  /** Milliseconds between two looks at all webhooks; by default 15,000. A change wakes the webhooks of its company. */
  readonly everyMs?: number
}

export function senderLease(storeId: string): string {
  return `webhooks/${storeId}`
}

export function startSender(options: SenderOptions): Leading {
  const { postgres, owner, observe, renewals, storeId } = options
  return startLeading({
    postgres,
    owner,
    observe,
    renewals,
    leaseName: senderLease(storeId),
    lead: (term) => keepSending(options, term),
    longPauseAfter: () => undefined,
  })
}

/** The pause between two looks, each of which is a query. What comes meanwhile is sent together. */
const pauseMs = 50
/** Endpoints that are asked at the same time, and those of one company, whose endpoints may all be slow. */
const atOnce = 50
const atOnceOfCompany = 5
/** Endpoints whose last turn is known. One that is forgotten comes first. */
const mostRemembered = 10_000
const dayMs = 86_400_000

async function keepSending(options: SenderOptions, term: Term): Promise<void> {
  const { positions, now, everyMs = 15_000 } = options
  const { over, underWay } = term
  const progress = openProgress(options.postgres, term.lease)
  const failing = new AbortController()
  const ended = AbortSignal.any([over, failing.signal])
  let interested: ReadonlySet<string> = new Set()
  const awake = createAwake((companyId) => interested.has(companyId))
  const stopHearing = positions.onChange(awake.hear)
  const turns = createTurns()
  const send = async (endpoint: Endpoint) => {
    try {
      if (await sendTurn(options, progress, endpoint, ended)) awake.wake(endpoint.companyId)
    } catch (error) {
      // What keeps one company from being read is tried again at the next look.
      if (isFailure(error, 'term-over') || !(error instanceof Refusal)) failing.abort(error)
    } finally {
      awake.ring()
    }
  }
  let lookedAt = Number.NEGATIVE_INFINITY
  let forgotAt = Number.NEGATIVE_INFINITY
  try {
    while (!ended.aborted) {
      const time = now().getTime()
      if (time - forgotAt >= dayMs) {
        forgotAt = time
        await progress.forget(new Date(time - attemptDays * dayMs))
      }
      if (time - lookedAt >= everyMs) {
        lookedAt = time
        awake.wakeAll()
      }
      const companies = awake.take()
      // One that ends while the rows are read may have moved on since.
      const busy = new Set(turns.running.keys())
      const endpoints = await readEndpoints(options.reader)
      interested = new Set(endpoints.map(({ companyId }) => companyId))
      underWay()
      for (const endpoint of turns.inOrder(endpoints.filter((one) => isDue(one, companies, time)))) {
        // It is looked at again when a request has ended.
        if (busy.has(endpoint.webhookId) || turns.areTaken(endpoint)) awake.keep(endpoint.companyId)
        else turns.take(endpoint, send)
      }
      await awake.waitForRing(nextLookInMs(endpoints, time, everyMs), ended)
      await ifInTime(sleep(pauseMs), pauseMs, ended)
    }
    if (failing.signal.aborted) throw failing.signal.reason
  } finally {
    stopHearing()
    failing.abort()
    await Promise.allSettled(turns.running.values().map(({ ended: end }) => end))
  }
}

/** Send one portion to an endpoint, and return whether there is more. A replay of years leaves half of the time to others. */
async function sendTurn(
  options: SenderOptions,
  progress: ReturnType<typeof openProgress>,
  endpoint: Endpoint,
  over: AbortSignal,
): Promise<boolean> {
  let readMs = 0
  const isMore = await deliver(endpoint, {
    ...options,
    onAnswer: options.observe.onAnswer,
    async read(of, after) {
      const from = options.now().getTime()
      const page = await readAfter(options, of, after)
      readMs = options.now().getTime() - from
      return page
    },
    isCurrent: (of) => isUnchanged(options.reader, of),
    progress,
    over,
  })
  if (isMore) await ifInTime(sleep(readMs), readMs, over)
  return isMore
}

/** The endpoints that are asked now. The others wait, and the one that was asked longest ago comes first. */
function createTurns() {
  const running = new Map<string, { readonly companyId: string; readonly ended: Promise<void> }>()
  const takenAt = new LRUCache<string, number>(atMost(mostRemembered))
  let taken = 0
  const lastOf = ({ webhookId }: Endpoint) => takenAt.get(webhookId) ?? 0
  return {
    running,
    inOrder: (endpoints: readonly Endpoint[]) =>
      endpoints.toSorted((one, other) => lastOf(one) - lastOf(other)),
    areTaken: ({ companyId }: Endpoint) =>
      running.size >= atOnce ||
      running
        .values()
        .filter((one) => one.companyId === companyId)
        .toArray().length >= atOnceOfCompany,
    take(endpoint: Endpoint, send: (endpoint: Endpoint) => Promise<void>) {
      const { companyId, webhookId } = endpoint
      taken += 1
      takenAt.set(webhookId, taken)
      const ended = send(endpoint).finally(() => running.delete(webhookId))
      running.set(webhookId, { companyId, ended })
    },
  }
}

/** A webhook may get its secret after its change was heard, so this look comes without endpoints as well. */
export function nextLookInMs(
  endpoints: readonly { readonly place: Pick<Place, 'nextTryAt'> }[],
  time: number,
  everyMs: number,
): number {
  return Math.min(everyMs, ...endpoints.map((one) => dueInMs(one, time) || everyMs))
}

function dueInMs(
  { place: { nextTryAt } }: { readonly place: Pick<Place, 'nextTryAt'> },
  time: number,
): number {
  return nextTryAt === null ? 0 : Math.max(0, nextTryAt.getTime() - time)
}

/** @param companies those that have changed */
function isDue(endpoint: Endpoint, companies: ReadonlySet<string> | '*', time: number): boolean {
  const { companyId, place, isMoved } = endpoint
  const isWaited = place.nextTryAt !== null || isMoved || companies === '*' || companies.has(companyId)
  return isWaited && dueInMs(endpoint, time) === 0
}

/** The companies with something to send, and a bell that rings when there may be more. */
function createAwake(isInterested: (companyId: string) => boolean) {
  let companies: Set<string> | '*' = new Set()
  let bell = Promise.withResolvers<void>()
  const keep = (companyId: string) => void (companies !== '*' && companies.add(companyId))
  return {
    /** Note a company for the next look, without a call for it. */
    keep,
    wake(companyId: string) {
      keep(companyId)
      bell.resolve()
    },
    wakeAll() {
      companies = '*'
    },
    ring: () => bell.resolve(),
    hear(changes: Changes) {
      const heard =
        changes === '*'
          ? changes
          : changes.filter(
              ({ companyId, projection }) =>
                projection === webhooks.name || (projection === entries.name && isInterested(companyId)),
            )
      if (heard.length === 0) return
      if (heard === '*') companies = '*'
      else for (const { companyId } of heard) keep(companyId)
      bell.resolve()
    },
    take() {
      const taken = companies
      companies = new Set()
      bell = Promise.withResolvers()
      return taken
    },
    waitForRing: (withinMs: number, over: AbortSignal) => ifInTime(bell.promise, withinMs, over),
  }
}

function readAfter(sources: ChangeSources, { companyId, types }: Endpoint, after: number) {
  return readChanges(sources, { companyId, after, limit: mostChanges, types })
}

async function isUnchanged(reader: Pick<Reader, 'read'>, endpoint: Endpoint): Promise<boolean> {
  const { value } = await reader.read([webhooks], (reading) =>
    reading.query<Pick<Endpoint, 'revision'>>(findWebhook(reading, endpoint)),
  )
  return value[0]?.revision === endpoint.revision
}

type Row = Omit<Endpoint, 'place' | 'isMoved'> & { readonly place: StoredPlace | null }
type StoredPlace = Omit<Place, 'nextTryAt'> & { readonly nextTryAt: string | null }

async function readEndpoints(reader: Pick<Reader, 'read'>): Promise<Endpoint[]> {
  const { value } = await reader.read([webhooks], (reading) => reading.query<Row>(listSendable(reading)))
  return value.map((row) => {
    const stored = row.place ? { ...row.place, nextTryAt: dateOf(row.place.nextTryAt) } : undefined
    const place = begin(stored, row)
    return { ...row, formerUntil: dateOf(row.formerUntil), place, isMoved: place !== stored }
  })
}

function dateOf(time: Date | string | null): Date | null {
  return time === null ? null : new Date(time)
}
