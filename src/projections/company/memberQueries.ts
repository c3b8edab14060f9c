import type { Membership } from '../../domain/company/account.ts'
import { columnsOf, type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { access } from './access.ts'
import { presentName } from './persons.ts'

/** Companies with their settings, and their members. */

const { tables } = access

/** The companies of an account, or of an API key's snapshot, and the roles in each. */
export function listMemberships(reading: Reading, of: string | readonly Membership[]): ListQuery {
  return listQuery({
    select: { companyId: 'm.company_id', companyName: 'c.name', roles: 'm.roles' },
    ...membershipsOf(reading, of),
    order: ['m.company_id'],
  })
}

/** The companies alone. */
export function listCompanies(reading: Reading, of: string | readonly Membership[], page?: Page): ListQuery {
  return listQuery(
    {
      select: { companyId: 'm.company_id', name: 'c.name' },
      ...membershipsOf(reading, of),
      order: ['m.company_id'],
    },
    page,
  )
}

/** One company. Nothing of it ever changes, so its ETag is that of its registration. */
export function findCompany(reading: Reading, companyId: string): ListQuery {
  return singleQuery({
    select: { ...columnsOf(tables.company, 'c', ['settings', 'settingsRevision']), revision: '0' },
    from: `${reading.table(access, 'company')} c`,
    where: 'company_id = $1',
    values: [companyId],
  })
}

/** The settings of a company, with the `revision` of the event that set them. */
export function findSettings(reading: Reading, companyId: string): ListQuery {
  return singleQuery({
    select: { settings: 'c.settings', revision: 'c.settings_revision' },
    from: `${reading.table(access, 'company')} c`,
    where: 'company_id = $1',
    values: [companyId],
  })
}

/** The members of a company, each with the name of today; null when the company knows none. */
export function listMembers(reading: Reading, companyId: string, page?: Page): ListQuery {
  return listQuery(
    {
      select: selectNamedMember(reading),
      from: `${reading.table(access, 'member')} m`,
      where: 'company_id = $1',
      values: [companyId],
      order: ['user_id'],
    },
    page,
  )
}

/** One member with the name, and with the `revision` of its roles. */
export function findNamedMember(reading: Reading, companyId: string, userId: string): ListQuery {
  return singleQuery({
    select: { ...selectNamedMember(reading), revision: 'm.revision' },
    from: `${reading.table(access, 'member')} m`,
    where: 'company_id = $1 AND user_id = $2',
    values: [companyId, userId],
  })
}

function selectNamedMember(reading: Reading) {
  return {
    ...columnsOf(tables.member, 'm', ['companyId', 'revision']),
    name: presentName(reading, 'm.company_id', 'm.user_id'),
  }
}

/**
 * The number of members, and of other persons whose names are kept, whose ids are e-mail addresses. An id such as
 * `…@clients`, which Auth0 gives to applications, is none.
 */
export function countEmailIds(tables: Pick<Reading, 'table' | 'storeId'>): ListQuery {
  return singleQuery({
    select: { count: 'count(*)::integer' },
    from: `(SELECT user_id FROM ${tables.table(access, 'member')}
            UNION SELECT user_id FROM heatmark_local.person WHERE store_id = $1) ids`,
    where: `user_id ~ '^[^@]+@[^@]+[.][^@]+$'`,
    values: [tables.storeId],
  })
}

/** The roles of one member. */
export function findMember(reading: Reading, companyId: string, userId: string): ListQuery {
  return singleQuery({
    select: columnsOf(tables.member, 'm', ['companyId']),
    from: `${reading.table(access, 'member')} m`,
    where: 'company_id = $1 AND user_id = $2',
    values: [companyId, userId],
  })
}
/** Memberships `m` with their companies `c`: an account's as they are now, or an API key's snapshot. */
function membershipsOf(reading: Reading, of: string | readonly Membership[]) {
  const companies = `JOIN ${reading.table(access, 'company')} c USING (company_id)`
  if (typeof of === 'string')
    return {
      from: `${reading.table(access, 'member')} m ${companies}`,
      where: 'm.user_id = $1',
      values: [of],
    }
  return {
    from: `(SELECT "companyId" AS company_id, roles
            FROM json_to_recordset($1::json) AS s ("companyId" uuid, roles json)) m ${companies}`,
    where: 'true',
    values: [JSON.stringify(of)],
  }
}
