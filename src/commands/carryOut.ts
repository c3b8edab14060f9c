import { Refusal } from '../domain/refusal.ts'
import type { CommandContext, Execute, Outcome, Process, ProcessMeans } from './command.ts'

/**
 * Carries a process out. What its steps have recorded stands: when a later one finds the store gone, that step
 * recorded nothing, but the request did.
 * @throws Refusal as its steps do; `outcome-unknown` instead of any other that says to come back, once something
 * is recorded
 */
export const carryOut = async <Answer>(
  process: Process<Answer>,
  { execute, newId }: ProcessMeans,
  context: CommandContext,
): Promise<Outcome<Answer>> => {
  let hasRecorded = false
  const noting: Execute = async (command, of) => {
    const outcome = await execute(command, of)
    hasRecorded ||= outcome.recorded.length > 0
    return outcome
  }
  try {
    return await process.carryOut({ execute: noting, newId }, context)
  } catch (error) {
    if (!hasRecorded || !(error instanceof Refusal) || error.kind !== 'unavailable') throw error
    throw new Refusal(
      'unavailable',
      'outcome-unknown',
      'A part of this is recorded, and it broke off there. Repeat it with the same Idempotency-Key to complete it.',
    )
  }
}
