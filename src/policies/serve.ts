import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../domain/kernel/refusal.ts'
import { concurrently } from '../lib/concurrently.ts'
import { isFailure } from '../lib/failure.ts'
import { StoreUnavailable } from '../stores/eventStore.ts'
import { PostgresUnavailable } from '../stores/postgres/postgres.ts'
import type { Subscription } from '../stores/subscription/subscription.ts'
import { conditionText } from './conditions.ts'
import { hearAgain, isUnheard } from './hear.ts'
import type { Served } from './jobs.ts'
import type { Job, Portion } from './policy.ts'
import { createCompanyTurns } from './turns.ts'
import type { Work } from './work.ts'

/** Jobs of a company served at once, and targets of each. */
const portion = 200
/** The time for one portion. Targets that have not begun by then wait for the company's next turn. */
const usualTurnMs = 1_000
/** The targets that are served at the same time, unless the policy declares another number. */
const targetsAtOnce = 16
/** Work that took longer than this has waited for something. */
const longestRestMs = 200
const usualLookAgainMs = 1_000
/** A new job rings the bell, so while there is none, look for jobs this many times less often. */
const idleLooks = 10
/** The name of the part of the work whose condition tells that read models lag. */
const readModelsPart = 'read models'

/** Serve the companies that have jobs, one portion each, until the term is over. They share the time. */
export async function serve(work: Work, subscription: Subscription): Promise<void> {
  const { policy, options, jobs, over, note, news } = work
  const { lookAgainMs = usualLookAgainMs } = options
  // Until the subscription has seen the checkpoint's event, the store may be another one or may be rewound.
  await Promise.race([subscription.checked, untilAborted(over)])
  const turns = createCompanyTurns()
  try {
    while (!over.aborted) {
      const position = options.positions.positionOf(policy.reads)
      const companyId = turns.next(await jobs.companies(position))
      if (companyId !== undefined) {
        note(readModelsPart)
        const began = options.clock()
        await serveCompany(work, companyId, await jobs.ofCompany(companyId, position, portion))
        turns.charge(companyId, options.clock() - began)
        continue
      }
      const { isAny, waiting } = await jobs.countLeft(position)
      if (waiting !== null) await waitForReadModels(work, waiting)
      else {
        note(readModelsPart)
        const rungAt = await news.waitForRing(isAny ? lookAgainMs : idleLooks * lookAgainMs)
        // Before the read models show the event, a look would find nothing to serve.
        if (rungAt !== undefined) await options.positions.waitFor(policy.reads, rungAt, lookAgainMs)
      }
    }
  } finally {
    note(readModelsPart)
  }
}

/** Wait until the read models show what a job waits for. */
async function waitForReadModels({ policy, options, over, note }: Work, waiting: number): Promise<void> {
  const { lookAgainMs = usualLookAgainMs } = options
  if (await options.positions.waitFor(policy.reads, waiting, lookAgainMs)) return note(readModelsPart)
  note(readModelsPart, 'the read models are behind')
  // A read of a stopped read model fails at once, and may do so for hours.
  await pause(lookAgainMs, undefined, { signal: over }).catch(() => {})
}

/** A company that cannot be served is parked, and the others go on. */
async function serveCompany(work: Work, companyId: string, jobs: readonly Job[]): Promise<void> {
  try {
    await work.jobs.saveServed(companyId, await servePortion(work, companyId, jobs))
  } catch (error) {
    if (isFailure(error, 'term-over') || error instanceof PostgresUnavailable) throw error
    const reason = conditionText(error as Error)
    await work.jobs.park(companyId, reason)
    work.options.observe?.condition?.(`company ${companyId} is parked and tried again later: ${reason}`)
    if (error instanceof StoreUnavailable) throw error
    // A process of a newer release may be able to do it. Without one, the other companies must not wait.
    if (error instanceof Refusal && error.status === 503 && work.mayMakeWay()) throw error
  }
}

/** Bring the next targets of the jobs in line, and answer how far the jobs are then. */
async function servePortion(work: Work, companyId: string, jobs: readonly Job[]): Promise<readonly Served[]> {
  const { policy, options, reaction, lease } = work
  for (const job of jobs.filter(isUnheard)) await hearAgain(work, job)
  const scoped = jobs.filter((job) => !isUnheard(job))
  const { value: portions } = await options.reader.read(policy.reads, (reading) =>
    reaction.next(reading, companyId, scoped, portion),
  )
  const targets = new Set(portions.flatMap((one) => one.targets))
  const inLine = await bringInLine(work, companyId, [...targets])

  const served: Served[] = []
  for (const job of jobs) {
    const one = portions.find(({ scope }) => scope === job.scope)
    const next = one ? advance(job, one, inLine) : { ...job, finished: true }
    if (one) await reaction.report?.(job, next, lease)
    served.push(next)
  }
  return served
}

/** Answer the targets that are in line before the company's turn ends. */
async function bringInLine(
  { policy, options, reaction, over }: Work,
  companyId: string,
  targets: readonly string[],
): Promise<ReadonlySet<string>> {
  const { turnMs = usualTurnMs, lookAgainMs = usualLookAgainMs } = options
  const turn = AbortSignal.timeout(turnMs)
  const bring = reaction.portion(companyId, turn)
  const inLine = new Set<string>()
  const bringOne = async (target: string) => {
    if (turn.aborted) return
    try {
      const position = await bring(target)
      inLine.add(target)
      // A policy that appends faster than the projector applies would make every caller wait behind its events.
      await options.positions.waitFor(policy.shows, position, lookAgainMs)
    } catch (error) {
      if (!turn.aborted || error !== turn.reason) throw error
    }
  }
  const atOnce = policy.targetsAtOnce ?? targetsAtOnce
  const group = policy.rests ? atOnce : targets.length
  for (let first = 0; first < targets.length; first += group) {
    const began = options.clock()
    await concurrently(atOnce, targets.slice(first, first + group), bringOne)
    if (policy.rests) await rest(options.clock() - began, over)
  }
  return inLine
}

/** Rest for as long as the work took, so that other callers have the machine. */
async function rest(workedMs: number, over: AbortSignal): Promise<void> {
  await pause(Math.min(workedMs, longestRestMs), undefined, { signal: over }).catch(() => {})
}

/** Return the job after a portion. End the portion before the first unprocessed target. */
function advance(job: Job, portion: Portion, inLine: ReadonlySet<string>): Served {
  const { targets, places = targets, after, total = job.total } = portion
  const open = targets.findIndex((target) => !inLine.has(target))
  const count = open === -1 ? targets.length : open
  const done = job.done + count
  return {
    ...job,
    done,
    total: Math.max(done, total),
    after: open === -1 ? after : (places[count - 1] ?? job.after),
    finished: open === -1 && after === null,
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
