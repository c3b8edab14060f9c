import { z } from 'zod'
import { registerNewCompany, removeMember, setMemberRoles } from '../commands/companies.ts'
import { roles } from '../domain/company.ts'
import { notFound } from '../domain/refusal.ts'
import { isUserId } from '../identity/caller.ts'
import { access, findCompany, listCompanies, listMembers } from '../projections/access.ts'
import { maxSmallBodyBytes } from './kit/body/body.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { record } from './kit/routing/readRoute.ts'
import { id, type Route } from './kit/routing/route.ts'
import { name, oneOf, uuid } from './kit/schemas/fields.ts'

/** Companies, and their members. */

const company = z.object({ companyId: uuid, name: z.string() }).meta({ id: 'Company' })

const newCompany = z
  .strictObject({
    companyId: id.optional().meta({ description: 'When absent, the service creates one.' }),
    name,
  })
  .meta({ id: 'NewCompany' })

const member = z.object({ userId: z.string(), roles: z.array(oneOf(roles)) }).meta({ id: 'Member' })

const memberRoles = z
  .strictObject({
    roles: z
      .array(oneOf(roles))
      .min(1, 'must have at least 1 member')
      .max(100, 'must have at most 100 members'),
  })
  .meta({ id: 'MemberRoles' })

const userId = z
  .string()
  .refine(isUserId, 'must be 1 to 128 visible ASCII characters without "/"')
  .meta({ minLength: 1, maxLength: 128 })

const all = '/api/companies'
const one = '/api/company/{companyId}'
const members = `${one}/members` as const
const group = 'Companies and members'
const administering = { tag: group, access: { company: 'administer' } } as const

export const companyRoutes: Route[] = [
  list({
    path: all,
    operationId: 'listCompanies',
    summary: 'List my companies',
    tag: group,
    access: 'caller',
    reads: [access],
    rows: (moment, { principal: { caller, apiKey } }, page) =>
      listCompanies(moment, apiKey?.snapshot ?? caller.id, page),
    sortKey: z.tuple([uuid]),
    item: company,
  }),
  command({
    method: 'post',
    path: all,
    operationId: 'registerCompany',
    summary: 'Register a company',
    description: 'The caller becomes its first Admin. If the company exists, it is returned unchanged.',
    tag: group,
    access: { platform: 'PlatformAdmin' },
    maxBodyBytes: maxSmallBodyBytes,
    body: newCompany,
    command: ({ body }) => registerNewCompany(body.companyId, body.name),
    record: company,
    location: ({ companyId }) => `/api/company/${companyId}`,
    problems: [409],
  }),
  record({
    path: one,
    operationId: 'getCompany',
    summary: 'Read one company',
    tag: group,
    access: { company: 'view' },
    reads: [access],
    find: (moment, { params }) => findCompany(moment, params.companyId),
    missing: ({ params }) => notFound('company', params.companyId),
    record: company,
  }),
  list({
    ...administering,
    path: members,
    operationId: 'listMembers',
    summary: 'List the members of a company',
    reads: [access],
    rows: (moment, { params }, page) => listMembers(moment, params.companyId, page),
    sortKey: z.tuple([z.string()]),
    item: member,
  }),
  command({
    ...administering,
    method: 'put',
    path: `${members}/{userId}`,
    params: { userId },
    operationId: 'setMemberRoles',
    summary: 'Add a member, or change the roles of a member',
    description:
      'The last Admin cannot lose that role. If-Match compares with the ETag of the last answer of this operation.',
    maxBodyBytes: maxSmallBodyBytes,
    body: memberRoles,
    command: ({ params, body, principal: { caller, apiKey } }) =>
      setMemberRoles(params.companyId, params.userId, body.roles, {
        userId: caller.id,
        keyId: apiKey?.keyId,
      }),
    record: member,
    conditional: true,
    problems: [409],
  }),
  command({
    ...administering,
    method: 'delete',
    path: `${members}/{userId}`,
    params: { userId },
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Once this is answered, no access token gives the account access to the company. API keys keep their permissions unless revokeKeys is true: it removes the company from every key of the account. A key for other companies keeps working for them; a key for no other company is deleted.',
    query: z.strictObject({
      revokeKeys: z
        .enum(['true', 'false'], 'must be true or false')
        .optional()
        .meta({ description: 'When true, the company is first removed from the API keys of the account.' }),
    }),
    command: ({ params, query }) =>
      removeMember(params.companyId, params.userId, { revokeKeys: query.revokeKeys === 'true' }),
    conditional: true,
    revokes: 'memberships',
    problems: [404, 409],
  }),
]
