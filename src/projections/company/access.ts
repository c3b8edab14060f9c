import type { AccountEvent, ApiKeyCreated, ApiKeysRolled, Membership } from '../../domain/company/account.ts'
import {
  type CompanyEvent,
  type CompanySettings,
  type Role,
  settingsIn,
} from '../../domain/company/company.ts'
import type { Actor, Recorded } from '../../domain/kernel/event.ts'
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
} from '../engine/projection.ts'
import {
  columnsOf,
  type ListParts,
  type ListQuery,
  listQuery,
  type Page,
  singleQuery,
} from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { presentName } from './persons.ts'

/** Companies, who may do what in them, and API keys. */

/** Finds the keys whose snapshot names a company. */
const byCompany = 'USING gin ((snapshot::jsonb) jsonb_path_ops)'

const tables = {
  company: table({
    columns: {
      companyId: uuid,
      name: text,
      /** Null until somebody sets them. */
      settings: nullable(json<CompanySettings>()),
      /** The revision of the event that set them, or of the registration while nobody has set them. */
      settingsRevision: bigint,
    },
    key: ['companyId'],
  }),
  member: table({
    columns: { companyId: uuid, userId: text, roles: json<readonly Role[]>(), revision: bigint },
    key: ['companyId', 'userId'],
    indexes: [['userId', 'companyId']],
  }),
  /** A row for each account that has rolled its keys; it holds for all of them. */
  account: table({
    // A roll has ended the keys of an earlier revision. Their rows stay.
    columns: { userId: text, liveFrom: bigint },
    key: ['userId'],
  }),
  apiKey: table({
    columns: {
      keyId: uuid,
      hash: text,
      userId: text,
      userKind: text,
      label: text,
      prefix: text,
      createdAt: timestamptz,
      expiresAt: nullable(timestamptz),
      snapshot: json<readonly Membership[]>(),
      /** The revision, in its account's stream, of the event that issued the key. */
      revision: bigint,
    },
    key: ['keyId'],
    indexes: [['hash'], ['userId', 'createdAt', 'keyId'], byCompany],
  }),
}

export const access = defineProjection<CompanyEvent | AccountEvent>()({
  name: 'access',
  version: 1,
  isDurable: true,
  tables,
  skippable: ['CompanyRegistered', 'ApiKeyCreated'],
  handlers: {
    CompanyRegistered: {
      touches: ({ data }) => ({ company: [[data.companyId]] }),
      apply: (rows, { data: { companyId, name }, revision }) =>
        rows.company.put({ companyId, name, settings: null, settingsRevision: revision }),
    },
    CompanySettingsSet: {
      touches: ({ data }) => ({ company: [[data.companyId]] }),
      apply: (rows, { data, revision }) =>
        rows.company.update([data.companyId], { settings: settingsIn(data), settingsRevision: revision }),
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
    MemberKeysRevoked: {
      touches: ({ data }) => ({ apiKey: data.keyIds.map((keyId) => [keyId]) }),
      apply: (rows, { data: { companyId, keyIds } }) => {
        for (const keyId of keyIds) narrowKey(rows, keyId, companyId)
      },
    },
    ApiKeyCreated: {
      touches: ({ data }) => ({ apiKey: [[data.keyId]] }),
      apply: putKey,
    },
    ApiKeysRolled: {
      touches: ({ data: { userId, keyId } }) => ({ account: [[userId]], apiKey: [[keyId]] }),
      apply: (rows, event) => {
        rows.account.put({ userId: event.data.userId, liveFrom: event.revision })
        putKey(rows, event)
      },
    },
    ApiKeyNarrowed: {
      touches: ({ data }) => ({ apiKey: [[data.keyId]] }),
      apply: (rows, { data }) => narrowKey(rows, data.keyId, data.companyId),
    },
    ApiKeyDeleted: {
      touches: ({ data }) => ({ apiKey: [[data.keyId]] }),
      apply: (rows, { data }) => rows.apiKey.delete([data.keyId]),
    },
  },
})

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
      select: namedMember(reading),
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
    select: { ...namedMember(reading), revision: 'm.revision' },
    from: `${reading.table(access, 'member')} m`,
    where: 'company_id = $1 AND user_id = $2',
    values: [companyId, userId],
  })
}

