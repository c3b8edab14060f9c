import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { concurrently } from '../commands/concurrently.ts'
import { domainEvents } from '../domain/aggregates.ts'
import type { Recorded } from '../domain/event.ts'
import { Refusal } from '../domain/refusal.ts'
import { current, understands } from '../domain/versions.ts'
import { type EventStore, StoreUnavailable } from '../eventStore.ts'
import {
  type Leading,
  type LeadingObserver,
  type LeadingStatus,
  startLeading,
  type Term,
  TermOver,
} from '../leading/leading.ts'
import { type Postgres, PostgresUnavailable } from '../postgres.ts'
import { type Feed, type KeptPosition, openFeedOf } from '../projections/projector/feed.ts'
import type { Reader } from '../projections/reading/reader.ts'
import type { Positions } from '../projections/reading/waitFor.ts'
import { type Asked, type Jobs, openJobs, type Served } from './jobs.ts'
import type { Job, Policy, Reaction } from './policy.ts'
import { leaseNameOf } from './standing.ts'
import { isBeyond, newerRelease, troubleText } from './trouble.ts'

/**
 * The host of policies. Of all processes that run a policy, the holder of its lease does two things at once: it
 * follows the store and saves, together with the checkpoint, the jobs that events ask for; and it serves the
 * companies that have jobs, one portion each, in turn.
 */

export interface HostOptions {
  readonly eventStore: EventStore
  /** A pool of its own, of two connections: one holds the lease, one does the rest. */
  readonly postgres: Postgres
  readonly reader: Reader
  readonly positions: Pick<Positions, 'heard' | 'waitFor'>
  readonly storeId: string
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly observe?: PolicyObserver
}

/** `trouble` is told of companies that are parked, too. */
export interface PolicyObserver extends LeadingObserver {
  /** A subscription ended and is opened again. */
  dropped?(reason: string): void
}

export interface RunningPolicy extends Leading {
  /** `position` is the checkpoint: of the last event that was heard; undefined while it has never led. */
  status(): LeadingStatus & { readonly position: number | undefined }
}

export function startPolicy(policy: Policy, options: HostOptions): RunningPolicy {
  const { postgres, storeId, owner, observe = {} } = options
  let checkpoint: KeptPosition | undefined
  const leading = startLeading({
    ...{ postgres, owner, observe, leaseName: leaseNameOf(policy.name, storeId) },
    lead: (term) =>
      lead(policy, options, term, (reached) => {
        checkpoint = reached
      }),
    textOf: troubleText,
    longPauseAfter: (error) => (isBeyond(error) ? giveUpMs : undefined),
  })
  return { ...leading, status: () => ({ ...leading.status(), position: checkpoint?.position }) }
}

/** A process that met what its release does not know leaves the lease to others for this long. */
const giveUpMs = 5_000
const batchWeight = 500
const queueWeight = 10_000
/** Jobs of a company served at once, and targets of each: a company is served again after all the others. */
const portion = 200
/** Targets brought in line at once. */
const actsAtOnce = 16
const lookAgainMs = 1_000

/** One term of leading, for both loops. */
interface Work {
  readonly policy: Policy
  readonly options: HostOptions
  readonly term: Term
  readonly reaction: Reaction
  readonly jobs: Jobs
  /** The term is over, or the other loop has failed. */
  readonly over: AbortSignal
  /** Resolves when jobs have been saved, or after a while: parked companies are tried again in time. */
  readonly news: Bell
  readonly reached: (checkpoint: KeptPosition) => void
}

/**
 * Hear and serve until the term is over.
 * @throws TermOver, WentBack, PostgresUnavailable, StoreUnavailable; Refusal for what this release does not know
 */
