import type { AccountEvent, ApiKeyCreated, ApiKeysRolled, Membership } from '../domain/account.ts'
import type { CompanyEvent, Role } from '../domain/company.ts'
import type { Actor, Recorded } from '../domain/event.ts'
import {
  bigint,
  defineProjection,
  json,
  nullable,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from './projection.ts'
import { type ListQuery, listQuery, type Page, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'

/** Companies, who may do what in them, and API keys. */

const tables = {
  company: table({ columns: { companyId: uuid, name: text }, key: ['companyId'] }),
  member: table({
    columns: { companyId: uuid, userId: text, roles: json<readonly Role[]>(), revision: bigint },
    key: ['companyId', 'userId'],
    indexes: [['userId', 'companyId']],
  }),
  /** Live keys alone, by what a request shows of them. */
  apiKey: table({
    columns: {
      hash: text,
      keyId: uuid,
      userId: text,
      userName: text,
      userKind: text,
      label: text,
      prefix: text,
      createdAt: timestamptz,
      expiresAt: nullable(timestamptz),
      snapshot: json<readonly Membership[]>(),
    },
    key: ['hash'],
    indexes: [['userId', 'createdAt', 'keyId']],
  }),
}

const putKey = (
  rows: Rows<typeof tables>,
  { data, metadata }: Recorded<ApiKeyCreated | ApiKeysRolled>,
): void => {
  const { hash, keyId, userId, userName, userKind, label, prefix, expiresAt, snapshot } = data
  const createdAt = metadata.occurredAt
  rows.apiKey.put({ hash, keyId, userId, userName, userKind, label, prefix, createdAt, expiresAt, snapshot })
}

export const access = defineProjection<CompanyEvent | AccountEvent>()({
  name: 'access',
  version: 1,
  tables,
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
    ApiKeyCreated: {
      touches: ({ data }) => ({ apiKey: [[data.hash]] }),
      apply: putKey,
    },
    ApiKeysRolled: {
      touches: ({ data }) => ({ apiKey: [[data.hash], ...data.deleted.map(({ hash }) => [hash])] }),
      apply: (rows, event) => {
        for (const { hash } of event.data.deleted) rows.apiKey.delete([hash])
        putKey(rows, event)
      },
    },
    ApiKeyDeleted: {
      touches: ({ data }) => ({ apiKey: [[data.hash]] }),
      apply: (rows, { data }) => rows.apiKey.delete([data.hash]),
    },
  },
})

/** Memberships `m` with their companies `c`: an account's as they are now, or an API key's snapshot. */
const membershipsOf = (reading: Reading, of: string | readonly Membership[]) => {
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

/** The companies of an account, or of an API key's snapshot, and the roles in each. */
export const listMemberships = (
  reading: Reading,
  of: string | readonly Membership[],
  page?: Page,
): ListQuery =>
  listQuery(
    {
      select: { companyId: 'm.company_id', companyName: 'c.name', roles: 'm.roles' },
      ...membershipsOf(reading, of),
      order: ['m.company_id'],
    },
    page,
  )

/** The companies alone. */
export const listCompanies = (reading: Reading, of: string | readonly Membership[], page?: Page): ListQuery =>
  listQuery(
    {
      select: { companyId: 'm.company_id', name: 'c.name' },
      ...membershipsOf(reading, of),
      order: ['m.company_id'],
    },
    page,
  )

/** One company. Nothing of it ever changes, so its ETag is that of its registration. */
export const findCompany = (reading: Reading, companyId: string): ListQuery =>
  singleQuery({
    select: { companyId: 'company_id', name: 'name', revision: '0' },
    from: reading.table(access, 'company'),
    where: 'company_id = $1',
    values: [companyId],
  })

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

/** One member, with the `revision` of its roles. */
export const findMember = (reading: Reading, companyId: string, userId: string): ListQuery =>
  singleQuery({
    select: { userId: 'user_id', roles: 'roles', revision: 'revision' },
    from: reading.table(access, 'member'),
    where: 'company_id = $1 AND user_id = $2',
    values: [companyId, userId],
  })

/** The API keys of an account, oldest first, with the minute of their last use. */
export const listApiKeys = (reading: Reading, userId: string, page?: Page): ListQuery =>
  listQuery(
    {
      select: {
        keyId: 'k.key_id',
        label: 'k.label',
        prefix: 'k.prefix',
        createdAt: 'k.created_at',
        lastUsedAt: 'u.last_used_at',
        expiresAt: 'k.expires_at',
        snapshot: 'k.snapshot',
      },
      from: `${reading.table(access, 'apiKey')} k
             LEFT JOIN heatmark_local.last_used u ON u.key_id = k.key_id::text`,
      where: 'k.user_id = $1',
      values: [userId],
      order: ['k.created_at', 'k.key_id'],
    },
    page,
  )

export interface FoundKey {
  readonly hash: string
  readonly keyId: string
  readonly userId: string
  readonly userName: string
  readonly userKind: Actor['kind']
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null
  readonly snapshot: readonly Membership[]
}

/** The keys that requests show, by their hashes, with their owners; expired ones too. */
export const findApiKeys = (tables: Pick<Reading, 'table'>, hashes: readonly string[]): ListQuery =>
  singleQuery({
    select: {
      hash: 'hash',
      keyId: 'key_id',
      userId: 'user_id',
      userName: 'user_name',
      userKind: 'user_kind',
      expiresAt: 'expires_at',
      snapshot: 'snapshot',
    },
    from: tables.table(access, 'apiKey'),
    where: 'hash = ANY($1)',
    values: [hashes],
  })
