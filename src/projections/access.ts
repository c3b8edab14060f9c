import type { CompanyEvent, Role } from '../domain/company.ts'
import { type ListQuery, listQuery, type Page } from './listQuery.ts'
import { bigint, defineProjection, jsonb, table, text, uuid } from './projection.ts'
import type { Reading } from './reader.ts'

/** Companies, and who may do what in them. */
export const access = defineProjection<CompanyEvent>()({
  name: 'access',
  version: 1,
  tables: {
    company: table({ columns: { companyId: uuid, name: text }, key: ['companyId'] }),
    member: table({
      columns: { companyId: uuid, userId: text, roles: jsonb<readonly Role[]>(), revision: bigint },
      key: ['companyId', 'userId'],
      indexes: [['userId', 'companyId']],
    }),
  },
  handlers: {
    CompanyRegistered: {
      touches: ({ data }) => ({ company: [[data.companyId]] }),
      apply: (rows, { data: { companyId, name } }) => rows.company.put({ companyId, name }),
    },
    MemberRolesSet: {
      touches: ({ data }) => ({ member: [[data.companyId, data.userId]] }),
      apply: (rows, { data: { companyId, userId, roles }, revision }) =>
        rows.member.put({ companyId, userId, roles, revision }),
    },
    MemberRemoved: {
      touches: ({ data }) => ({ member: [[data.companyId, data.userId]] }),
      apply: (rows, { data: { companyId, userId } }) => rows.member.delete([companyId, userId]),
    },
  },
})

/** The companies of an account, and its roles in each. */
export const listMemberships = (reading: Reading, userId: string, page?: Page): ListQuery =>
  listQuery(
    {
      select: { companyId: 'm.company_id', companyName: 'c.name', roles: 'm.roles' },
      from: `${reading.table(access, 'member')} m JOIN ${reading.table(access, 'company')} c USING (company_id)`,
      where: 'm.user_id = $1',
      values: [userId],
      order: ['m.company_id'],
    },
    page,
  )

/** The members of a company. */
export const listMembers = (reading: Reading, companyId: string, page?: Page): ListQuery =>
  listQuery(
    {
      select: { userId: 'user_id', roles: 'roles' },
      from: reading.table(access, 'member'),
      where: 'company_id = $1',
      values: [companyId],
      order: ['user_id'],
    },
    page,
  )
