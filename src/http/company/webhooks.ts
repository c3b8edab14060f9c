import { z } from 'zod'
import { isType, mostTypes, notAType, typePattern } from '../../changes/types.ts'
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  resumeWebhook,
  rollWebhookSecret,
} from '../../commands/company/webhooks.ts'
import type { WebhookContent } from '../../domain/company/webhooks.ts'
import { replaceMembers } from '../../domain/kernel/edit.ts'
import { invalid } from '../../domain/kernel/refusal.ts'
import { told } from '../../problems/finding.ts'
import {
  findWebhook,
  listAttempts,
  listWebhooks,
  webhookStates,
  webhooks,
} from '../../projections/company/webhooks.ts'
import type { Reach } from '../../webhooks/publicNetworks.ts'
import { maxSmallBodyBytes } from '../kit/body/body.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { pathWith, type Route } from '../kit/routing/route.ts'
import { asEdit } from '../kit/schemas/edit.ts'
import { plainText, timestamp, uuid, wholeBetween } from '../kit/schemas/fields.ts'

/** The webhooks of a company: Admins say where its changes are sent, and see how that goes. */

const address = plainText(2_000)
  .refine(isAddress, 'must be an address with https, without a user, a password or a fragment')
  .meta({
    as: { type: 'string', format: 'uri', examples: ['https://erp.example.com/heatmark'] },
    description:
      'An address with https. It must be public, unless the operator allows its network; such a one may have http. Everybody who may read the history reads the address.',
  })

const content = {
  url: address,
  types: z
    .array(
      z
        .string()
        .refine(isType, notAType)
        .meta({ as: { type: 'string', pattern: typePattern, examples: ['heatmark.bar'] } }),
    )
    .max(mostTypes)
    .default([])
    .meta({
      description:
        'Send changes of these types alone. `heatmark.bar` stands for all types about bars. Empty, the default, for all changes.',
    }),
  active: z.boolean().default(true).meta({ description: 'False: send nothing, and keep the place.' }),
} satisfies Record<keyof WebhookContent, z.ZodType>

const body = z.strictObject(content).meta({
  id: 'WebhookContent',
  examples: [{ url: 'https://erp.example.com/heatmark', types: ['heatmark.bar', 'heatmark.certificate'] }],
})
const update = z.strictObject(asEdit(content)).meta({ id: 'WebhookUpdate' })

