import {
  type Company,
  company,
  registerCompany as decideToRegisterCompany,
  setCompanySettings as decideToSetCompanySettings,
  type RegisteredCompany,
} from '../../domain/company/company.ts'
import {
  type CompanyEvent,
  type CompanySettings,
  type Role,
  roles,
  type Traces,
} from '../../domain/company/companyEvents.ts'
import {
  admitInvited as decideToAdmitInvited,
  removeMember as decideToRemoveMember,
  setMemberRoles as decideToSetMemberRoles,
  erasePerson,
  type WantedRoles,
  wasEverMember,
} from '../../domain/company/members.ts'
import { type Edit, editedContent } from '../../domain/kernel/edit.ts'
import { derivedId } from '../../domain/kernel/identifiers.ts'
import { refusals } from '../../problems/catalogue.ts'
import {
  type AddressedRecord,
  type Check,
  type Command,
  type CommandContext,
  checkOn,
  type Outcome,
  onRecord,
  onStream,
  type Workflow,
  type WorkflowTools,
} from '../executor/command.ts'
import { narrowKeys } from './companyKeys.ts'
import { type Erasing, type ErasureRecord, erasureRecord } from './erasure.ts'

interface CompanyRecord {
  readonly companyId: string
  readonly name: string
}

export interface MemberRecord {
  readonly userId: string
  readonly roles: readonly Role[]
}

export function registerCompany(companyId: string, name: string): Command<CompanyRecord> {
  return onStream({
    aggregate: company,
    id: companyId,
    decide: (state, context) => decideToRegisterCompany(state, { companyId, name }, context),
    // Its registration opens the stream, and nothing changes it afterwards.
    answer: (state) => ({ body: { companyId, name: state.name }, etag: 0 }),
  })
}

const namespace = 'b0ea9a0e-6a0f-4f0c-9a4e-3f1f6d0b7a52'

/** Register a company. Without an id, the Idempotency-Key gives it one, so that a repeat finds it. */
export function registerNewCompany(companyId: string | undefined, name: string): Workflow<CompanyRecord> {
  return {
    aggregate: company,
    run({ execute, newId }, context) {
      const { key, caller } = context.idempotency ?? {}
      const derived = key === undefined ? newId() : derivedId(namespace, 'company', caller, key)
      return execute(registerCompany(companyId ?? derived, name), context)
    },
  }
}
registerNewCompany.refuses = refusals('company-already-exists')

export function setCompanySettings(companyId: string, edit: Edit<CompanySettings>): Command<CompanySettings> {
  return onRecord({
    aggregate: company,
    id: companyId,
    record: {
      id: companyId,
      find: (company) => company && { company, revision: company.settingsRevision },
    },
    decide: ({ company }) => decideToSetCompanySettings(company, editedContent(edit, company.settings)),
    answer: ({ company, revision }) => ({ body: company.settings, etag: revision }),
  })
}

interface RolesChange extends WantedRoles {
  readonly companyId: string
}

/** Set a member's roles. A new member has no revision yet. */
export function setMemberRoles(change: RolesChange): Command<MemberRecord> {
  return onRecord({
    ...recordOfRoles(change),
    decide: ({ company }) => decideToSetMemberRoles(company, change),
  })
}
setMemberRoles.refuses = refusals('last-admin')

/**
 * Set a member's roles, and cut the account's keys down to them: before the change, so that a workflow that breaks off
 * leaves less access, and again after it for a key that was created in between.
 */
export function narrowMember(change: RolesChange): Workflow<MemberRecord> {
  const { companyId, userId, wanted } = change
  return {
    aggregate: company,
    async run(tools, context) {
      const check = checkOn({
        ...recordOfRoles(change),
        refuse: ({ company }) => void decideToSetMemberRoles(company, change),
      })
      const checked = await tools.check(check, context)
      if (!checked.replayed) await narrowKeys(tools, context, companyId, userId, () => wanted)
      const outcome = await tools.execute(setMemberRoles(change), context)
      const position = await narrowKeys(tools, context, companyId, userId, rolesOf(userId))
      return { ...outcome, position: Math.max(outcome.position, position) }
    },
  }
}

/** Make an invited person a member. Keys that the account has kept from an earlier membership are cut down first. */
export function admitInvited(change: RolesChange, invitedAt: Date): Workflow<MemberRecord> {
  const { companyId, userId, wanted } = change
  const decide = (company: RegisteredCompany) => decideToAdmitInvited(company, change, invitedAt)
  const admit = onRecord({ ...recordOfRoles(change), decide: ({ company }) => decide(company) })
  return {
    aggregate: company,
    async run(tools, context) {
      const rolesLeft = (company: RegisteredCompany) => (decide(company).length > 0 ? wanted : roles)
      await narrowKeys(tools, context, companyId, userId, rolesLeft)
      return tools.execute(admit, context)
    },
  }
}

