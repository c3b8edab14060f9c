import {
  type Account,
  type AccountEvent,
  account,
  type IssuedKey,
  type KeyFingerprint,
  type KeyIssued,
  type Membership,
} from '../../domain/company/account.ts'
import {
  type Companies,
  createApiKey as decideToCreateApiKey,
  deleteApiKey as decideToDeleteApiKey,
  rollApiKey as decideToRollApiKey,
  rollApiKeys as decideToRollApiKeys,
  type Extent,
  refuseLongLife,
  wasFounded,
  within,
} from '../../domain/company/apiKeys.ts'
import { company } from '../../domain/company/company.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import type { Stored } from '../../domain/kernel/event.ts'
import { conflict, notFound } from '../../domain/kernel/refusal.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { refusals } from '../../problems/catalogue.ts'
import {
  type Command,
  type CommandContext,
  type Load,
  onRecord,
  onStream,
  type Workflow,
} from '../executor/command.ts'

/** The most companies whose streams are read at the same time. */
const companiesAtOnce = 16

/** Makes a key: the secret, and what is kept of it. */
export type NewKey = () => { readonly key: string; readonly fingerprint: KeyFingerprint }

interface ApiKeyRecord {
  readonly keyId: string
  readonly label: string
  readonly prefix: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly snapshot: readonly Membership[]
  /** The only answer that ever holds it; null when the answer is given again. */
  readonly key: string | null
}

interface WantedKey extends Extent {
  readonly label: string
  readonly expiresInDays: number | null
}

/**
 * Create a key, and delete it again if its owner had lost a role of its snapshot before. A removal looks for keys after
 * it has removed the member, and a creation looks at the members after it has created the key, so one of the two finds
 * the other. Nobody sees the key before that. A repeat looks again, because the first attempt may have broken off.
 * @param memberships the account's memberships as they are now
 */
export function createApiKey(
  userId: string,
  wanted: WantedKey,
  memberships: () => Promise<readonly Membership[]>,
  newKey: NewKey,
): Workflow<ApiKeyRecord> {
  return {
    aggregate: account,
    async run({ execute }, context) {
      const snapshot = within(await memberships(), wanted)
      const outcome = await execute(createKey(userId, { ...wanted, snapshot }, newKey), context)
      const key = { ...outcome.body, snapshotAt: outcome.position }
      const { body } = await execute(deleteIfUnfounded(userId, key), asStep(context))
      if (body.wasFounded) return outcome
      throw conflict(
        'membership-ended',
        'A membership, or a role in it, ended while the key was made, so the key is deleted again. Create another key.',
      )
    },
  }
}
createApiKey.refuses = refusals('too-many-api-keys', 'membership-ended')

export function rollApiKeys(userId: string, newKey: NewKey): Command<ApiKeyRecord> {
  return issueKey<Companies>(userId, newKey, decideToRollApiKeys, (load, { keys }) => companiesOf(load, keys))
}
rollApiKeys.refuses = refusals('no-api-key', 'too-many-api-keys')

/** Issue a successor of one key, which itself goes on for some hours. */
export function rollApiKey(
  userId: string,
  { keyId, overlapHours }: { readonly keyId: string; readonly overlapHours: number },
  newKey: NewKey,
): Command<ApiKeyRecord> {
  return issueKey<Companies>(
    userId,
    newKey,
    (state, fingerprint, context, companies) => {
      const key = state.keys.find((one) => one.keyId === keyId)
      if (!key) throw notFound('api-key-not-found', keyId, 'in this account')
      return decideToRollApiKey(state, { key, overlapHours }, fingerprint, context, companies)
    },
    (load, { keys }) =>
      companiesOf(
        load,
        keys.filter((key) => key.keyId === keyId),
      ),
  )
}
rollApiKey.refuses = refusals('api-key-not-found', 'no-api-key', 'too-many-api-keys')

