import { z } from 'zod'
import { revokeApiKey } from '../commands/apiKeys.ts'
import { roles } from '../domain/company.ts'
import { access, findKeyOwner, listCompanyKeys } from '../projections/access.ts'
import { command } from './commandRoute.ts'
import { oneOf, uuid } from './fields.ts'
import { list } from './listRoute.ts'
import { listedKey } from './me.ts'
import type { Route } from './route.ts'
import type { Services } from './services.ts'

/** The API keys that let somebody into a company: its Admins see them, and take the company out of them. */

const companyKey = listedKey
  .omit({ snapshot: true })
  .extend({
    userId: z
      .string()
      .meta({ description: 'The account that the key belongs to; it need not be a member now.' }),
    roles: z.array(oneOf(roles)).meta({ description: 'The roles that the key has in this company.' }),
  })
  .meta({ id: 'CompanyApiKey' })

const keys = '/api/company/{companyId}/api-keys'
const administering = { tag: 'Companies and members', access: { company: 'administer' } } as const

async function ownerOf(
  { reader }: Services,
  { companyId, keyId }: { readonly companyId: string; readonly keyId: string },
): Promise<string | undefined> {
  const { value } = await reader.read([access], async (reading) => {
    reading.requireRunning(access)
    return reading.query<{ userId: string }>(findKeyOwner(reading, companyId, keyId))
  })
  return value[0]?.userId
}

export const companyKeyRoutes: Route[] = [
  list({
    ...administering,
    path: keys,
    operationId: 'listCompanyApiKeys',
    summary: 'List the API keys that let somebody into a company, oldest first',
    description: 'Expired keys are listed until their owners delete them.',
    reads: [access],
    rows: (moment, { params }, page) => listCompanyKeys(moment, params.companyId, page),
    alwaysRead: true,
    sortKey: z.tuple([z.string(), uuid]),
    item: companyKey,
  }),
  command({
    ...administering,
    method: 'delete',
    path: `${keys}/{keyId}`,
    operationId: 'revokeCompanyApiKey',
    summary: 'Take a company out of an API key',
    description:
      'When this is answered the key lets nobody into the company any more, on any node. A key that names other companies goes on for those; a key that names no other is deleted. Its owner may create another one while being a member: removing the member with revokeKeys ends that, too.',
    command: ({ params }, services) =>
      revokeApiKey(params.companyId, params.keyId, () => ownerOf(services, params)),
    revokes: 'keys',
    problems: [404],
  }),
]
