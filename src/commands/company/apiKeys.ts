import {
  type Account,
  type AccountEvent,
  type ApiKeyCreated,
  type ApiKeysRolled,
  account,
  type Companies,
  createApiKey as decideToCreateApiKey,
  deleteApiKey as decideToDeleteApiKey,
  rollApiKeys as decideToRollApiKeys,
  type IssuedKey,
  type KeyPrint,
  keysBeyond,
  keysNaming,
  type Membership,
  narrowRevokedKeys,
  refuseLongLife,
  wasFounded,
} from '../../domain/company/account.ts'
import {
  type Company,
  company,
  keysAtOnce,
  type MemberKeysRevoked,
  type Role,
  revokeMemberKeys,
} from '../../domain/company/company.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import type { Stored } from '../../domain/kernel/event.ts'
import { conflict } from '../../domain/kernel/refusal.ts'
import { concurrently } from '../../lib/concurrently.ts'
import type { ProblemCode } from '../../problems/catalogue.ts'
import {
  type Command,
  type CommandContext,
  type Load,
  onRecord,
  onStream,
  type Workflow,
  type WorkflowTools,
} from '../executor/command.ts'

/** The streams of this many companies are read at the same time. */
const companiesAtOnce = 16

/** Makes a key: the secret, and what is kept of it. */
export type NewKey = () => { readonly key: string; readonly print: KeyPrint }

export interface ApiKeyRecord {
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

export interface WantedKey {
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
      const snapshot = await memberships()
      const outcome = await execute(createKey(userId, { ...wanted, snapshot }, newKey), context)
      const key = { ...outcome.body, snapshotAt: outcome.position }
      const { body } = await execute(deleteIfUnfounded(userId, key), asStep(context))
      if (body.wasFounded) return outcome
      throw conflict(
        'membership-ended',
        'A membership, or a role in it, ended while the key was made; the key is deleted again.',
      )
    },
  }
}
createApiKey.refuses = ['too-many-api-keys', 'membership-ended'] as const satisfies readonly ProblemCode[]

export function rollApiKeys(userId: string, newKey: NewKey): Command<ApiKeyRecord> {
  return issueKey<Companies>(userId, newKey, decideToRollApiKeys, (load, { keys }) => companiesOf(load, keys))
}
rollApiKeys.refuses = ['no-api-key'] as const satisfies readonly ProblemCode[]

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
deleteApiKey.refuses = ['api-key-not-found'] as const satisfies readonly ProblemCode[]

/**
 * Take a company out of one key.
 * @param find finds the key, if it names the company
 */
export function revokeApiKey(
  companyId: string,
  keyId: string,
  find: () => Promise<CompanyKey | undefined>,
): Workflow<undefined> {
  return {
    aggregate: company,
    async run(tools, context) {
      const revoked = await tools.execute(revokeKey(companyId, keyId, await find()), context)
      const position = await narrowAllKeys(tools, context, revoked.body.userId, companyId)
      return { ...revoked, body: undefined, position: Math.max(revoked.position, position) }
    },
  }
}
revokeApiKey.refuses = ['api-key-not-found'] as const satisfies readonly ProblemCode[]

/**
 * Take a company out of the keys of an account that have a role there which the account has not. The company's own history says so first, and read models go by that,
 * so that a workflow that breaks off in between leaves less access; a repeat finishes. It ends with the first portion
 * that is not full, so that the owner cannot keep it from ending by creating more keys.
 * Return the position from which on none of the keys lets anybody into the company.
 */
export async function takeCompanyOutOfKeys(
  tools: WorkflowTools,
  context: CommandContext,
  companyId: string,
  userId: string,
  rolesLeft: RolesLeft,
): Promise<number> {
  for (;;) {
    const revoked = await tools.execute(revokeKeysOf(companyId, userId, rolesLeft), asStep(context))
    const position = await narrowAllKeys(tools, context, userId, companyId)
    if (revoked.body < keysAtOnce) return Math.max(revoked.position, position)
  }
}

