import { Refusal } from '../../../domain/kernel/refusal.ts'
import { RulesNotEvaluated } from '../../../rulePacks/ownRules/sharedThread.ts'

/** @throws Refusal `rule-pack-not-evaluated`, or the error itself */
export function refuseNotEvaluated(error: unknown): never {
  if (!(error instanceof RulesNotEvaluated)) throw error
  throw new Refusal(
    'rule-pack-not-evaluated',
    `The rules could not be evaluated, so nothing was recorded: ${error.message}. Try again, or make the rules simpler.`,
  )
}
