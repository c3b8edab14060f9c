import {
  addWebhook as decideToAdd,
  changeWebhook as decideToChange,
  deleteWebhook as decideToDelete,
  resumeWebhook as decideToResume,
  rollWebhookSecret as decideToRollSecret,
  type Webhook,
  type WebhookContent,
  type WebhookEvent,
  type WebhookRef,
  type Webhooks,
  webhooks,
} from '../../domain/company/webhooks.ts'
import { type Edit, editedContent } from '../../domain/kernel/edit.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, onRecord, onStream, type Workflow } from '../executor/command.ts'

interface WebhookRecord extends WebhookRef, WebhookContent {
  readonly createdAt: string
  readonly updatedAt: string
}

export interface WebhookWithSecret extends WebhookRecord {
  /** The only answer that ever holds it; null when the answer is given again. */
  readonly secret: string | null
}

export interface WebhookSecrets {
  /**
   * Keep a new secret as of the event at this position. The one before signs as well for `overlapHours`. Return the
   * secret; null if the event has one.
   */
  keep(webhookId: string, position: number, overlapHours: number): Promise<string | null>
  /** Delete the secrets of a webhook, its place and the requests to it. */
  forget(webhookId: string): Promise<void>
}

export function addWebhook(
  companyId: string,
  content: WebhookContent,
  secrets: WebhookSecrets,
): Workflow<WebhookWithSecret> {
  const add = onStream({
    aggregate: webhooks,
    id: companyId,
    decide: (state, context) => decideToAdd(state, companyId, content, context),
    // Adding always records, so the event names the webhook.
    answer: (state, [added]) => presentWebhook(state.get(added!.data.webhookId)!),
  })
  return withSecret(add, 0, secrets)
}
addWebhook.refuses = refusals('too-many-webhooks')

export function changeWebhook(ref: WebhookRef, edit: Edit<WebhookContent>): Command<WebhookRecord> {
  return onWebhook(ref, (webhook) => {
    const { url, types, active } = webhook
    return decideToChange(webhook, editedContent(edit, { url, types, active }))
  })
}
changeWebhook.refuses = refusals('webhook-not-found')

/** Go on sending, after a position of the feed, or where sending stopped. */
export function resumeWebhook(ref: WebhookRef, after: number | null): Command<WebhookRecord> {
  return onWebhook(ref, (webhook) => decideToResume(webhook, after))
}
resumeWebhook.refuses = refusals('webhook-not-found')

export function rollWebhookSecret(
  ref: WebhookRef,
  overlapHours: number,
  secrets: WebhookSecrets,
): Workflow<WebhookWithSecret> {
  const roll = onWebhook(ref, (webhook) => decideToRollSecret(webhook, overlapHours))
  return withSecret(roll, overlapHours, secrets)
}
rollWebhookSecret.refuses = refusals('webhook-not-found')

/** A repeat of a request that broke off before all of the webhook was deleted deletes the rest. */
export function deleteWebhook(ref: WebhookRef, secrets: WebhookSecrets): Workflow<undefined> {
  const remove = onRecord({
    aggregate: webhooks,
    id: ref.companyId,
    record: addressOf(ref),
    decide: decideToDelete,
  })
  return {
    aggregate: webhooks,
    async run({ execute }, context) {
      const outcome = await execute(remove, context)
      await secrets.forget(ref.webhookId)
      return outcome
    },
  }
}
deleteWebhook.refuses = refusals('webhook-not-found')

/** The event comes first: a repeat of a request that broke off before its secret was kept makes and shows one. */
function withSecret(
  command: Command<WebhookRecord>,
  overlapHours: number,
  secrets: WebhookSecrets,
): Workflow<WebhookWithSecret> {
  return {
    aggregate: webhooks,
    async run({ execute }, context) {
      const outcome = await execute(command, context)
      const secret = await secrets.keep(outcome.body.webhookId, outcome.position, overlapHours)
      return { ...outcome, body: { ...outcome.body, secret }, shown: outcome.body }
    },
  }
}

function onWebhook(
  ref: WebhookRef,
  decide: (webhook: Webhook) => readonly WebhookEvent[],
): Command<WebhookRecord> {
  return onRecord({
    aggregate: webhooks,
    id: ref.companyId,
    record: addressOf(ref),
    decide,
    answer: presentWebhook,
  })
}

function addressOf({ webhookId }: WebhookRef) {
  return {
    missing: 'webhook-not-found',
    id: webhookId,
    find: (state: Webhooks) => state.get(webhookId),
  } as const
}

function presentWebhook({ revision, ...body }: Webhook) {
  const { webhookId, companyId, url, types, active, createdAt, updatedAt } = body
  return { body: { webhookId, companyId, url, types, active, createdAt, updatedAt }, etag: revision }
}