/** Return the roles of the account in the company. A key that has no other role there stays as it is. */
type RolesLeft = (company: NonNullable<Company>) => readonly Role[]

/** A step of a workflow: by the same caller, but a repeat of the request decides it afresh. */
function asStep({ actor, correlationId }: CommandContext): CommandContext {
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
    (state, print, context, companies) => {
      refuseLongLife(wanted, companies)
      return decideToCreateApiKey(state, wanted, print, context)
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
    print: KeyPrint,
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
      return decide(state, made.print, context, loaded)
    },
    answer: (state, recorded) => {
      const { keyId } = (recorded.at(-1) as Stored<ApiKeyCreated | ApiKeysRolled>).data
      const { hash, snapshotAt: _, revision, ...record } = state.keys.find((key) => key.keyId === keyId)!
      // Another request under the same Idempotency-Key may have been first. Then the secret is not ours to show.
      const key = made?.print.hash === hash ? made.key : null
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
    type === 'ApiKeyCreated' || type === 'ApiKeysRolled'
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

/** An API key that names a company. */
export interface CompanyKey {
  /** The account whose key it is. */
  readonly userId: string
  /** The revision of the event that issued it. */
  readonly revision: number
}

/**
 * Record in the company's own history that it takes itself out of a key of somebody's account, and of the key that it
 * has been rolled into meanwhile. Again it records nothing.
 * @param key undefined when no key of this id names the company
 */
function revokeKey(
  companyId: string,
  keyId: string,
  key: CompanyKey | undefined,
): Command<{ readonly userId: string }> {
  const owner = key?.userId
  return onRecord({
    aggregate: company,
    id: companyId,
    record: {
      missing: 'api-key-not-found',
      id: keyId,
      find: (state) => {
        const userId = owner ?? state?.revokedKeys.get(keyId)
        return state && userId !== undefined ? { company: state, userId, revision: key?.revision } : undefined
      },
    },
    dependencies: async (load) =>
      owner === undefined ? account.initial : (await load(account, owner)).state,
    decide: ({ company: state }, _context, of) => {
      const keyIds = keysNaming(of, companyId, keyId)
      if (owner === undefined || keyIds.length === 0) return []
      return revokeMemberKeys(state, owner, [...new Set([keyId, ...keyIds])])
    },
    answer: ({ userId }) => ({ body: { userId } }),
  })
}

/**
 * The same for all keys of an account that have a role in the company which is not left: as many as fit into one append.
 * The answer is their number.
 */
function revokeKeysOf(companyId: string, userId: string, rolesLeft: RolesLeft): Command<number> {
  return onRecord({
    aggregate: company,
    id: companyId,
    record: {
      id: companyId,
      find: (state) => state && { company: state, revision: 0 },
    },
    dependencies: async (load) => (await load(account, userId)).state,
    decide: ({ company: state }, _context, of) =>
      revokeMemberKeys(state, userId, keysBeyond(of, companyId, rolesLeft(state))),
    answer: (_found, [revoked]) => ({
      body: (revoked as Stored<MemberKeysRevoked> | undefined)?.data.keyIds.length ?? 0,
    }),
  })
}

/** Return the position from which on nobody gets into the company by the keys that it has revoked. */
async function narrowAllKeys(
  { execute }: WorkflowTools,
  context: CommandContext,
  userId: string,
  companyId: string,
): Promise<number> {
  for (;;) {
    const { body: more, position } = await execute(narrowKeys(userId, companyId), asStep(context))
    if (!more) return position
  }
}

/**
 * Take a company out of the keys that it has revoked, as many as fit into one append. The answer is whether there may
 * be more.
 */
function narrowKeys(userId: string, companyId: string): Command<boolean> {
  return onStream({
    aggregate: account,
    id: userId,
    dependencies: async (load) => (await load(company, companyId)).state,
    decide: (state, _context, of) => narrowRevokedKeys(state, userId, companyId, of),
    answer: (_state, recorded) => ({
      body: recorded.length === keysAtOnce,
    }),
  })
}
