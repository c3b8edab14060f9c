import type { Command, Workflow } from '../../../commands/executor/command.ts'
import { forbidden } from '../../../domain/kernel/refusal.ts'
import type { Principal } from '../services.ts'
import { qualityOf } from './qualityOf.ts'

/** The permission for a command does not include overriding findings. @throws Refusal `forbidden` when the command runs */
export function ifAllowed<Answer>(
  principal: Principal,
  { companyId }: { readonly companyId: string },
  override: object | undefined,
  allowed: Command<Answer> | Workflow<Answer>,
): Command<Answer> | Workflow<Answer> {
  if (!override) return allowed
  return {
    aggregate: allowed.aggregate,
    async run(tools, context) {
      if (!(await qualityOf(principal, companyId)()))
        throw forbidden(
          'Only the roles Quality and Admin override findings, so nothing was recorded. Ask a colleague with one of these roles, or send the request without the override.',
        )
      return 'run' in allowed ? allowed.run(tools, context) : tools.execute(allowed, context)
    },
  }
}