const webhook = z
  .object({
    webhookId: uuid,
    companyId: uuid,
    url: z.string(),
    types: z.array(z.string()),
    active: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' })

const sending = webhook
  .extend({
    state: z.enum(webhookStates).meta({
      description:
        '`pending` until the endpoint accepts a ping. `failing`: the last request failed, and is sent again at `nextTryAt`. `paused` by an Admin, and `disabled` by the service, until an Admin resumes it.',
    }),
    condition: told.nullable().meta({ description: 'Why the last request failed, or nothing is sent.' }),
    after: z.int().nullable().meta({ description: 'The position of the last change that was accepted.' }),
    nextTryAt: timestamp.nullable(),
  })
  .meta({ id: 'WebhookState' })

const withSecret = webhook
  .extend({
    secret: z.string().nullable().meta({
      description: 'Signs the requests, and is shown only in this answer. A repeat of the request gets null.',
    }),
  })
  .meta({ id: 'WebhookWithSecret' })

const attempt = z
  .object({
    attemptedAt: timestamp,
    isPing: z.boolean(),
    changes: z.int().meta({ description: 'The number of changes in the request.' }),
    after: z.int().meta({ description: 'The position that they follow.' }),
    status: z.int().nullable().meta({ description: 'The status of the answer; null without one.' }),
    failure: told.nullable(),
  })
  .meta({ id: 'WebhookAttempt' })

const resumption = z
  .strictObject({
    after: wholeBetween(0, Number.MAX_SAFE_INTEGER).optional().meta({
      description:
        'Send the changes after this position: an earlier one sends them again, a later one leaves some out. Left out: where sending stopped.',
    }),
  })
  .meta({ id: 'WebhookResumption', examples: [{ after: 0 }] })

const usualOverlapHours = 24
const overlap = z
  .strictObject({
    overlapHours: wholeBetween(0, 168)
      .optional()
      .meta({
        description: `The hours for which the secret before signs as well. Left out: ${usualOverlapHours}.`,
      }),
  })
  .meta({ id: 'SecretOverlap', examples: [{ overlapHours: 24 }] })

const all = '/api/company/{companyId}/webhooks'
const one = `${all}/{webhookId}` as const
const administering = { tag: 'Webhooks', access: { company: 'administer' } } as const
const small = { maxBodyBytes: maxSmallBodyBytes } as const
const webhookRecord = {
  reads: [webhooks],
  missing: { code: 'webhook-not-found', id: 'webhookId' },
} as const

export const webhookRoutes: Route[] = [
  listRoute({
    ...administering,
    path: all,
    operationId: 'listWebhooks',
    summary: 'List the webhooks of a company, oldest first',
    reads: [webhooks],
    rows: (snapshot, { params }, page) => listWebhooks(snapshot, params.companyId, page),
    alwaysRead: true,
    sortKey: z.tuple([z.string(), uuid]),
    item: sending,
  }),
  commandRoute({
    ...administering,
    method: 'post',
    path: all,
    operationId: 'addWebhook',
    summary: 'Add a webhook',
    description:
      'The changes of the feed after this request are sent to the address, as soon as it has accepted a ping: a batch with one event `heatmark.webhook.ping.v1`. Every request has at most 100 changes, in the order of the feed, and is signed by [Standard Webhooks](https://www.standardwebhooks.com). A company has at most 20 webhooks.',
    maxBodyBytes: 65_536,
    body,
    command: ({ params, body: sent }, { webhookSecrets, webhookReach }) => {
      requireReachable(sent.url, webhookReach)
      return addWebhook(params.companyId, sent, webhookSecrets)
    },
    record: withSecret,
    holdsSecret: true,
    location: ({ companyId, webhookId }) => pathWith(one, { companyId, webhookId }),
    problems: addWebhook.refuses,
  }),
  recordRoute({
    ...administering,
    ...webhookRecord,
    path: one,
    operationId: 'getWebhook',
    summary: 'Read one webhook',
    find: (snapshot, { params }) => findWebhook(snapshot, params),
    record: sending,
  }),
  commandRoute({
    ...administering,
    method: 'put',
    path: one,
    operationId: 'changeWebhook',
    summary: 'Change a webhook',
    description: 'Another address is asked by a ping first.',
    maxBodyBytes: 65_536,
    body: update,
    command: ({ params, body: sent }, { webhookReach }) => {
      if (sent.url !== undefined) requireReachable(sent.url, webhookReach)
      return changeWebhook(params, replaceMembers<WebhookContent>(sent))
    },
    record: webhook,
    conditional: true,
    problems: changeWebhook.refuses,
  }),
  commandRoute({
    ...administering,
    method: 'delete',
    path: one,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    command: ({ params }, { webhookSecrets }) => deleteWebhook(params, webhookSecrets),
    conditional: true,
    problems: deleteWebhook.refuses,
  }),
  commandRoute({
    ...administering,
    ...small,
    method: 'post',
    path: `${one}/resume`,
    operationId: 'resumeWebhook',
    summary: 'Go on sending, from here or from another place',
    description: 'For a webhook that is paused or disabled, for a replay, and to try again at once.',
    body: resumption,
    isBodyOptional: true,
    command: ({ params, body: sent }) => resumeWebhook(params, sent?.after ?? null),
    record: webhook,
    conditional: true,
    problems: resumeWebhook.refuses,
  }),
  commandRoute({
    ...administering,
    ...small,
    method: 'post',
    path: `${one}/roll-secret`,
    operationId: 'rollWebhookSecret',
    summary: 'Make a new secret',
    body: overlap,
    isBodyOptional: true,
    command: ({ params, body: sent }, { webhookSecrets }) =>
      rollWebhookSecret(params, sent?.overlapHours ?? usualOverlapHours, webhookSecrets),
    record: withSecret,
    holdsSecret: true,
    conditional: true,
    problems: rollWebhookSecret.refuses,
  }),
  listRoute({
    ...administering,
    path: `${one}/attempts`,
    operationId: 'listWebhookAttempts',
    summary: 'List the requests of the last 30 days, most recent first',
    reads: [webhooks],
    within: { find: (snapshot, { params }) => findWebhook(snapshot, params), missing: webhookRecord.missing },
    rows: (snapshot, { params }, page) => listAttempts(snapshot, params, page),
    alwaysRead: true,
    sortKey: z.tuple([z.number()]),
    item: attempt,
  }),
]

/** @throws Refusal 400 for an address to which nothing would ever be sent. A name is looked up when a request is sent. */
function requireReachable(url: string, { faultOf }: Pick<Reach, 'faultOf'>): void {
  const message = faultOf(url)
  if (message !== undefined) throw invalid([{ path: '/url', code: 'not-public', message }])
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + hash === ''
}
