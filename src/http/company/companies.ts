import { z } from 'zod'
import {
  type MemberRecord,
  narrowMember,
  registerNewCompany,
  removeMember,
  setCompanySettings,
  setMemberRoles,
} from '../../commands/company/companies.ts'
import type { Command, Workflow } from '../../commands/executor/command.ts'
import { defaultSettings } from '../../domain/company/company.ts'
import { type CompanySettings, roles } from '../../domain/company/companyEvents.ts'
import { replaceMembers } from '../../domain/kernel/edit.ts'
import { isUserId } from '../../domain/kernel/identifiers.ts'
import { createErasing } from '../../identity/erasing.ts'
import { access } from '../../projections/company/access.ts'
import {
  findCompany,
  findNamedMember,
  findSettings,
  listCompanies,
  listMembers,
} from '../../projections/company/memberQueries.ts'
import { persons } from '../../projections/company/persons.ts'
import { maxSmallBodyBytes } from '../kit/body/body.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { id, type Route } from '../kit/routing/route.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { asEdit } from '../kit/schemas/edit.ts'
import { name, oneOf, timestamp, trueOrFalse, uuid, wholeBetween } from '../kit/schemas/fields.ts'

/** Companies, their settings and their members. */

const company = z.object({ companyId: uuid, name: z.string() }).meta({ id: 'Company' })

const newCompany = z
  .strictObject({
    companyId: id.optional().meta({ description: 'When absent, the service creates one.' }),
    name,
  })
  .meta({ id: 'NewCompany' })

/** Each setting, in a request body and in an answer. */
const settings = {
  requireIfMatch: z.boolean().meta({
    description:
      'When true, a command on an existing record of the company without If-Match is refused with 428. It is false until somebody sets it.',
  }),
  longestKeyDays: wholeBetween(1, 3_650).nullable().meta({
    description:
      'The days for which a new API key of a member lives at most. null: a key may live for ever, until somebody sets it. A key that exists stays as it is.',
  }),
  cutterIdleMinutes: wholeBetween(defaultSettings.cutterIdleMinutes, 720).meta({
    description:
      'Minutes without use after which a person who has no role in the company but Cutter and Viewer must log in to the portal again. Other companies decide for themselves. It is 30 until somebody sets it, and no session lasts longer than 12 hours. Polling does not count as use.',
  }),
} satisfies Record<keyof CompanySettings, z.ZodType>

const companySettings = z
  .object(settings)
  .meta({ id: 'CompanySettings', sharedMembers: 'CompanySettingsMembers' })
const settingsUpdate = z
  .strictObject(asEdit(settings))
  .meta({ id: 'CompanySettingsUpdate', sharedMembers: 'CompanySettingsMembers' })

const member = z.object({ userId: z.string(), roles: z.array(oneOf(roles)) }).meta({ id: 'Member' })

const listedMember = member
  .extend({
    name: z.string().nullable().meta({
      description: 'The name that the company came to know last. It is null when the company knows no name.',
    }),
  })
  .meta({ id: 'ListedMember' })

const memberRoles = z
  .strictObject({
    roles: listOf(oneOf(roles), { least: 1, most: 100 }),
  })
  .meta({ id: 'MemberRoles', examples: [{ roles: ['Planner', 'Cutter'] }] })

