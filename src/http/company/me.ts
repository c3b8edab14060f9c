import { z } from 'zod'
import { createApiKey, deleteApiKey, rollApiKey, rollApiKeys } from '../../commands/company/apiKeys.ts'
import type { Membership } from '../../domain/company/account.ts'
import { roles } from '../../domain/company/companyEvents.ts'
import { newApiKey } from '../../identity/apiKeyFormat.ts'
import type { Caller } from '../../identity/caller.ts'
import { access } from '../../projections/company/access.ts'
import { findApiKey, listApiKeys } from '../../projections/company/apiKeyQueries.ts'
import { listMemberships } from '../../projections/company/memberQueries.ts'
import { erasedName, findKnownName, type KnownName, persons } from '../../projections/company/persons.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { maxSmallBodyBytes } from '../kit/body/body.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { cachingOf } from '../kit/routing/caching.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { minPosition, waitUntilReached } from '../kit/routing/minPosition.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { send } from '../kit/routing/respond.ts'
import { id, type Route } from '../kit/routing/route.ts'
import { name, oneOf, orNull, uuid, wholeBetween } from '../kit/schemas/fields.ts'
import { heldRoles, listedKey } from './apiKey.ts'

/** The account of the caller: identity, memberships and API keys. */

const me = z
  .object({
    userId: z.string(),
    id: z.string().meta({ description: 'The same as userId.' }),
    name: z.string(),
    kind: z.enum(['user', 'application']).meta({ id: 'CallerKind' }),
    platformRoles: z.array(z.enum(['PlatformAdmin', 'Operator']).meta({ id: 'PlatformRole' })),
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
    companies: z.array(id).min(1).max(1_000).optional().meta({
      description: 'The companies that the key lets into. Left out: all of mine.',
    }),
    roles: z.array(oneOf(roles)).min(1).optional().meta({
      description:
        'The roles that the key has, in the companies where I have them: an Admin may give every role, and everybody `Viewer`. Left out: all of mine.',
    }),
  })
  .meta({ id: 'NewApiKey', examples: [{ label: 'Nightly import', expiresInDays: 365 }] })

const usualOverlapHours = 24

const overlap = z
  .strictObject({
    overlapHours: wholeBetween(0, 168)
      .optional()
      .meta({
        description: `The hours for which the key itself stays good; 0 ends it at once. Left out: ${usualOverlapHours}.`,
      }),
  })
  .meta({ id: 'KeyOverlap', examples: [{ overlapHours: 24 }] })

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
  async answer({ req, res, headers, principal, requireAccess }, services) {
    const { caller, apiKey } = principal!
    await waitUntilReached(services, [access, persons], headers['min-position'])
    const { value, position } = await services.reader.read([access, persons], async (reading) => {
      reading.requireRunning(access)
      const rows = await reading.query<{ sortKey: unknown }>(
        listMemberships(reading, apiKey?.snapshot ?? caller.id),
      )
      return {
        name: apiKey ? await ownerName(reading, caller, apiKey.snapshot) : caller.name,
        memberships: rows.map(({ sortKey: _, ...membership }) => membership),
      }
    })
    const { id, kind, platformRoles } = caller
    await requireAccess()
    await send(res, {
      status: 200,
      headers: { 'Cache-Control': cachingOf(req), 'Read-Position': position },
      body: { userId: id, id, name: value.name, kind, platformRoles, memberships: value.memberships },
    })
  },
}

/** Return the newest name that a company of the key knows of its owner. */
async function ownerName(reading: Reading, { id }: Caller, snapshot: readonly Membership[]): Promise<string> {
  const companyIds = snapshot.map(({ companyId }) => companyId)
  const [person] = await reading.query<KnownName>(findKnownName(reading, id, companyIds))
  const isErased = person!.erasures > 0 && person!.erasures === companyIds.length
  return person!.name ?? (isErased ? erasedName : id)
}

export const meRoutes: Route[] = [
  whoAmI,
  listRoute({
    ...mine,
    path: keys,
    operationId: 'listApiKeys',
    summary: 'List my API keys, oldest first',
    reads: [access],
    rows: (snapshot, { principal: { caller } }, page) => listApiKeys(snapshot, caller.id, page),
    sortKey: z.tuple([z.string(), uuid]),
    item: listedKey,
  }),
  recordRoute({
    ...mine,
    path: `${keys}/{keyId}`,
    operationId: 'getApiKey',
    summary: 'Read one of my API keys',
    reads: [access],
    find: (snapshot, { principal: { caller }, params }) => findApiKey(snapshot, caller.id, params.keyId),
    missing: { code: 'api-key-not-found', id: 'keyId' },
    record: listedKey,
  }),
  commandRoute({
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
      createApiKey(caller.id, body, memberships, () => newApiKey()),
    record: issuedKey,
    holdsSecret: true,
    location: ({ keyId }) => `${keys}/${keyId}`,
    problems: createApiKey.refuses,
  }),
  commandRoute({
    ...mine,
    method: 'post',
    path: `${keys}/roll`,
    operationId: 'rollApiKeys',
    summary: 'Issue a new API key, and delete all others, in one step',
    description:
      'The new key takes label, expiry and snapshot from the newest unexpired key. Once this is answered, all earlier keys of the account are refused on every node.',
    command: ({ principal: { caller } }) => rollApiKeys(caller.id, () => newApiKey()),
    record: issuedKey,
    holdsSecret: true,
    revokes: 'keys',
    problems: rollApiKeys.refuses,
  }),
  commandRoute({
    ...mine,
    access: 'ownKey',
    method: 'post',
    path: `${keys}/{keyId}/roll`,
    operationId: 'rollApiKey',
    summary: 'Issue the successor of one API key',
    description:
      'The successor takes label and snapshot from the key, and lives as long as the key was issued for, or as its companies let keys live. The key itself ends after `overlapHours`. Other keys stay. An API key may roll itself.',
    maxBodyBytes: maxSmallBodyBytes,
    body: overlap,
    isBodyOptional: true,
    command: ({ principal: { caller }, params: { keyId }, body }) =>
      rollApiKey(caller.id, { keyId, overlapHours: body?.overlapHours ?? usualOverlapHours }, () =>
        newApiKey(),
      ),
    record: issuedKey,
    holdsSecret: true,
    location: ({ keyId }) => `${keys}/${keyId}`,
    revokes: 'keys',
    problems: rollApiKey.refuses,
  }),
  commandRoute({
    ...mine,
    method: 'delete',
    path: `${keys}/{keyId}`,
    operationId: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'Once this is answered, the key is refused on every node.',
    command: ({ principal: { caller }, params: { keyId } }) => deleteApiKey(caller.id, keyId),
    conditional: true,
    revokes: 'keys',
    problems: deleteApiKey.refuses,
  }),
]
