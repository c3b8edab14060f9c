import { sameValue } from '../kernel/changes.ts'
import { conflict, forbidden } from '../kernel/refusal.ts'
import { responsibleYears } from '../kernel/responsibility.ts'
import type { Company, Member, RegisteredCompany } from './company.ts'
import { type CompanyEvent, type NarrowedKey, type Role, roles, type Traces } from './companyEvents.ts'

/** The members of a company: their roles, their API keys, and the erasure of their names. */

/** Whether the account is or was a member. */
export function wasEverMember(state: Company, userId: string): boolean {
  return state?.roleChanges.has(userId) ?? false
}

/** The roles that the account had in the company at a position. */
export function rolesAt(state: Company, userId: string, position: number): readonly Role[] {
  return state?.roleChanges.get(userId)?.findLast((change) => change.position <= position)?.roles ?? []
}

function refuseLastAdmin(state: RegisteredCompany, userId: string): void {
  const isAdmin = ({ roles }: Member) => roles.includes('Admin')
  const member = state.members.get(userId)
  if (member && isAdmin(member) && state.members.count(isAdmin) === 1)
    throw conflict(
      'last-admin',
      `${userId} is the company's last Admin, so nothing was recorded. Make somebody else an Admin first.`,
    )
}

/** Read models show late that an Admin has been removed; the company's own stream shows it at once. */
function isAdministrator({ members }: RegisteredCompany, userId: string): boolean {
  return members.get(userId)?.roles.includes('Admin') ?? false
}

export interface WantedRoles {
  readonly userId: string
  readonly wanted: readonly Role[]
  /** The Admin who wants them; undefined for the service itself. */
  readonly by?: string | undefined
}

/** @throws Refusal `forbidden`, so that a removed Admin cannot become a member again; `last-admin` */
export function setMemberRoles(
  state: RegisteredCompany,
  { userId, wanted, by }: WantedRoles,
): readonly CompanyEvent[] {
  if (by !== undefined && !isAdministrator(state, by)) throw forbidden()
  const ordered = roles.filter((role) => wanted.includes(role))
  const formerRoles = state.members.get(userId)?.roles ?? []
  if (state.members.has(userId) && sameValue(formerRoles, ordered)) return []
  if (!ordered.includes('Admin')) refuseLastAdmin(state, userId)
  const { companyId } = state
  return [{ type: 'MemberRolesSet', data: { companyId, userId, roles: ordered, formerRoles } }]
}

/** Make an invited person a member. What was decided about a member, or since the invitation, such as a removal, stays. */
export function admitInvited(
  state: RegisteredCompany,
  wanted: WantedRoles,
  invitedAt: Date,
): readonly CompanyEvent[] {
  const { userId } = wanted
  const last = state.roleChanges.get(userId)?.last()
  const isDecidedSince = last !== undefined && Date.parse(last.at) >= invitedAt.getTime()
  return state.members.has(userId) || isDecidedSince ? [] : setMemberRoles(state, wanted)
}

export function removeMember(
  state: RegisteredCompany,
  userId: string,
  keepsKeys = false,
): readonly CompanyEvent[] {
  if (!state.members.has(userId)) return []
  refuseLastAdmin(state, userId)
  const { companyId } = state
  return [{ type: 'MemberRemoved', data: { companyId, userId, ...(keepsKeys && { keepsKeys }) } }]
}

/**
 * Erase a former or present member, unless that is done already. Acts of responsibility must be confirmed.
 * @throws Refusal `record-must-be-kept`
 */
export function erasePerson(
  { companyId, erasures }: RegisteredCompany,
  userId: string,
  { responsibleActs: count }: Traces,
  isConfirmed: boolean,
): readonly CompanyEvent[] {
  if (erasures.has(userId)) return []
  if (count > 0 && !isConfirmed)
    throw conflict(
      'record-must-be-kept',
      `${userId} has done ${count} ${count === 1 ? 'act' : 'acts'} of responsibility within ${responsibleYears} years, and nobody could name the author afterwards, so nothing was erased. Repeat the request with confirm=true if the company may erase the name in spite of that.`,
      { count },
    )
  return [{ type: 'PersonErased', data: { companyId, userId, responsibleActs: count } }]
}

/** Keys that one append names at most, so that it surely fits. */
export const keysAtOnce = 100

/** Leaves no other roles than these to API keys of an account; keys that have no other ones are left out. */
export function narrowMemberKeys(
  { companyId, narrowedKeys }: RegisteredCompany,
  { userId, roles }: NarrowedKey,
  wanted: readonly string[],
): readonly CompanyEvent[] {
  const isNarrow = (keyId: string) =>
    narrowedKeys.get(keyId)?.roles.every((role) => roles.includes(role)) ?? false
  const keyIds = wanted.filter((keyId) => !isNarrow(keyId)).slice(0, keysAtOnce)
  return keyIds.length > 0 ? [{ type: 'MemberKeysNarrowed', data: { companyId, userId, keyIds, roles } }] : []
}
