import { Refusal } from '../../../domain/kernel/refusal.ts'
import { isFailure } from '../../../lib/failure.ts'

/** @throws Refusal `rule-pack-not-evaluated`, or the error itself */
export function refuseNotEvaluated(error: unknown): never {
  if (!isFailure(error, 'rules-not-evaluated')) throw error
  throw new Refusal(
    'rule-pack-not-evaluated',
    `The rules could not be evaluated, so nothing was recorded: ${error.message}. Try again, or make the rules simpler.`,
  )
}