const erasedPerson = z
  .object({
    userId: z.string(),
    erasedAt: timestamp,
    responsibleActs: z.int().meta({
      description:
        'The acts of responsibility within the last ten years, such as approvals of bars. Nobody can name their author any more.',
    }),
    notErased: z
      .array(
        z.object({
          where: z.enum(['copies', 'backups', 'free-text']).meta({ id: 'NotErasedPlace' }),
          detail: z.string(),
        }),
      )
      .meta({ description: 'The places that the erasure cannot reach.' }),
  })
  .meta({ id: 'ErasedPerson' })

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
  listRoute({
    path: all,
    operationId: 'listCompanies',
    summary: 'List my companies',
    tag: group,
    access: 'caller',
    reads: [access],
    rows: (snapshot, { principal: { caller, apiKey } }, page) =>
      listCompanies(snapshot, apiKey?.snapshot ?? caller.id, page),
    sortKey: z.tuple([uuid]),
    item: company,
  }),
  commandRoute({
    method: 'post',
    path: all,
    operationId: 'registerCompany',
    summary: 'Register a company',
    description:
      'The caller becomes its first Admin. If the company exists under this name, it is returned unchanged.',
    tag: group,
    access: { platform: 'PlatformAdmin' },
    maxBodyBytes: maxSmallBodyBytes,
    body: newCompany,
    command: ({ body }) => registerNewCompany(body.companyId, body.name),
    record: company,
    location: ({ companyId }) => `/api/company/${companyId}`,
    problems: registerNewCompany.refuses,
  }),
  recordRoute({
    path: one,
    operationId: 'getCompany',
    summary: 'Read one company',
    tag: group,
    access: { company: 'view' },
    reads: [access],
    find: (snapshot, { params }) => findCompany(snapshot, params.companyId),
    record: company,
  }),
  recordRoute({
    path: `${one}/settings`,
    operationId: 'getCompanySettings',
    summary: 'Read the settings of a company',
    tag: group,
    access: { company: 'view' },
    reads: [access],
    find: (snapshot, { params }) => findSettings(snapshot, params.companyId),
    present: (row: { settings: CompanySettings | null }) => row.settings ?? defaultSettings,
    record: companySettings,
  }),
  commandRoute({
    ...administering,
    method: 'put',
    path: `${one}/settings`,
    operationId: 'setCompanySettings',
    summary: 'Change the settings of a company',
    description: 'A setting that is left out stays as it is.',
    maxBodyBytes: maxSmallBodyBytes,
    body: settingsUpdate,
    command: ({ params, body }) =>
      setCompanySettings(params.companyId, replaceMembers<CompanySettings>(body)),
    record: companySettings,
    conditional: true,
  }),
  listRoute({
    ...administering,
    path: members,
    operationId: 'listMembers',
    summary: 'List the members of a company',
    reads: [access, persons],
    rows: (snapshot, { params }, page) => listMembers(snapshot, params.companyId, page),
    // Names change without an event.
    alwaysRead: true,
    sortKey: z.tuple([z.string()]),
    item: listedMember,
  }),
  recordRoute({
    ...administering,
    path: `${members}/{userId}`,
    params: { userId },
    operationId: 'getMember',
    summary: 'Read one member',
    reads: [access, persons],
    find: (snapshot, { params }) => findNamedMember(snapshot, params.companyId, params.userId),
    missing: { code: 'member-not-found', id: 'userId' },
    record: listedMember,
  }),
  commandRoute({
    ...administering,
    method: 'put',
    path: `${members}/{userId}`,
    params: { userId },
    operationId: 'setMemberRoles',
    summary: 'Add a member, or change the roles of a member',
    description:
      'The last Admin cannot lose that role. API keys of the account keep their roles, unless narrowKeys is true.',
    query: z.strictObject({
      narrowKeys: trueOrFalse.optional().meta({
        description:
          'When true, the API keys of the account lose every role in the company that the member has not. A key that has no role left there loses the company, and a key for no other company is deleted. Once this is answered, no node lets a key act by a role that it has lost.',
      }),
    }),
    maxBodyBytes: maxSmallBodyBytes,
    body: memberRoles,
    command: ({
      params,
      body,
      query,
      principal: { caller },
    }): Command<MemberRecord> | Workflow<MemberRecord> => {
      const change = { ...params, wanted: body.roles, by: caller.id }
      return query.narrowKeys === 'true' ? narrowMember(change) : setMemberRoles(change)
    },
    revokes: ({ narrowKeys }) => (narrowKeys === 'true' ? 'keys' : undefined),
    record: member,
    conditional: true,
    problems: setMemberRoles.refuses,
  }),
  commandRoute({
    ...administering,
    method: 'delete',
    path: `${members}/{userId}`,
    params: { userId },
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Once this is answered, no access token gives the account access to the company. The company is removed from every API key of the account, unless keepKeys is true. A key for other companies keeps working for them; a key for no other company is deleted. With erase=true the company also deletes the name of the person for good, also of a former member. Everything that the person did stays, by “erased person”, and the answer names the places that an erasure cannot reach. Once it is answered, no node shows the name.',
    query: z.strictObject({
      keepKeys: trueOrFalse.optional().meta({
        description: 'When true, the API keys of the account keep their access to the company.',
      }),
      erase: trueOrFalse.optional().meta({
        description:
          'When true, the name of the person is deleted, and the answer is 200 with a record of it.',
      }),
      confirm: trueOrFalse.optional().meta({
        description:
          'When true, a person is erased who has approved bars, or done other acts of responsibility, within ten years. Otherwise that is refused with 409 `record-must-be-kept` and their number.',
      }),
    }),
    command: ({ params: { companyId, userId }, query }, services) =>
      removeMember(companyId, userId, {
        keepsKeys: query.keepKeys === 'true',
        ...(query.erase === 'true' && {
          erasing: createErasing(services, { companyId, userId, isConfirmed: query.confirm === 'true' }),
        }),
      }),
    record: erasedPerson,
    isRecordOptional: true,
    conditional: true,
    revokes: 'memberships',
    problems: removeMember.refuses,
  }),
]
