import type { AnyCommand, CommandContext, Execute } from '../commands/command.ts'
import { registerCompany, setMemberRoles } from '../commands/companies.ts'
import { type Company, type Role, wasEverMember } from '../domain/company.ts'
import type { DevCompany } from './identities.ts'

/** Registers the companies of the embedded stack with their members; records nothing at later starts. */
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
    for (const member of members)
      await execute(introduceMember(companyId, member.userId, member.roles as Role[]), context)
  }
}

/** Sets the roles of a user who has never been a member; later changes to a member's roles stay. */
function introduceMember(companyId: string, userId: string, roles: readonly Role[]): AnyCommand<null> {
  const command = setMemberRoles(companyId, userId, roles)
  return {
    ...command,
    decide: (state: Company, context, consulted) =>
      wasEverMember(state, userId) ? [] : command.decide(state, context, consulted),
    answer: () => ({ body: null }),
  }
}
