import { z } from 'zod'
import { createApiKey, deleteApiKey, type NewKey, rollApiKeys } from '../commands/apiKeys.ts'
import { newApiKey } from '../identity/apiKeyFormat.ts'
import { access, listApiKeys, listMemberships } from '../projections/access.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { minPosition, untilReached } from './kit/routing/readRoute.ts'
import { send } from './kit/routing/respond.ts'
import type { Route } from './kit/routing/route.ts'
import { heldRoles, listedKey } from './kit/schemas/apiKey.ts'
import { name, orNull, uuid, wholeBetween } from './kit/schemas/fields.ts'

/** The caller's own account: who it is, what it may do, its API keys. */

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
      description: 'This is the only answer that ever holds it: null when the answer is given again.',
    }),
  })
  .meta({ id: 'IssuedApiKey' })

const wantedKey = z
  .strictObject({
    label: name,
    expiresInDays: orNull(wholeBetween(1, 3_650)).meta({ description: 'null or absent: never.' }),
  })
  .meta({ id: 'NewApiKey' })

const keys = '/api/me/keys'
const group = 'My account'
const mine = { tag: group, access: 'bearer' } as const

const whoAmI: Route = {
  method: 'get',
  path: '/api/me',
  operationId: 'getMe',
  summary: 'Who I am, and what I may do',
  description: 'With an API key: what the key may do, which is what its snapshot says.',
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
      'It carries my memberships and roles as they are now; later changes do not reach it, except that an Admin may take a company out of it. It is shown in this answer and never again. An account has at most 50 keys that have not expired: one more is 409 `too-many-api-keys`.',
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
      'Label, expiry and snapshot are those of the newest key that has not expired. When this is answered all earlier keys of the account are refused everywhere, however many there are.',
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
      'When this is answered the key is refused everywhere. If-Match compares with the ETag that its creation answered.',
    command: ({ principal: { caller }, params: { keyId } }) => deleteApiKey(caller.id, keyId),
    conditional: true,
    revokes: 'keys',
    problems: [404],
  }),
]
