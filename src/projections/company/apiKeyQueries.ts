import type { Membership } from '../../domain/company/account.ts'
import type { Actor } from '../../domain/kernel/event.ts'
import {
  columnsOf,
  type ListParts,
  type ListQuery,
  listQuery,
  type Page,
  singleQuery,
} from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { access } from './access.ts'

/** API keys, as their accounts and the companies that they name see them. */

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

/** API keys `k` beside their accounts `a`; those that `isLive` says are not gone, expired or not. */
function keysOf(tables: Pick<Reading, 'table'>): string {
  return `${tables.table(access, 'apiKey')} k LEFT JOIN ${tables.table(access, 'account')} a USING (user_id)`
}

/** The condition that selects API keys, and the columns that only these readers get. */
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
  return listQuery({ ...keyParts(reading, keys), order: ['k.created_at', 'k.key_id'] }, page)
}

function findKey(reading: Reading, keys: ShownKeys): ListQuery {
  const { select, ...rest } = keyParts(reading, keys)
  return singleQuery({ ...rest, select: { ...select, revision: 'k.revision' } })
}

/** API keys with the minute of their last use. */
function keyParts(reading: Reading, { select, where, values }: ShownKeys) {
  return {
    select: {
      ...columnsOf(access.tables.apiKey, 'k', ['hash', 'userId', 'userKind', 'snapshot', 'revision']),
      ...select,
      lastUsedAt: 'u.last_used_at',
    },
    from: `${keysOf(reading)} LEFT JOIN heatmark_local.last_used u ON u.key_id = k.key_id::text`,
    where: `${where} AND ${isLive}`,
    values,
  }
}