async function lead(
  policy: Policy,
  options: HostOptions,
  term: Term,
  reached: Work['reached'],
): Promise<void> {
  const { eventStore, postgres, storeId, observe = {} } = options
  const jobs = openJobs({ postgres, storeId, policy: policy.name, lease: term.lease })
  const from = (await jobs.checkpoint()) ?? (await begin(policy, eventStore, jobs))
  reached(from)
  const failed = new AbortController()
  const over = AbortSignal.any([term.over, failed.signal])
  const news = createBell(over)
  const work: Work = { policy, options, term, reaction: policy.begin(), jobs, over, news, reached }
  const feed = openFeedOf({ ...term, over }, observe, { eventStore, from, capacity: queueWeight })
  const loops = [hear(work, feed), serve(work, feed)]
  for (const loop of loops) loop.catch((error) => failed.abort(error))
  try {
    await Promise.allSettled(loops)
    if (failed.signal.aborted) throw failed.signal.reason
  } finally {
    await feed.close()
    term.note(readModelsPart)
  }
}

/** A start at the head is saved at once: a policy that is stopped before the first event goes on from there. */
async function begin({ startsAt }: Policy, eventStore: EventStore, jobs: Jobs): Promise<KeptPosition> {
  const last = startsAt === 'head' ? await eventStore.last() : undefined
  if (!last) return { position: 0, eventId: null }
  const head = { position: last.position, eventId: last.id }
  await jobs.pass(head, [])
  return head
}

/** Pass the events, and save the jobs that they ask for. */
async function hear({ reaction, term, jobs, over, news, reached }: Work, feed: Feed): Promise<void> {
  for (;;) {
    const events = await feed.take(batchWeight)
    const last = events.at(-1)
    if (!last || over.aborted) return
    const checkpoint = { position: last.position, eventId: last.id }
    const asked: Asked[] = []
    try {
      for (const event of events) asked.push(...(await askedBy(reaction, event)))
    } catch (error) {
      // It stays noted until these events are passed: the next term meets them again.
      term.note(eventsPart, troubleText(error as Error))
      throw error
    }
    await jobs.pass(checkpoint, asked)
    term.note(eventsPart)
    reached(checkpoint)
    if (asked.length > 0) news.ring()
  }
}

/**
 * An event that the policy fails to hear does not stop it: that is the job of the event's company.
 * @throws StoreUnavailable; Refusal for an event of a newer release
 */
async function askedBy(reaction: Reaction, event: Recorded): Promise<readonly Asked[]> {
  // Another program's event may be no JSON, or name no company: then there is none to serve.
  if (!reaction.hears.has(event.type) || event.isJson === false) return []
  refuseNewer(event)
  const { companyId } = { companyId: undefined, ...event.data }
  if (!isUuid(companyId)) return []
  const { position, id: eventId } = event
  try {
    const scopes = await scopesOf(reaction, event)
    return scopes.map((scope) => ({ companyId, scope, position, eventId }))
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return [{ companyId, scope: `${unheard}${position}`, position, eventId }]
  }
}

/** Begins the scope of a job that hears its event once more. */
const unheard = 'unheard/'

async function scopesOf({ hears }: Reaction, event: Recorded): Promise<readonly string[]> {
  const scopes = await hears.get(event.type)!(current(domainEvents, event))
  for (const scope of scopes)
    if (!/^[\x21-\x7e]{1,200}$/.test(scope))
      throw new Error(`${event.type} at position ${event.position} asks for a scope that cannot be saved`)
  return scopes
}

