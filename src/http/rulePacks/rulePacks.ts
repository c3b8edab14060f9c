import { z } from 'zod'
import {
  subscribeRulePack,
  unsubscribeRulePack,
  upgradeRulePack,
  validateRulePack,
} from '../../commands/rulePacks/rulePacks.ts'
import type { RulePackOffer } from '../../domain/rulePacks/ruleBook.ts'
import { defaultsOf, parameterSchemaOf } from '../../domain/rulePacks/rulePackParameters.ts'
import {
  findRulePack,
  findRulePackVersion,
  listRulePacks,
  type ShippedRulePack,
} from '../../projections/rulePacks/rulePackQueries.ts'
import { rulePacks } from '../../projections/rulePacks/rulePacks.ts'
import { maxListedChanges, previewRulePack } from '../../rulePacks/rulePackPreview.ts'
import { stoppedBar } from '../bars/stoppedBars.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { refuseNotEvaluated } from '../kit/routing/notEvaluated.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, paramsOf, type Route } from '../kit/routing/route.ts'
import { plainText, shownTag, timestamp, uuid } from '../kit/schemas/fields.ts'
import { mostStopped, stoppedByPack } from './pairRulesEffect.ts'
import { rulePackDocument } from './rulePackDocument.ts'
import {
  administering,
  all,
  one,
  parameters,
  params,
  reading,
  rulePack,
  validation,
  withEvaluation,
  writtenRulePack,
} from './shownRulePack.ts'

/** The catalogue of rule packs, and the subscriptions of a company. */

const choice = z.strictObject({ parameters: parameters.optional() }).meta({
  id: 'RulePackChoice',
  description: 'A parameter that is left out stays as it is, or has its default in a new subscription.',
})

const rulePackVersion = z
  .object({
    rulePackId: z.string(),
    version: z.int(),
    name: z.string(),
    own: z.boolean(),
    hash: z.string(),
    document: rulePackDocument,
    definedAt: timestamp
      .nullable()
      .meta({ description: 'When the company wrote it; null for a shipped one.' }),
    definedBy: z.string().nullable(),
  })
  .meta({ id: 'RulePackVersion' })

const change = z
  .object({ subjectId: uuid, subjectLabel: z.string(), tag: shownTag })
  .meta({ id: 'TagChange' })
const preview = z
  .object({
    gains: z.array(change).meta({ description: `The first ${maxListedChanges} changes.` }),
    losses: z.array(change).meta({ description: `The first ${maxListedChanges} changes.` }),
    gainCount: z.int().meta({ description: 'The number of all changes.' }),
    lossCount: z.int(),
    bars: z.array(stoppedBar).meta({
      description: `The first ${mostStopped} open bars that may be cut now and that \`pairRules\` would stop.`,
    }),
  })
  .meta({ id: 'RulePackPreview' })

const deciding = {
  ...administering,
  method: 'post',
  params,
  record: rulePack,
  present: withEvaluation,
  conditional: true,
} as const

const previewing = {
  ...administering,
  path: `${one}/preview`,
  operationId: 'previewRulePack',
  summary: 'Preview the tag changes of a subscription or upgrade',
  description:
    'Evaluates every certificate and order with the newest version and records nothing. Manual assignments are never lost. All changes are counted; the first 10,000 gains and losses are listed.',
  params,
} as const satisfies Declaration

