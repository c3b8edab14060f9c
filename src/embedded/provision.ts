import { registerCompany } from '../commands/company/companies.ts'
import { type Command, type CommandContext, type Execute, onStream } from '../commands/executor/command.ts'
import { company } from '../domain/company/company.ts'
import type { Role } from '../domain/company/companyEvents.ts'
import { setMemberRoles, wasEverMember } from '../domain/company/members.ts'
import type { DevCompany } from './identities.ts'

/** Register the companies of the embedded stack with their members. Later starts record nothing. */
export async function provision(
  execute: Execute,
  companies: readonly DevCompany[],
  newId: () => string,
): Promise<void> {
  for (const { companyId, name, members } of companies) {
    const [first] = members
    const context: CommandContext = {
      actor: { id: first!.userId, name: first!.name, kind: 'application' },
      correlationId: newId(),
    }
    await execute(registerCompany(companyId, name), context)
    for (const { userId, roles } of members)
      await execute(introduceMember(companyId, userId, roles as Role[]), context)
  }
}

/** Set the roles of somebody whom the company has never known, so that later changes of a member stay. */
function introduceMember(companyId: string, userId: string, wanted: readonly Role[]): Command<undefined> {
  return onStream({
    aggregate: company,
    id: companyId,
    decide: (state) =>
      !state || wasEverMember(state, userId) ? [] : setMemberRoles(state, { userId, wanted }),
  })
}
