import { type AccountEvent, cutDown, type KeyIssued, type Membership } from '../../domain/company/account.ts'
import { settingsIn } from '../../domain/company/company.ts'
import type { CompanyEvent, CompanySettings, Role } from '../../domain/company/companyEvents.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
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
      /** The revision, in its account's stream, of the last event that issued or changed the key. */
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
    MemberKeysNarrowed: {
      touches: ({ data }) => ({ apiKey: data.keyIds.map((keyId) => [keyId]) }),
      apply: (rows, { data: { companyId, keyIds, roles } }) => {
        for (const keyId of keyIds) narrowKey(rows, keyId, { companyId, roles })
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
    ApiKeyRolled: {
      touches: ({ data: { keyId, rolledFrom } }) => ({ apiKey: [[keyId], [rolledFrom]] }),
      apply: (rows, event) => {
        const { rolledFrom, rolledFromExpiresAt: expiresAt } = event.data
        if (expiresAt === null) rows.apiKey.delete([rolledFrom])
        else rows.apiKey.update([rolledFrom], { expiresAt, revision: event.revision })
        putKey(rows, event)
      },
    },
    ApiKeyNarrowed: {
      touches: ({ data }) => ({ apiKey: [[data.keyId]] }),
      apply: (rows, { data, revision }) => narrowKey(rows, data.keyId, { ...data, revision }),
    },
    ApiKeyDeleted: {
      touches: ({ data }) => ({ apiKey: [[data.keyId]] }),
      apply: (rows, { data }) => rows.apiKey.delete([data.keyId]),
    },
  },
})

function putKey(rows: Rows<typeof tables>, { data, metadata, revision }: Recorded<KeyIssued>): void {
  const { keyId, hash, userId, userKind, label, prefix, expiresAt, snapshot } = data
  const row = { userId, userKind, label, prefix, createdAt: metadata.occurredAt, expiresAt }
  rows.apiKey.put({ keyId, hash, ...row, snapshot, revision })
}

/**
 * Leave a key only these roles in a company. Delete a key that has no company left.
 * @param membership has a revision when the account itself has recorded it
 */
function narrowKey(
  rows: Rows<typeof tables>,
  keyId: string,
  { companyId, roles, revision }: Membership & { readonly revision?: number },
): void {
  const before = rows.apiKey.get([keyId])?.snapshot ?? []
  const snapshot = cutDown(before, companyId, roles)
  if (snapshot.length > 0)
    rows.apiKey.update([keyId], { snapshot, ...(revision !== undefined && { revision }) })
  else if (before.length > 0) rows.apiKey.delete([keyId])
}