/** Delete a key. Deleting it again records nothing; a key that never existed is not found. */
export function deleteApiKey(userId: string, keyId: string): Command<undefined> {
  return onRecord({
    aggregate: account,
    id: userId,
    record: {
      missing: 'api-key-not-found',
      id: keyId,
      where: 'in this account',
      find: (state) => {
        const key = state.keys.find((one) => one.keyId === keyId)
        return key || state.lines.has(keyId) ? { state, revision: key?.revision } : undefined
      },
    },
    decide: ({ state }) => decideToDeleteApiKey(state, userId, keyId),
  })
}
deleteApiKey.refuses = refusals('api-key-not-found')

/** A step of a workflow. It has the same caller, but no Idempotency-Key: a repeat of the request decides it again. */
export function asStep({ actor, correlationId }: CommandContext): CommandContext {
  return { actor, correlationId }
}

function createKey(
  userId: string,
  wanted: WantedKey & { readonly snapshot: readonly Membership[] },
  newKey: NewKey,
): Command<ApiKeyRecord> {
  return issueKey<Companies>(
    userId,
    newKey,
    (state, fingerprint, context, companies) => {
      refuseLongLife(wanted, companies)
      return decideToCreateApiKey(state, wanted, fingerprint, context)
    },
    (load) => companiesOf(load, [wanted]),
  )
}

/** Issue a key. Its secret leaves this value only in the answer to its own decision. */
function issueKey<Dependencies = undefined>(
  userId: string,
  newKey: NewKey,
  decide: (
    state: Account,
    fingerprint: KeyFingerprint,
    context: DecisionContext,
    dependencies: Dependencies,
  ) => readonly AccountEvent[],
  dependencies?: (load: Load, state: Account) => Promise<Dependencies>,
): Command<ApiKeyRecord> {
  let made: ReturnType<NewKey> | undefined
  return onStream({
    aggregate: account,
    id: userId,
    ...(dependencies && { dependencies }),
    // Requests by the key will name nobody, so its companies must know its owner.
    namesAuthorIn: companiesOfKeys,
    decide: (state, context, loaded) => {
      made = newKey()
      return decide(state, made.fingerprint, context, loaded)
    },
    answer: (state, recorded) => {
      const { keyId } = (recorded.at(-1) as Stored<KeyIssued>).data
      const {
        hash,
        snapshotAt: _,
        lifeMs: __,
        revision,
        ...record
      } = state.keys.find((key) => key.keyId === keyId)!
      // Another request under the same Idempotency-Key may have been first. Then the secret is not ours to show.
      const key = made?.fingerprint.hash === hash ? made.key : null
      const { label, prefix, createdAt, expiresAt, snapshot } = record
      const shown = { keyId, label, prefix, createdAt, expiresAt, snapshot, lastUsedAt: null }
      return { body: { ...record, lastUsedAt: null, key }, etag: revision, shown }
    },
  })
}

function deleteIfUnfounded(
  userId: string,
  key: Pick<IssuedKey, 'keyId' | 'snapshot' | 'snapshotAt'>,
): Command<{ readonly wasFounded: boolean }> {
  return onStream({
    aggregate: account,
    id: userId,
    dependencies: async (load) => wasFounded(key, userId, await companiesOf(load, [key])),
    decide: (state, _context, founded) => (founded ? [] : decideToDeleteApiKey(state, userId, key.keyId)),
    answer: (_state, _recorded, founded) => ({ body: { wasFounded: founded } }),
  })
}

/** Return the companies of the keys that these events issue. */
function companiesOfKeys(events: readonly AccountEvent[]): string[] {
  return events.flatMap(({ type, data }) =>
    type === 'ApiKeyCreated' || type === 'ApiKeysRolled' || type === 'ApiKeyRolled'
      ? data.snapshot.map(({ companyId }) => companyId)
      : [],
  )
}

/** Load the companies that these keys name, each once. */
async function companiesOf(load: Load, keys: Iterable<Pick<IssuedKey, 'snapshot'>>): Promise<Companies> {
  const companyIds = new Set<string>()
  for (const { snapshot } of keys) for (const { companyId } of snapshot) companyIds.add(companyId)
  const loaded = await concurrently(
    companiesAtOnce,
    [...companyIds],
    async (companyId) => [companyId, (await load(company, companyId)).state] as const,
  )
  return new Map(loaded)
}
