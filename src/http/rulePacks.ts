import { z } from 'zod'
import {
  type DecidedRulePack,
  subscribeRulePack,
  unsubscribeRulePack,
  upgradeRulePack,
} from '../commands/rulePacks.ts'
import { defaultsOf, parameterSchemaOf } from '../domain/rulePackParameters.ts'
import type { Reader } from '../projections/reading/reader.ts'
import { listRulePacks, rulePacks } from '../projections/rulePacks.ts'
import { maxListedChanges, previewRulePack } from '../rulePacks/rulePackPreview.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { send } from './kit/routing/respond.ts'
import { type Declaration, paramsOf, type Route } from './kit/routing/route.ts'
import { shownTag, uuid } from './kit/schemas/fields.ts'

/** Rule packs: the catalogue of this release and the subscriptions of a company. */

const evaluation = z
  .object({
    status: z.enum(['none', 'pending', 'running', 'done']),
    done: z.int().meta({ description: 'The number of evaluated subjects.' }),
    total: z.int(),
  })
  .meta({ description: 'The progress of the last subscription, upgrade or unsubscription.' })

const parameters = z.record(z.string(), z.string())

const choice = z.strictObject({ parameters: parameters.optional() }).meta({
  id: 'RulePackChoice',
  description: 'A parameter that is left out stays as it is, or has its default in a new subscription.',
})

const rulePack = z
  .object({
    rulePackId: z.string(),
    id: z.string().meta({ description: 'The same as rulePackId.' }),
    name: z.string(),
    version: z.int().meta({ description: 'The version in this release.' }),
    subscribedVersion: z.int().nullable().meta({ description: 'The version that is in force.' }),
    subscribed: z.boolean(),
    evaluation,
    parameters: parameters.meta({
      description: "The company's choices; without a subscription the defaults.",
    }),
    parameterSchema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON Schema of the parameters that this pack offers.' }),
  })
  .meta({ id: 'RulePack' })

const change = z.object({ subjectId: uuid, subjectLabel: z.string(), tag: shownTag })
const preview = z
  .object({
    gains: z.array(change).meta({ description: `The first ${maxListedChanges} changes.` }),
    losses: z.array(change).meta({ description: `The first ${maxListedChanges} changes.` }),
    gainCount: z.int().meta({ description: 'The number of all changes.' }),
    lossCount: z.int(),
  })
  .meta({ id: 'RulePackPreview' })

const all = '/api/company/{companyId}/rule-packs'
const one = `${all}/{rulePackId}` as const
const group = 'Rule packs'
const administering = { tag: group, access: { company: 'administer' } } as const

const rulePackId = z.string().min(1).max(100)
const params = { rulePackId }

const deciding = {
  ...administering,
  method: 'post',
  params,
  record: rulePack,
  present: withEvaluation,
} as const

const previewing = {
  ...administering,
  path: `${one}/preview`,
  operationId: 'previewRulePack',
  summary: 'Preview the tag changes of a subscription or upgrade',
  description:
    'Evaluates every certificate and order with the version of this release and records nothing. Manual assignments are never lost. All changes are counted; the first 10,000 gains and losses are listed.',
  params,
} as const satisfies Declaration

export const rulePackRoutes: Route[] = [
  list({
    tag: group,
    access: { company: 'view' },
    path: all,
    operationId: 'listRulePacks',
    summary: 'List the rule packs, subscribed or not',
    reads: [rulePacks],
    rows: (moment, { params: { companyId } }, page, { rules }) => {
      const shipped = rules.packs.map(({ rulePackId: id, name, version, ...pack }) => ({
        ...{ id, name, version, parameterSchema: parameterSchemaOf(pack), defaults: defaultsOf(pack) },
      }))
      return listRulePacks(moment, { companyId, shipped }, page)
    },
    alwaysRead: true,
    sortKey: z.tuple([z.string()]),
    item: rulePack,
  }),
  command({
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
  command({
    ...deciding,
    path: `${one}/unsubscribe`,
    operationId: 'unsubscribeRulePack',
    summary: 'Unsubscribe from a rule pack',
    description: 'Soft-deletes its system tags, and removes the assignments of its rules in the background.',
    command: ({ params: { companyId, rulePackId } }) => unsubscribeRulePack(companyId, rulePackId),
    problems: unsubscribeRulePack.refuses,
  }),
  command({
    ...deciding,
    path: `${one}/upgrade`,
    operationId: 'upgradeRulePack',
    summary: 'Upgrade to the version of this release',
    description: 'Evaluates every subject again in the background. Recorded events stay unchanged.',
    command: ({ params: { companyId, rulePackId } }) => upgradeRulePack(companyId, rulePackId),
    problems: upgradeRulePack.refuses,
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
    problems: ['rule-pack-not-found', 'too-many-large-reads'],
    async answer({ res, params, body }, { reader, rules }) {
      const { companyId, rulePackId } = params as { companyId: string; rulePackId: string }
      const { position, ...previewed } = await previewRulePack(reader, rules, {
        ...{ companyId, rulePackId, parameters: (body as z.output<typeof choice> | undefined)?.parameters },
      })
      await send(res, {
        status: 200,
        headers: { 'Cache-Control': 'no-store', 'Read-Position': position },
        body: previewed,
      })
    },
  },
]

/** Read the record. Without the read models, report the evaluation as pending. */
async function withEvaluation({ companyId, ...decided }: DecidedRulePack, reader?: Reader) {
  const { rulePackId: id, name, version, parameterSchema, parameters: defaults } = decided
  const { value } = (await reader?.read([rulePacks], (reading) =>
    reading.query<{ evaluation: object }>(
      listRulePacks(reading, {
        companyId,
        shipped: [{ id, name, version, parameterSchema, defaults }],
        only: id,
      }),
    ),
  )) ?? { value: [] }
  return { ...decided, id, evaluation: value[0]?.evaluation ?? { status: 'pending', done: 0, total: 0 } }
}
