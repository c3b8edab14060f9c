import { setTimeout as pause } from 'node:timers/promises'
import { domainEvents } from '../domain/aggregates.ts'
import type { Recorded } from '../domain/kernel/event.ts'
import { withMetadata } from '../domain/kernel/metadata.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import { toNewestVersion, understands } from '../domain/kernel/versions.ts'
import { StoreUnavailable } from '../stores/eventStore.ts'
import type { Checkpoint } from '../stores/subscription/checkpoint.ts'
import { checkpointOf } from '../stores/subscription/recentEvents.ts'
import type { Subscription } from '../stores/subscription/subscription.ts'
import { conditionText, newerRelease } from './conditions.ts'
import type { JobRequest } from './jobs.ts'
import type { Job, Reaction } from './policy.ts'
import type { Work } from './work.ts'

const batchWeight = 500
/** Events that arrive within this time share one statement, if they ask for jobs. */
const gatherMs = 50
/**
 * The interval at which a checkpoint is saved when no event asked for a job. Hearing such events again asks for none
 * either.
 */
const saveEveryMs = 1_000

/** Pass the events, and save the jobs that they ask for, until the term is over. */
export async function hear(
  { options: { clock }, reaction, jobs, over, note, news, onReached }: Work,
  subscription: Subscription,
): Promise<void> {
  const part = 'events'
  let unsaved: Checkpoint | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const dueInMs = () => Math.max(0, savedAt + saveEveryMs - clock())
    const events = await subscription.take(batchWeight, unsaved && dueInMs())
    if (over.aborted) return
    const last = events.at(-1)
    const reached = last && checkpointOf(last)
    if (reached) unsaved = reached
    const requests: JobRequest[] = []
    try {
      for (const event of events) requests.push(...(await findRequests(reaction, event)))
    } catch (error) {
      // The note stays until these events have passed, because the next term meets them again.
      if (!over.aborted) note(part, conditionText(error as Error))
      throw error
    }
    if (unsaved && (requests.length > 0 || dueInMs() === 0)) {
      await jobs.pass(unsaved, requests)
      savedAt = clock()
      unsaved = undefined
    }
    note(part)
    if (!reached) continue
    onReached(reached)
    if (requests.length > 0) news.ring(reached.position)
    if (events.length < batchWeight) await pause(gatherMs, undefined, { signal: over }).catch(() => {})
  }
}

/** The prefix of the scope of a job for an event that the policy has failed to hear. */
const unheard = 'unheard/'

export function isUnheard({ scope }: Job): boolean {
  return scope.startsWith(unheard)
}

/**
 * Hear the event of such a job once more, and save the jobs that it asks for. A reaction of its own hears it: the reaction
 * of the term would take it for the last event, and forget what came after it.
 */
export async function hearAgain({ policy, options, jobs }: Work, job: Job): Promise<void> {
  const { companyId, position, eventId } = job
  const event = await options.eventStore.eventAt(position)
  if (event?.id !== eventId) return
  const scopes = await scopesOf(policy.begin(), withMetadata(event))
  await jobs.ask(scopes.map((scope) => ({ companyId, scope, position, eventId })))
}

/**
 * An event that the policy fails to hear does not stop it: that is the job of the event's company.
 * @throws StoreUnavailable; Refusal for an event of a newer release
 */
async function findRequests(reaction: Reaction, stored: Recorded): Promise<readonly JobRequest[]> {
  // Another program's event may be no JSON, or name no company: then there is none to serve.
  if (!reaction.hears.has(stored.type) || stored.isJson === false) return []
  const event = withMetadata(stored)
  refuseNewer(event)
  const { companyId: written }: { companyId?: unknown } = { ...event.data }
  if (!isUuid(written)) return []
  // Another program may write ids in upper case, and the rows of jobs do not distinguish them.
  const companyId = written.toLowerCase()
  const { position, id: eventId } = event
  try {
    const scopes = await scopesOf(reaction, event)
    return scopes.map((scope) => ({ companyId, scope, position, eventId }))
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    return [{ companyId, scope: `${unheard}${position}`, position, eventId }]
  }
}

async function scopesOf({ hears }: Reaction, event: Recorded): Promise<readonly string[]> {
  const scopes = await hears.get(event.type)!(toNewestVersion(domainEvents, event))
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
    throw new Refusal(newerRelease, `A newer release has recorded ${event.type}.`)
}
