import { z } from 'zod'
import { type CompanyKey, revokeApiKey } from '../../commands/company/companyKeys.ts'
import { access } from '../../projections/company/access.ts'
import { findCompanyKey, listCompanyKeys } from '../../projections/company/apiKeyQueries.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { uuid } from '../kit/schemas/fields.ts'
import type { Services } from '../kit/services.ts'
import { heldRoles, listedKey } from './apiKey.ts'

/** The API keys that give access to a company. Its Admins list them and remove the company from them. */

const companyKey = listedKey
  .omit({ snapshot: true })
  .extend({
    userId: z.string().meta({ description: 'The account that owns the key. It may no longer be a member.' }),
    roles: heldRoles.meta({ description: 'The roles that the key has in this company.' }),
  })
  .meta({ id: 'CompanyApiKey' })

const keys = '/api/company/{companyId}/api-keys'
const administering = { tag: 'Companies and members', access: { company: 'administer' } } as const

export const companyKeyRoutes: Route[] = [
  listRoute({
    ...administering,
    path: keys,
    operationId: 'listCompanyApiKeys',
    summary: 'List the API keys that give access to a company, oldest first',
    description: 'Expired keys are listed until their owners delete them.',
    reads: [access],
    rows: (snapshot, { params }, page) => listCompanyKeys(snapshot, params.companyId, page),
    alwaysRead: true,
    sortKey: z.tuple([z.string(), uuid]),
    item: companyKey,
  }),
  recordRoute({
    ...administering,
    path: `${keys}/{keyId}`,
    operationId: 'getCompanyApiKey',
    summary: 'Read one API key that gives access to a company',
    reads: [access],
    find: (snapshot, { params }) => findCompanyKey(snapshot, params.companyId, params.keyId),
    missing: { code: 'api-key-not-found', id: 'keyId' },
    record: companyKey,
  }),
  commandRoute({
    ...administering,
    method: 'delete',
    path: `${keys}/{keyId}`,
    operationId: 'revokeCompanyApiKey',
    summary: 'Remove a company from an API key',
    description:
      'Once this is answered, the key gives no access to the company on any node. A key for other companies keeps working for them; a key for no other company is deleted. Its owner can create another key while being a member; to prevent that, remove the member.',
    command: ({ params }, services) =>
      revokeApiKey(params.companyId, params.keyId, () => findIn(services, params)),
    conditional: true,
    revokes: 'keys',
    problems: revokeApiKey.refuses,
  }),
]

async function findIn(
  { reader }: Services,
  { companyId, keyId }: { readonly companyId: string; readonly keyId: string },
): Promise<CompanyKey | undefined> {
  const { value } = await reader.read([access], async (reading) => {
    reading.requireRunning(access)
    return reading.query<CompanyKey>(findCompanyKey(reading, companyId, keyId))
  })
  return value[0]
}
