import { z } from 'zod'
import {
  addRulePack,
  type CheckRulePack,
  replaceRulePack,
  withdrawRulePack,
} from '../../commands/rulePacks/ownRulePacks.ts'
import type { WrittenRulePack } from '../../commands/rulePacks/rulePacks.ts'
import { type Fault, invalid } from '../../domain/kernel/refusal.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { PackFault } from '../../rulePacks/checks.ts'
import { maxDocumentBytes, nextVersionSchema, ownRulePackSchema } from '../../rulePacks/ownRules/check.ts'
import type { PackContent } from '../../rulePacks/rulePack.ts'
import { pointerStep } from '../kit/body/json.ts'
import { asPointer, checked } from '../kit/body/validate.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { refuseNotEvaluated } from '../kit/routing/notEvaluated.ts'
import { pathWith, type Route } from '../kit/routing/route.ts'
import { faulty } from '../kit/schemas/fields.ts'
import type { Services } from '../kit/services.ts'
import { administering, all, one, params, withEvaluation, writtenRulePack } from './shownRulePack.ts'

/** The rule packs that a company writes itself. */

/** The rule packs of a company are described once, in the JSON schema of the shipped ones. */
const ownDocument = z.custom<PackContent>(isObject, faulty('wrong-type', 'must be an object')).meta({
  id: 'OwnRulePack',
  as: { type: 'object', additionalProperties: true },
  description:
    'A document as `GET` of a shipped pack shows one, without `version`. It needs id, name, tags and rules. docs/own-rule-packs.md has an example and the bounds.',
})

const writing = {
  maxBodyBytes: maxDocumentBytes,
  record: writtenRulePack,
  present: async ({ hash, document, ...decided }: WrittenRulePack, reader?: Reader) => ({
    ...(await withEvaluation(decided, reader)),
    hash,
    document,
  }),
} as const

export const ownRulePackRoutes: Route[] = [
  commandRoute({
    ...administering,
    ...writing,
    method: 'post',
    path: all,
    operationId: 'addRulePack',
    summary: 'Add a rule pack of the company',
    description:
      'The document has the shape of the shipped ones, without a version. Nothing applies before the company subscribes. A company has at most 20 packs of its own, each with at most 100 rules.',
    body: ownDocument,
    bodyFaults: (body) => shapeFaults(ownRulePackSchema, body),
    command: ({ params: { companyId }, body }, services) =>
      addRulePack(companyId, body, checkBy(services.ownRules)),
    location: ({ companyId, rulePackId }) => pathWith(one, { companyId, rulePackId }),
    problems: addRulePack.refuses,
  }),
  commandRoute({
    ...administering,
    ...writing,
    method: 'put',
    path: one,
    operationId: 'replaceRulePack',
    summary: 'Write the next version of a rule pack of the company',
    description:
      'The body is the whole document of the next version. Nothing applies before the company upgrades its subscription.',
    params,
    body: ownDocument,
    bodyFaults: (body) => shapeFaults(nextVersionSchema, body),
    command: ({ params: { companyId, rulePackId }, body }, services) => {
      refuseOtherId(rulePackId, body.id)
      return replaceRulePack(companyId, { ...body, id: rulePackId }, checkBy(services.ownRules))
    },
    conditional: true,
    problems: replaceRulePack.refuses,
  }),
  commandRoute({
    ...administering,
    method: 'delete',
    path: one,
    operationId: 'deleteRulePack',
    summary: 'Delete a rule pack of the company',
    description:
      'It must not be subscribed to. Its versions stay recorded: a new pack under its id continues them.',
    params,
    command: ({ params: { companyId, rulePackId } }) => withdrawRulePack(companyId, rulePackId),
    conditional: true,
    problems: withdrawRulePack.refuses,
  }),
]

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shapeFaults(schema: z.ZodType, body: unknown): readonly Fault[] {
  return isObject(body) ? checked(schema, body, asPointer).faults : []
}

/** The id in the path is that of the pack. @throws Refusal `validation-failed` */
function refuseOtherId(rulePackId: string, id: string | undefined): void {
  if (id === undefined || id === rulePackId) return
  throw invalid(
    [{ path: '/id', code: 'unchangeable', message: `It never changes: it is ${rulePackId}.` }],
    'The document is that of another rule pack, so nothing was recorded.',
  )
}

function checkBy(ownRules: Services['ownRules']): CheckRulePack {
  return async (companyId, document) => {
    const { faults, ...passed } = await ownRules.check(companyId, document).catch(refuseNotEvaluated)
    return { ...passed, faults: faults.map(faultOf) }
  }
}

function faultOf({ path, part: _, ...fault }: PackFault): Fault {
  return { ...fault, path: path.map(pointerStep).join('') }
}