export const rulePackRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listRulePacks',
    summary: 'List the rule packs, subscribed or not',
    reads: [rulePacks],
    rows: (snapshot, { params: { companyId } }, page, { rules }) =>
      listRulePacks(snapshot, { companyId, shipped: rules.packs.map(shippedPack) }, page),
    alwaysRead: true,
    sortKey: z.tuple([z.string()]),
    item: rulePack,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getRulePack',
    summary: 'Read one rule pack with its newest document',
    params,
    reads: [rulePacks],
    find: (snapshot, { params: { companyId, rulePackId } }, { rules }) => {
      const shipped = rules.find(rulePackId)
      const document = rules.documentOf(rulePackId)
      return findRulePack(snapshot, {
        companyId,
        only: rulePackId,
        shipped: shipped ? [shippedPack(shipped)] : [],
        ...(shipped && document && { hash: shipped.hash, document }),
      })
    },
    missing: { code: 'rule-pack-not-found', id: 'rulePackId' },
    record: writtenRulePack,
  }),
  recordRoute({
    ...reading,
    path: `${one}/versions/{version}`,
    operationId: 'getRulePackVersion',
    summary: 'Read one version of a rule pack',
    params: { ...params, version: plainText(100) },
    reads: [rulePacks],
    find: (snapshot, { params: { companyId, rulePackId, version: versionText } }, { rules }) => {
      // No version is 0.
      const version = /^\d{1,9}$/.test(versionText) ? Number(versionText) : 0
      const pack = rules.find(rulePackId, version)
      const document = rules.documentOf(rulePackId, version)
      const shipped = pack && document && { name: pack.name, hash: pack.hash, document }
      return findRulePackVersion(snapshot, { companyId, rulePackId, version, shipped })
    },
    missing: { code: 'rule-pack-not-found', id: 'rulePackId' },
    record: rulePackVersion,
  }),
  commandRoute({
    ...deciding,
    path: `${one}/subscribe`,
    operationId: 'subscribeRulePack',
    summary: 'Subscribe to a rule pack',
    description:
      'Creates all of its system tags or none, and evaluates every certificate and order in the background. Subscribing again changes nothing but the parameters that the body names.',
    body: choice,
    isBodyOptional: true,
    command: ({ params: { companyId, rulePackId }, body }) =>
      subscribeRulePack(companyId, rulePackId, body?.parameters),
    problems: subscribeRulePack.refuses,
  }),
  commandRoute({
    ...deciding,
    path: `${one}/unsubscribe`,
    operationId: 'unsubscribeRulePack',
    summary: 'Unsubscribe from a rule pack',
    description: 'Soft-deletes its system tags, and removes the assignments of its rules in the background.',
    command: ({ params: { companyId, rulePackId } }) => unsubscribeRulePack(companyId, rulePackId),
    problems: unsubscribeRulePack.refuses,
  }),
  commandRoute({
    ...deciding,
    path: `${one}/upgrade`,
    operationId: 'upgradeRulePack',
    summary: 'Upgrade to the newest version',
    description: 'Evaluates every subject again in the background. Recorded events stay unchanged.',
    command: ({ params: { companyId, rulePackId } }) => upgradeRulePack(companyId, rulePackId),
    problems: upgradeRulePack.refuses,
  }),
  commandRoute({
    ...deciding,
    method: 'put',
    path: `${one}/validation`,
    operationId: 'validateRulePack',
    summary: 'Record who has compared the pack with its standard',
    body: z.strictObject(validation).meta({ id: 'RulePackValidation' }),
    command: ({ params: { companyId, rulePackId }, body }) => validateRulePack(companyId, rulePackId, body),
    problems: validateRulePack.refuses,
  }),
  {
    ...previewing,
    method: 'post',
    params: paramsOf(previewing),
    query: z.strictObject({}),
    headers: z.object({}),
    body: choice,
    isBodyOptional: true,
    responses: { 200: { description: 'The tag changes.', schema: preview, headers: ['Read-Position'] } },
    problems: ['rule-pack-not-found', 'too-many-large-reads', 'rule-pack-not-evaluated'],
    async answer({ res, params, body, requireAccess }, services) {
      const { companyId, rulePackId } = params as { companyId: string; rulePackId: string }
      const { parameters } = (body as z.output<typeof choice> | undefined) ?? {}
      const pack = { companyId, rulePackId }
      const { position, ...changes } = await previewRulePack(services, { ...pack, parameters }).catch(
        refuseNotEvaluated,
      )
      const bars = await stoppedByPack(services, pack).catch(refuseNotEvaluated)
      await requireAccess()
      await send(res, {
        status: 200,
        headers: { 'Cache-Control': 'no-store', 'Read-Position': position },
        body: { ...changes, bars },
      })
    },
  },
]

function shippedPack({ rulePackId: id, name, version, choices }: RulePackOffer): ShippedRulePack {
  const offer = { choices }
  return { id, name, version, parameterSchema: parameterSchemaOf(offer), defaults: defaultsOf(offer) }
}
