import { addRulePack, replaceRulePack, withdrawRulePack } from '../../commands/rulePacks/ownRulePacks.ts'
import type { WrittenRulePack } from '../../commands/rulePacks/rulePacks.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import { maxDocumentBytes } from '../../rulePacks/ownRules/check.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { pathWith, type Route } from '../kit/routing/route.ts'
import { checkBy, faultsOfFirst, faultsOfNext } from './faultsOfDocument.ts'
import { rulePackDocument } from './rulePackDocument.ts'
import { administering, all, one, params, withEvaluation, writtenRulePack } from './shownRulePack.ts'

/** The rule packs that a company writes itself. */

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
    body: rulePackDocument,
    command: ({ params: { companyId }, body }, services) =>
      addRulePack(companyId, body, checkBy(services.ownRules, faultsOfFirst(body))),
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
    body: rulePackDocument,
    command: ({ params: { companyId, rulePackId }, body }, services) => {
      const check = checkBy(services.ownRules, faultsOfNext(body, rulePackId))
      return replaceRulePack(companyId, { ...body, id: rulePackId }, check)
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
