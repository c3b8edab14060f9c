import { z } from 'zod'
import { createApiKey, deleteApiKey, type NewKey, rollApiKeys } from '../commands/apiKeys.ts'
import { newApiKey } from '../identity/apiKeyFormat.ts'
import { access, listApiKeys, listMemberships } from '../projections/access.ts'
import { maxSmallBodyBytes } from './kit/body/body.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { minPosition, untilReached } from './kit/routing/readRoute.ts'
import { send } from './kit/routing/respond.ts'
import type { Route } from './kit/routing/route.ts'
import { heldRoles, listedKey } from './kit/schemas/apiKey.ts'
import { name, orNull, uuid, wholeBetween } from './kit/schemas/fields.ts'

/** The account of the caller: identity, memberships and API keys. */

const me = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['user', 'application']),
    platformRoles: z.array(z.enum(['PlatformAdmin', 'Operator'])),
    memberships: z.array(z.object({ companyId: uuid, companyName: z.string(), roles: heldRoles })),
  })
  .meta({ id: 'Me' })

const issuedKey = z
  .object({
    ...listedKey.shape,
    key: z.string().nullable().meta({
      description: 'The key, shown only in this answer. A repeat of the request gets null.',
    }),
  })
  .meta({ id: 'IssuedApiKey' })

const wantedKey = z
  .strictObject({
    label: name,
    expiresInDays: orNull(wholeBetween(1, 3_650)).meta({
      description: 'When null or absent, the key never expires.',
    }),
  })
  .meta({ id: 'NewApiKey' })

const keys = '/api/me/keys'
const group = 'My account'
const mine = { tag: group, access: 'bearer' } as const

const whoAmI: Route = {
  method: 'get',
  path: '/api/me',
  operationId: 'getMe',
  summary: 'Read my account and memberships',
  description: 'With an API key, the memberships are those of its snapshot.',
  tag: group,
  access: 'caller',
  params: z.object({}),
  query: z.strictObject({}),
  headers: z.object({ 'min-position': minPosition }),
  body: undefined,
  responses: { 200: { description: 'The caller.', schema: me, headers: ['Read-Position'] } },
  problems: [],
  async answer({ res, headers, principal }, services) {
    const { caller, apiKey } = principal!
    await untilReached(services, [access], headers['min-position'])
    const { value: memberships, position } = await services.reader.read([access], async (reading) => {
      reading.requireRunning(access)
      const rows = await reading.query<{ sortKey: unknown }>(
        listMemberships(reading, apiKey?.snapshot ?? caller.id),
      )
      return rows.map(({ sortKey: _, ...membership }) => membership)
    })
    const { id, name, kind, platformRoles } = caller
    send(res, {
      status: 200,
      headers: { 'Cache-Control': 'private, no-cache', 'Read-Position': position },
      body: { id, name, kind, platformRoles, memberships },
    })
  },
}

const newKey: NewKey = () => newApiKey()

export const meRoutes: Route[] = [
  whoAmI,
  list({
    ...mine,
    path: keys,
    operationId: 'listApiKeys',
    summary: 'List my API keys, oldest first',
    reads: [access],
    rows: (moment, { principal: { caller } }, page) => listApiKeys(moment, caller.id, page),
    sortKey: z.tuple([z.string(), uuid]),
    item: listedKey,
  }),
  command({
    ...mine,
    method: 'post',
    path: keys,
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The key has my current memberships and roles. Later changes do not affect it, except that an Admin can remove a company from it. It is shown only in this answer. An account has at most 50 unexpired keys; one more is refused with 409 `too-many-api-keys`.',
    maxBodyBytes: maxSmallBodyBytes,
    body: wantedKey,
    command: ({ principal: { caller, memberships }, body }) =>
      createApiKey(caller.id, body, memberships, newKey),
    record: issuedKey,
    location: ({ keyId }) => `${keys}/${keyId}`,
    problems: [409],
  }),
  command({
    ...mine,
    method: 'post',
    path: `${keys}/roll`,
    operationId: 'rollApiKeys',
    summary: 'Issue a new API key, and delete all others, in one step',
    description:
      'The new key takes label, expiry and snapshot from the newest unexpired key. Once this is answered, all earlier keys of the account are refused on every node.',
    command: ({ principal: { caller } }) => rollApiKeys(caller.id, newKey),
    record: issuedKey,
    revokes: 'keys',
    problems: [409],
  }),
  command({
    ...mine,
    method: 'delete',
    path: `${keys}/{keyId}`,
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description:
      'Once this is answered, the key is refused on every node. If-Match compares with the ETag of the answer that created it.',
    command: ({ principal: { caller }, params: { keyId } }) => deleteApiKey(caller.id, keyId),
    conditional: true,
    revokes: 'keys',
    problems: [404],
  }),
]
