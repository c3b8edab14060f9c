import type { CloudEvent } from '../changes/cloudEvents.ts'
import type { ChangePage } from '../changes/readChanges.ts'
import { isRefusal } from '../domain/kernel/refusal.ts'
import { tell } from '../domain/verdict/sentence.ts'
import { batchesOf } from './batches.ts'
import { accept, fail, failureOf, outcomeOf, type Place, stop, type WebhookOutcome } from './place.ts'
import type { Post } from './post.ts'
import type { Progress } from './progress.ts'
import { messageId, signedHeaders } from './signature.ts'

/** Send to one endpoint what it has not accepted yet, in order: a ping first, then the changes after its place. */

export interface Endpoint {
  readonly companyId: string
  readonly webhookId: string
  readonly url: string
  readonly types: readonly string[]
  /** The revision of the webhook's last event. */
  readonly revision: number
  readonly startedAt: number
  readonly startAfter: number | null
  readonly place: Place
  /** An Admin has moved the place, and nothing was sent since. */
  readonly isMoved: boolean
  readonly secret: string
  /** The secret before, and when it ends. */
  readonly former: string | null
  readonly formerUntil: Date | null
}

export interface Delivering {
  readonly read: (endpoint: Endpoint, after: number) => Promise<ChangePage>
  /** Whether no event has changed the webhook since. */
  readonly isCurrent: (endpoint: Endpoint) => Promise<boolean>
  readonly post: Post
  readonly progress: Pick<Progress, 'save'>
  readonly onAnswer: (outcome: WebhookOutcome) => void
  readonly now: () => Date
  readonly over: AbortSignal
}

/** Return whether there may be more to send at once. @throws Failure `term-over`, PostgresUnavailable; Refusal */
export async function deliver(endpoint: Endpoint, delivering: Delivering): Promise<boolean> {
  const { progress, now } = delivering
  let { place } = endpoint
  if (place.nextTryAt !== null && place.nextTryAt > now()) return false
  if (place.pingedUrl !== endpoint.url) return ping(endpoint, place, delivering)
  const page = await pageAfter(endpoint, place, delivering)
  if (!page) return false
  // A change that was recorded after the webhook was paused or deleted must not leave.
  if (page.changes.length > 0 && !(await delivering.isCurrent(endpoint))) return true
  for (const { changes, reached } of batchesOf(page, place.position)) {
    const next = await request(endpoint, place, changes, delivering, (from) =>
      accept(from, { position: reached }),
    )
    if (!next || next.tries > 0 || next.disabled !== null) return false
    place = next
  }
  if (page.next !== place.position || (endpoint.isMoved && place === endpoint.place))
    await progress.save(endpoint.webhookId, accept(place, { position: page.next }))
  return page.next < page.position
}

/** Return the changes to send; undefined when the place is not in the store any more, and sending has stopped. */
async function pageAfter(
  endpoint: Endpoint,
  place: Place,
  { read, progress }: Delivering,
): Promise<ChangePage | undefined> {
  try {
    return await read(endpoint, place.position)
  } catch (error) {
    if (!isRefusal(error, 'after-unknown')) throw error
    await progress.save(endpoint.webhookId, stop(place, tell('WebhookPositionUnknown')))
    return undefined
  }
}

async function ping(endpoint: Endpoint, place: Place, delivering: Delivering): Promise<boolean> {
  const { companyId, webhookId, url } = endpoint
  const change: CloudEvent = {
    specversion: '1.0',
    id: `${webhookId}/ping/${place.startedAt}`,
    source: `/api/company/${companyId}`,
    type: 'heatmark.webhook.ping.v1',
    subject: `webhook/${webhookId}`,
    time: delivering.now().toISOString(),
    position: String(place.position),
  }
  const next = await request(endpoint, place, [change], delivering, (from) =>
    accept(from, { pingedUrl: url }),
  )
  return next !== undefined && next.pingedUrl === url
}

/** Send one request, and save what became of it. Return the new place; undefined when it is over. */
async function request(
  endpoint: Endpoint,
  place: Place,
  changes: readonly CloudEvent[],
  { post, progress, onAnswer, now, over }: Delivering,
  whenAccepted: (place: Place) => Place,
): Promise<Place | undefined> {
  const { webhookId, url, secret, former, formerUntil } = endpoint
  const at = now()
  const body = JSON.stringify(changes)
  const id = messageId(place.startedAt, [webhookId, ...changes.map((one) => one.id)])
  const secrets = former !== null && formerUntil !== null && formerUntil > at ? [secret, former] : [secret]
  const message = { id, timestamp: Math.floor(at.getTime() / 1_000), body }
  const answer = await post(url, signedHeaders(message, secrets), body, over)
  if (over.aborted) return undefined
  const outcome = outcomeOf(answer)
  onAnswer(outcome)
  const isGood = outcome === 'accepted'
  const next = isGood ? whenAccepted(place) : fail(place, answer, now())
  await progress.save(webhookId, next, {
    at,
    isPing: place.pingedUrl !== url,
    changes: changes.length,
    after: place.position,
    status: answer.status,
    failure: isGood ? undefined : failureOf(answer),
  })
  return next
}