function recordOfRoles({ companyId, userId }: RolesChange) {
  return {
    aggregate: company,
    id: companyId,
    record: {
      id: companyId,
      find: (company: Company) => company && { company, revision: company.members.get(userId)?.revision },
    },
    answer: ({ company, revision }: FoundCompany) => {
      // A check may find somebody who is no member yet.
      const roles = company.members.get(userId)?.roles ?? []
      return { body: { userId, roles }, etag: revision }
    },
  }
}

/** Return a function that finds the roles of the account in a company. A person who is no member has none. */
function rolesOf(userId: string) {
  return ({ members }: RegisteredCompany) => members.get(userId)?.roles ?? []
}

/**
 * Remove a member. Unless the account keeps its keys, the company is taken out of them first, so that a workflow that
 * breaks off leaves less access, and a repeat finishes. A key that is created in between is found once the member is
 * gone; a key that is being created then is given up by its own creation (`createApiKey`). With `erasing` the person is
 * erased in the same append, and the answer tells of it. The names are deleted last, and again by each repeat.
 */
export function removeMember(
  companyId: string,
  userId: string,
  {
    keepsKeys = false,
    erasing,
  }: { readonly keepsKeys?: boolean; readonly erasing?: Erasing | undefined } = {},
): Workflow<ErasureRecord | undefined> {
  return {
    aggregate: company,
    async run(tools, context) {
      const removal = {
        companyId,
        userId,
        keepsKeys,
        ...(erasing && { erasure: await decideErasure(erasing) }),
      }
      const outcome = keepsKeys
        ? await tools.execute(remove(removal), context)
        : await removeWithKeys(tools, context, removal)
      await erasing?.forget(outcome.position)
      return outcome
    },
  }
}
removeMember.refuses = refusals('member-not-found', 'last-admin', 'record-must-be-kept', 'erasure-pending')

interface Removal {
  readonly companyId: string
  readonly userId: string
  readonly keepsKeys: boolean
  readonly erasure?: { readonly traces: Traces; readonly isConfirmed: boolean }
}

async function decideErasure({ findTraces, isConfirmed }: Erasing): Promise<Removal['erasure']> {
  return { traces: await findTraces(), isConfirmed }
}

async function removeWithKeys(
  tools: WorkflowTools,
  context: CommandContext,
  removal: Removal,
): Promise<Outcome<ErasureRecord | undefined>> {
  const { companyId, userId } = removal
  const checked = await tools.check(checkRemoval(removal), context)
  if (!checked.replayed) await narrowKeys(tools, context, companyId, userId, () => [])
  const outcome = checked.replayed ? checked : await tools.execute(remove(removal), context)
  const position = await narrowKeys(tools, context, companyId, userId, rolesOf(userId))
  return { ...outcome, position: Math.max(outcome.position, position) }
}

/** Removing a former member again records nothing. */
function remove(removal: Removal): Command<ErasureRecord | undefined> {
  return onRecord({
    ...recordOf(removal),
    decide: ({ company }) => decideRemoval(company, removal),
  })
}

/** Refuse what the removal would refuse. */
function checkRemoval(removal: Removal): Check<ErasureRecord | undefined> {
  return checkOn({
    ...recordOf(removal),
    refuse: ({ company }) => void decideRemoval(company, removal),
  })
}

function recordOf({ companyId, userId, erasure }: Removal) {
  return {
    aggregate: company,
    id: companyId,
    record: addressMember(userId),
    answer: ({ company }: FoundCompany) => {
      const erased = erasure && company.erasures.get(userId)
      return { body: erased && erasureRecord(userId, erased) }
    },
  }
}

function decideRemoval(
  company: RegisteredCompany,
  { userId, keepsKeys, erasure }: Removal,
): readonly CompanyEvent[] {
  const removed = decideToRemoveMember(company, userId, keepsKeys)
  if (!erasure) return removed
  return [...removed, ...erasePerson(company, userId, erasure.traces, erasure.isConfirmed)]
}

interface FoundCompany {
  readonly company: NonNullable<Company>
  readonly revision: number | undefined
}

/** A present or former member. Somebody who never was a member is not found. */
function addressMember(userId: string): AddressedRecord<Company, FoundCompany> {
  return {
    missing: 'member-not-found',
    id: userId,
    find: (company) => {
      const present = company?.members.get(userId)
      if (!company || !(present || wasEverMember(company, userId))) return undefined
      return { company, revision: present?.revision }
    },
  }
}
