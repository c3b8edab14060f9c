import { z } from 'zod'
import {
  type DecidedRulePack,
  subscribeRulePack,
  unsubscribeRulePack,
  upgradeRulePack,
} from '../commands/rulePacks.ts'
import type { Reader } from '../projections/reading/reader.ts'
import { listRulePacks, rulePacks } from '../projections/rulePacks.ts'
import { maxListedChanges, previewRulePack } from '../rulePacks/rulePackPreview.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { send } from './kit/routing/respond.ts'
import { type Declaration, paramsOf, type Route } from './kit/routing/route.ts'
import { shownTag, uuid } from './kit/schemas/fields.ts'

/** Rule packs: the catalogue of what is shipped, and what the company makes of it. */

const evaluation = z
  .object({
    status: z.enum(['none', 'pending', 'running', 'done']),
    done: z.int().meta({ description: 'Subjects evaluated.' }),
    total: z.int(),
  })
  .meta({ description: 'How far the last subscription, upgrade or unsubscription has got.' })

const rulePack = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.int().meta({ description: 'That this release ships.' }),
    subscribedVersion: z.int().nullable().meta({ description: 'That is in force.' }),
    subscribed: z.boolean(),
    evaluation,
  })
  .meta({ id: 'RulePack' })

const change = z.object({ subjectId: uuid, subjectLabel: z.string(), tag: shownTag })
const preview = z
  .object({
    gains: z.array(change).meta({ description: `The first ${maxListedChanges}.` }),
    losses: z.array(change).meta({ description: `The first ${maxListedChanges}.` }),
    gainCount: z.int().meta({ description: 'How many there are in all.' }),
    lossCount: z.int(),
  })
  .meta({ id: 'RulePackPreview' })

const all = '/api/company/{companyId}/rule-packs'
const one = `${all}/{rulePackId}` as const
const group = 'Rule packs'
const administering = { tag: group, access: { company: 'administer' } } as const

const rulePackId = z.string().min(1).max(100)
const params = { rulePackId }

/** The record once the read models show the decision; without them, its evaluation is still to come. */
async function withEvaluation({ companyId, ...decided }: DecidedRulePack, reader?: Reader) {
  const { id, name, version } = decided
  const { value } = (await reader?.read([rulePacks], (reading) =>
    reading.query<{ evaluation: object }>(
      listRulePacks(reading, { companyId, shipped: [{ id, name, version }], only: id }),
    ),
  )) ?? { value: [] }
  return { ...decided, evaluation: value[0]?.evaluation ?? { status: 'pending', done: 0, total: 0 } }
}

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
  summary: 'What subscribing or upgrading would tag, without doing it',
  description:
    'Holds every certificate and order against the version that this release ships. What is assigned by hand is never lost. All changes are counted; the first 10,000 gains and losses are listed.',
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
      const shipped = rules.packs.map(({ rulePackId: id, name, version }) => ({ id, name, version }))
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
      'Provisions its system tags, all or none, and evaluates every certificate and order in the background.',
    command: ({ params: { companyId, rulePackId } }) => subscribeRulePack(companyId, rulePackId),
    problems: [404, 409],
  }),
  command({
    ...deciding,
    path: `${one}/unsubscribe`,
    operationId: 'unsubscribeRulePack',
    summary: 'Unsubscribe from a rule pack',
    description: 'Soft-deletes its system tags, and clears what its rules have assigned in the background.',
    command: ({ params: { companyId, rulePackId } }) => unsubscribeRulePack(companyId, rulePackId),
    problems: [404, 409],
  }),
  command({
    ...deciding,
    path: `${one}/upgrade`,
    operationId: 'upgradeRulePack',
    summary: 'Upgrade to the version that this release ships',
    description: 'Evaluates everything again in the background; what was recorded before stays as it was.',
    command: ({ params: { companyId, rulePackId } }) => upgradeRulePack(companyId, rulePackId),
    problems: [404, 409],
  }),
  {
    ...previewing,
    method: 'post',
    params: paramsOf(previewing),
    query: z.strictObject({}),
    headers: z.object({}),
    body: undefined,
    responses: { 200: { description: 'What would change.', schema: preview, headers: ['Read-Position'] } },
    problems: [404],
    async answer({ res, params }, { reader, rules }) {
      const { companyId, rulePackId } = params as { companyId: string; rulePackId: string }
      const { position, ...body } = await previewRulePack(reader, rules, { companyId, rulePackId })
      send(res, { status: 200, headers: { 'Cache-Control': 'no-store', 'Read-Position': position }, body })
    },
  },
]
