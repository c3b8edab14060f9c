import { forbidden, Refusal } from '../../domain/kernel/refusal.ts'
import { PostgresUnavailable } from '../../stores/postgres/postgres.ts'
import type { CommandContext, Execute, Outcome, Workflow, WorkflowTools } from './command.ts'

/**
 * Run a workflow. The events of its steps stand, whatever happens to later steps.
 * @throws Refusal as the steps do; `outcome-unknown` when a step could not be carried out after an earlier one had
 * recorded something, unless the code of its refusal says so; `forbidden`, in other words, when the caller had lost
 * access by then
 */
export async function runWorkflow<Answer>(
  workflow: Workflow<Answer>,
  tools: WorkflowTools,
  context: CommandContext,
): Promise<Outcome<Answer>> {
  let hasRecorded = false
  const execute: Execute = async (command, stepContext) => {
    const outcome = await tools.execute(
      command,
      hasRecorded ? { ...stepContext, isUnderWay: true } : stepContext,
    )
    hasRecorded ||= outcome.recorded.length > 0
    return outcome
  }
  try {
    return await workflow.run({ ...tools, execute }, context)
  } catch (error) {
    if (hasRecorded && isForbidden(error)) throw forbidden(accessLost)
    if (!hasRecorded || !mayPass(error)) throw error
    throw new Refusal(
      'outcome-unknown',
      'Part of this request was recorded before it broke off. Repeat it with the same Idempotency-Key to complete it.',
    )
  }
}

const accessLost =
  'You lost the access while this request was carried out, so only a part of it was recorded. Ask an Admin of the company to complete it.'

/** The check of the access throws problems of the interface, which have the members of a refusal. */
type Failed = Partial<Pick<Refusal, 'code' | 'status'>>

function isForbidden(error: unknown): boolean {
  return (error as Failed).code === 'forbidden'
}

/** Whether a repeat may succeed. The code `erasure-pending` says by itself that the erasure is recorded. */
function mayPass(error: unknown): boolean {
  if (error instanceof PostgresUnavailable) return true
  const { status, code } = error as Failed
  return status === 503 && code !== 'erasure-pending'
}
