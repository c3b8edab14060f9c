import type { CheckRulePack } from '../../commands/rulePacks/ownRulePacks.ts'
import type { Fault } from '../../domain/kernel/refusal.ts'
import type { PackFault } from '../../rulePacks/checks.ts'
import { nextVersionSchema, ownRulePackSchema } from '../../rulePacks/ownRules/check.ts'
import type { PackContent } from '../../rulePacks/rulePack.ts'
import { pointerStep } from '../kit/body/json.ts'
import { asPointer, check } from '../kit/body/validate.ts'
import { refuseNotEvaluated } from '../kit/routing/notEvaluated.ts'
import type { Services } from '../kit/services.ts'

/** The faults of a rule pack that a company sends: one answer lists those of its shape, its sizes and its expressions. */

/** Return the faults of the shape of version 1. */
export function faultsOfFirst(document: PackContent): readonly Fault[] {
  return check(ownRulePackSchema, document, asPointer).faults
}

/** Return the faults of the shape of the next version. The id in the path is that of the pack. */
export function faultsOfNext(document: PackContent, rulePackId: string): readonly Fault[] {
  const { faults } = check(nextVersionSchema, document, asPointer)
  if (document.id === undefined || document.id === rulePackId) return faults
  const message = `It never changes: it is ${rulePackId}.`
  return [{ path: '/id', code: 'unchangeable', message }, ...faults]
}

/** Check a document, whose shape has these faults, in a thread of its own. */
export function checkBy(ownRules: Services['ownRules'], ofShape: readonly Fault[]): CheckRulePack {
  return async (companyId, document) => {
    const { faults, ...passed } = await ownRules.check(companyId, document).catch(refuseNotEvaluated)
    if (ofShape.length > 0) return { faults: [...ofShape, ...faults.map(faultOf)] }
    return { ...passed, faults: faults.map(faultOf) }
  }
}

function faultOf({ path, part: _, ...fault }: PackFault): Fault {
  return { ...fault, path: path.map(pointerStep).join('') }
}
