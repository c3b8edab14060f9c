import { company } from '../../domain/company/company.ts'
import type { Role } from '../../domain/company/companyEvents.ts'
import { setMemberRoles, wasEverMember } from '../../domain/company/members.ts'
import { type Command, onStream } from '../executor/command.ts'

/** Set the roles of somebody whom the company has never known, so that later changes of a member stay. */
export function introduceMember(
  companyId: string,
  userId: string,
  wanted: readonly Role[],
): Command<undefined> {
  return onStream({
    aggregate: company,
    id: companyId,
    decide: (state) =>
      !state || wasEverMember(state, userId) ? [] : setMemberRoles(state, { userId, wanted }),
  })
}
