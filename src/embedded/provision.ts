import { registerCompany } from '../commands/company/companies.ts'
import { introduceMember } from '../commands/company/introduceMember.ts'
import type { CommandContext, Execute } from '../commands/executor/command.ts'
import type { Role } from '../domain/company/companyEvents.ts'
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