function isUuid(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function refuseNewer(event: Recorded): void {
  if (!understands(domainEvents, event))
    throw new Refusal('unavailable', newerRelease, `A newer release has recorded ${event.type}.`)
}

/** Serve the companies that have jobs, one portion each, in turn. */
async function serve(work: Work, feed: Feed): Promise<void> {
  const { policy, options, term, jobs, over, news } = work
  // The store may be another one, or may have been rewound, as long as the feed has not seen the checkpoint there.
  await Promise.race([feed.checked, aborted(over)])
  let companyId = nil
  while (!over.aborted) {
    const position = options.positions.heard(policy.readModels)
    const next = await jobs.nextAfter(companyId, position, portion)
    if (next.length > 0) {
      term.note(readModelsPart)
      companyId = next[0]!.companyId
      await serveCompany(work, companyId, next)
    } else if (!(await waitForReadModels(work, position))) await news.rung(lookAgainMs)
  }
}

/** True when a job was waiting for read models, which have been waited for. */
async function waitForReadModels({ policy, options, term, jobs, over }: Work, position: number) {
  const waiting = await jobs.waitingBeyond(position)
  if (waiting !== undefined && !(await options.positions.waitFor(policy.readModels, waiting, lookAgainMs))) {
    term.note(readModelsPart, 'the read models are behind')
    // A read model that has stopped says so at once, and may do so for hours.
    await pause(lookAgainMs, undefined, { signal: over }).catch(() => {})
  } else term.note(readModelsPart)
  return waiting !== undefined
}

/** A company that cannot be served is parked, and the others go on. */
async function serveCompany(work: Work, companyId: string, jobs: readonly Job[]): Promise<void> {
  try {
    await work.jobs.served(companyId, await servePortion(work, companyId, jobs))
  } catch (error) {
    if (error instanceof TermOver || error instanceof PostgresUnavailable) throw error
    const reason = troubleText(error as Error)
    await work.jobs.park(companyId, reason)
    work.options.observe?.trouble?.(`company ${companyId} is parked and tried again later: ${reason}`)
    // Another process may be able to do it: one of a newer release, or one that reaches the event store.
    if (error instanceof StoreUnavailable || (error instanceof Refusal && error.kind === 'unavailable'))
      throw error
  }
}

/** Bring the next targets of the jobs in line, and answer how far the jobs are then. */
async function servePortion(work: Work, companyId: string, jobs: readonly Job[]): Promise<readonly Served[]> {
  const { policy, options, reaction, term } = work
  const ofEvents = jobs.filter(({ scope }) => scope.startsWith(unheard))
  for (const job of ofEvents) await hearOnce(work, job)
  const scoped = jobs.filter((job) => !ofEvents.includes(job))
  const { value: portions } = await options.reader.read(policy.readModels, (reading) =>
    reaction.next(reading, companyId, scoped, portion),
  )
  const targets = new Set(portions.flatMap((one) => one.targets))
  await concurrently(actsAtOnce, [...targets], (target) => reaction.act(companyId, target))

  const served: Served[] = []
  for (const job of jobs) {
    const one = portions.find(({ scope }) => scope === job.scope)
    const after = one?.after ?? null
    const done = job.done + (one?.targets.length ?? 0)
    const progress = { done, total: Math.max(done, one?.total ?? job.total), finished: after === null }
    if (one) await reaction.report?.(job, progress, term.lease)
    served.push({ ...job, ...progress, after })
  }
  return served
}

async function hearOnce({ options, reaction, jobs }: Work, { companyId, position, eventId }: Job) {
  const event = await options.eventStore.eventAt(position)
  if (event?.id !== eventId) return
  const scopes = await scopesOf(reaction, event)
  await jobs.ask(scopes.map((scope) => ({ companyId, scope, position, eventId })))
}

/** The parts of the work under which troubles are noted. */
const eventsPart = 'events'
const readModelsPart = 'read models'
/** Before the id of every company. */
const nil = '00000000-0000-0000-0000-000000000000'

interface Bell {
  ring(): void
  /** Resolves when it was rung since the last wait, or after so many milliseconds. */
  rung(withinMs: number): Promise<void>
}

function createBell(over: AbortSignal): Bell {
  let next = Promise.withResolvers<void>()
  return {
    ring: () => next.resolve(),
    async rung(withinMs) {
      const waited = new AbortController()
      const signal = AbortSignal.any([over, waited.signal])
      await Promise.race([next.promise, pause(withinMs, undefined, { signal }).catch(() => {})])
      waited.abort()
      next = Promise.withResolvers()
    },
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
