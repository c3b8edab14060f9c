import { Map as ImmutableMap } from 'immutable'
import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import type { DecisionContext } from '../kernel/aggregate.ts'
import { type Change, changesOf } from '../kernel/changes.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import { sentence } from '../verdict/sentence.ts'

/**
 * The webhooks of a company: where its changes are sent. Events hold what an Admin decides. The secret, and how far the
 * changes were sent, are kept beside them.
 */

export interface WebhookContent {
  readonly url: string
  /** The types of changes, or beginnings of types; none of them for all changes. */
  readonly types: readonly string[]
  /** False: nothing is sent, and the place in the feed is kept. */
  readonly active: boolean
}

export interface WebhookRef {
  readonly companyId: string
  readonly webhookId: string
}

export type WebhookAdded = DomainEvent<'WebhookAdded', WebhookRef & WebhookContent>
export type WebhookChanged = DomainEvent<
  'WebhookChanged',
  WebhookRef & WebhookContent & { readonly changes: readonly Change[] }
>
type Named = WebhookRef & Pick<WebhookContent, 'url'>
/** Sending goes on, after this position of the feed; null: where it stopped. */
export type WebhookResumed = DomainEvent<'WebhookResumed', Named & { readonly after: number | null }>
/** The new secret is kept elsewhere. The one before signs as well for so long. */
export type WebhookSecretRolled = DomainEvent<
  'WebhookSecretRolled',
  Named & { readonly overlapHours: number }
>
export type WebhookDeleted = DomainEvent<'WebhookDeleted', Named>
export type WebhookEvent =
  | WebhookAdded
  | WebhookChanged
  | WebhookResumed
  | WebhookSecretRolled
  | WebhookDeleted

export interface Webhook extends WebhookRef, WebhookContent {
  readonly createdAt: string
  readonly updatedAt: string
  /** Revision of the webhook's own last event. */
  readonly revision: number
}

export type Webhooks = ImmutableMap<string, Webhook>

/** The most webhooks of a company. */
const maxWebhooks = 20

function evolve(state: Webhooks, { type, data, metadata, revision }: Stored<WebhookEvent>): Webhooks {
  const touched = { updatedAt: metadata.occurredAt, revision }
  if (type === 'WebhookAdded')
    return state.set(data.webhookId, { ...data, ...touched, createdAt: metadata.occurredAt })
  const before = state.get(data.webhookId)
  if (!before) return state
  const { webhookId } = data
  switch (type) {
    case 'WebhookChanged': {
      const { url, types, active } = data
      return state.set(webhookId, { ...before, url, types, active, ...touched })
    }
    case 'WebhookResumed':
      return state.set(webhookId, { ...before, active: true, ...touched })
    case 'WebhookSecretRolled':
      return state.set(webhookId, { ...before, ...touched })
    case 'WebhookDeleted':
      return state.delete(webhookId)
    default:
      return state
  }
}

export const webhooks: AuditedAggregate<Webhooks, WebhookEvent> = {
  name: 'webhooks',
  streamName: (companyId) => `webhooks-${companyId}`,
  initial: ImmutableMap(),
  evolve,
  events: eventsAbout('webhook', 'webhookId', {
    WebhookAdded: { bound: 'day', tell: ({ url }) => sentence('WebhookAdded', { url }) },
    WebhookChanged: {
      bound: 'day',
      tell: ({ url }) => sentence('WebhookChanged', { url }),
      listChanges: ({ changes }) => changes,
    },
    WebhookResumed: {
      bound: 'day',
      tell: ({ url, after }) =>
        after === null
          ? sentence('WebhookResumed', { url })
          : sentence('WebhookResumedAfter', { url, after }),
    },
    WebhookSecretRolled: {
      bound: 'day',
      tell: ({ url, overlapHours }) => sentence('WebhookSecretRolled', { url, hours: overlapHours }),
    },
    WebhookDeleted: { bound: 'none', tell: ({ url }) => sentence('WebhookDeleted', { url }) },
  }),
}

/** @throws Refusal `too-many-webhooks` */
export function addWebhook(
  state: Webhooks,
  companyId: string,
  content: WebhookContent,
  { newId }: DecisionContext,
): readonly WebhookEvent[] {
  if (state.size >= maxWebhooks)
    throw conflict(
      'too-many-webhooks',
      `A company has at most ${maxWebhooks} webhooks, so nothing was recorded. Delete one that is not used any more.`,
    )
  return [{ type: 'WebhookAdded', data: { companyId, webhookId: newId(), ...content } }]
}

export function changeWebhook(
  { companyId, webhookId, url, types, active }: Webhook,
  content: WebhookContent,
): readonly WebhookEvent[] {
  const changes = changesOf<WebhookContent>({ url, types, active }, content)
  if (changes.length === 0) return []
  return [{ type: 'WebhookChanged', data: { companyId, webhookId, ...content, changes } }]
}

export function resumeWebhook(
  { companyId, webhookId, url }: Webhook,
  after: number | null,
): readonly WebhookEvent[] {
  return [{ type: 'WebhookResumed', data: { companyId, webhookId, url, after } }]
}

export function rollWebhookSecret(
  { companyId, webhookId, url }: Webhook,
  overlapHours: number,
): readonly WebhookEvent[] {
  return [{ type: 'WebhookSecretRolled', data: { companyId, webhookId, url, overlapHours } }]
}

export function deleteWebhook({ companyId, webhookId, url }: Webhook): readonly WebhookEvent[] {
  return [{ type: 'WebhookDeleted', data: { companyId, webhookId, url } }]
}