function namedMember(reading: Reading) {
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
const isLive = '(a.live_from IS NULL OR k.revision >= a.live_from)'

/** The API keys of an account. */
export function listApiKeys(reading: Reading, userId: string, page?: Page): ListQuery {
  return listKeys(reading, keysOfAccount(userId), page)
}

/** One API key of an account, with its `revision`. */
export function findApiKey(reading: Reading, userId: string, keyId: string): ListQuery {
  const { select, where, values } = keysOfAccount(userId)
  return findKey(reading, { select, where: `${where} AND k.key_id = $2`, values: [...values, keyId] })
}

const namesCompany = `k.snapshot::jsonb @> json_build_array(json_build_object('companyId', $1::text))::jsonb`

/** The API keys that name a company, with their owners and what they may do in it. */
export function listCompanyKeys(reading: Reading, companyId: string, page?: Page): ListQuery {
  return listKeys(reading, keysOfCompany(companyId), page)
}

/** One API key that names a company, with its owner, and with its `revision`. */
export function findCompanyKey(reading: Reading, companyId: string, keyId: string): ListQuery {
  const { select, where, values } = keysOfCompany(companyId)
  return findKey(reading, { select, where: `${where} AND k.key_id = $2`, values: [...values, keyId] })
}

export interface FoundKey {
  readonly hash: string
  readonly keyId: string
  readonly userId: string
  readonly userKind: Actor['kind']
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null
  readonly snapshot: readonly Membership[]
}

/** The keys that requests show, by their hashes, with their owners; expired ones too. */
export function findApiKeys(tables: Pick<Reading, 'table'>, hashes: readonly string[]): ListQuery {
  return singleQuery({
    select: columnsOf(access.tables.apiKey, 'k', ['label', 'prefix', 'createdAt', 'revision']),
    from: keysOf(tables),
    where: `k.hash = ANY($1) AND ${isLive}`,
    values: [hashes],
  })
}

function putKey(
  rows: Rows<typeof tables>,
  { data, metadata, revision }: Recorded<ApiKeyCreated | ApiKeysRolled>,
): void {
  const { keyId, hash, userId, userKind, label, prefix, expiresAt, snapshot } = data
  const shown = { userId, userKind, label, prefix, createdAt: metadata.occurredAt, expiresAt }
  rows.apiKey.put({ keyId, hash, ...shown, snapshot, revision })
}

/** Takes a company out of a key. A key that is left without a company is gone. */
function narrowKey(rows: Rows<typeof tables>, keyId: string, companyId: string): void {
  const before = rows.apiKey.get([keyId])?.snapshot ?? []
  const snapshot = before.filter((membership) => membership.companyId !== companyId)
  if (snapshot.length > 0) rows.apiKey.update([keyId], { snapshot })
  else if (before.length > 0) rows.apiKey.delete([keyId])
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

/** API keys `k` beside their accounts `a`; those that `isLive` says are not gone, expired or not. */
function keysOf(tables: Pick<Reading, 'table'>): string {
  return `${tables.table(access, 'apiKey')} k LEFT JOIN ${tables.table(access, 'account')} a USING (user_id)`
}

/** Which API keys to show, and what besides the fields that all who may see a key see. */
type ShownKeys = Pick<ListParts, 'select' | 'where' | 'values'>

function keysOfAccount(userId: string): ShownKeys {
  return { select: { snapshot: 'k.snapshot' }, where: 'k.user_id = $1', values: [userId] }
}

function keysOfCompany(companyId: string): ShownKeys {
  const roles = `(SELECT roles FROM json_to_recordset(k.snapshot) AS s ("companyId" text, roles json)
                 WHERE s."companyId" = $1)`
  return { select: { userId: 'k.user_id', roles }, where: namesCompany, values: [companyId] }
}

/** API keys, oldest first. */
function listKeys(reading: Reading, keys: ShownKeys, page?: Page): ListQuery {
  return listQuery({ ...shownKeys(reading, keys), order: ['k.created_at', 'k.key_id'] }, page)
}

function findKey(reading: Reading, keys: ShownKeys): ListQuery {
  const { select, ...rest } = shownKeys(reading, keys)
  return singleQuery({ ...rest, select: { ...select, revision: 'k.revision' } })
}

/** API keys with the minute of their last use. */
function shownKeys(reading: Reading, { select, where, values }: ShownKeys) {
  return {
    select: {
      ...columnsOf(tables.apiKey, 'k', ['hash', 'userId', 'userKind', 'snapshot', 'revision']),
      ...select,
      lastUsedAt: 'u.last_used_at',
    },
    from: `${keysOf(reading)} LEFT JOIN heatmark_local.last_used u ON u.key_id = k.key_id::text`,
    where: `${where} AND ${isLive}`,
    values,
  }
}
