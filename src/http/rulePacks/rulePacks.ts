import { z } from 'zod'
import {
  addRulePack,
  type CheckRulePack,
  replaceRulePack,
  withdrawRulePack,
} from '../../commands/rulePacks/ownRulePacks.ts'
import {
  type DecidedRulePack,
  subscribeRulePack,
  unsubscribeRulePack,
  upgradeRulePack,
  type WrittenRulePack,
} from '../../commands/rulePacks/rulePacks.ts'
import { type Fault, invalid } from '../../domain/kernel/refusal.ts'
import type { RulePackOffer } from '../../domain/rulePacks/ruleBook.ts'
import { defaultsOf, parameterSchemaOf } from '../../domain/rulePacks/rulePackParameters.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import {
  findRulePack,
  findRulePackVersion,
  listRulePacks,
  type ShippedRulePack,
} from '../../projections/rulePacks/rulePackQueries.ts'
import { rulePacks } from '../../projections/rulePacks/rulePacks.ts'
import type { PackFault } from '../../rulePacks/checks.ts'
import { maxDocumentBytes, nextVersionSchema, ownRulePackSchema } from '../../rulePacks/ownRules/check.ts'
import type { PackContent } from '../../rulePacks/rulePack.ts'
import { maxListedChanges, previewRulePack } from '../../rulePacks/rulePackPreview.ts'
import { pointerStep } from '../kit/body/json.ts'
import { asPointer, checked } from '../kit/body/validate.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { refuseNotEvaluated } from '../kit/routing/notEvaluated.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, paramsOf, pathWith, type Route } from '../kit/routing/route.ts'
import { recordOf } from '../kit/schemas/collections.ts'
import { faulty, plainText, shownTag, timestamp, uuid } from '../kit/schemas/fields.ts'
import type { Services } from '../kit/services.ts'

/** Rule packs: the catalogue of this release and the subscriptions of a company. */

const evaluation = z
  .object({
    status: z.enum(['none', 'pending', 'running', 'done']),
    done: z.int().meta({ description: 'The number of evaluated subjects.' }),
    total: z.int(),
  })
  .meta({
    id: 'RulePackEvaluation',
    description: 'The progress of the last subscription, upgrade or unsubscription.',
  })

const parameters = recordOf(z.string(), z.string())

const choice = z.strictObject({ parameters: parameters.optional() }).meta({
  id: 'RulePackChoice',
  description: 'A parameter that is left out stays as it is, or has its default in a new subscription.',
})

const rulePack = z
  .object({
    rulePackId: z.string(),
    id: z.string().meta({ description: 'The same as rulePackId.' }),
    name: z.string(),
    version: z.int().meta({ description: 'The newest version.' }),
    subscribedVersion: z.int().nullable().meta({ description: 'The version that is in force.' }),
    subscribed: z.boolean(),
    own: z.boolean().meta({ description: 'Whether the company has written it itself.' }),
    evaluation,
    parameters: parameters.meta({
      description: "The company's choices; without a subscription the defaults.",
    }),
    parameterSchema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON Schema of the parameters that this pack offers.' }),
  })
  .meta({ id: 'RulePack' })

const document = z
  .record(z.string(), z.unknown())
  .meta({ description: 'The tags, tables, definitions and rules of the pack.' })

/** A single pack is answered with its newest document. */
const writtenRulePack = rulePack
  .extend({ hash: z.string().meta({ description: 'SHA-256 of the document.' }), document })
  .meta({ id: 'RulePackWithDocument' })

const rulePackVersion = z
  .object({
    rulePackId: z.string(),
    version: z.int(),
    name: z.string(),
    own: z.boolean(),
    hash: z.string(),
    document,
    definedAt: timestamp
      .nullable()
      .meta({ description: 'When the company wrote it; null for a shipped one.' }),
    definedBy: z.string().nullable(),
  })
  .meta({ id: 'RulePackVersion' })

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
const reading = { tag: group, access: { company: 'view' } } as const
const administering = { tag: group, access: { company: 'administer' } } as const

const rulePackId = plainText(100)
const params = { rulePackId }

const deciding = {
  ...administering,
  method: 'post',
  params,
  record: rulePack,
  present: withEvaluation,
  conditional: true,
} as const

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
  recordRoute({
    ...reading,
    path: `${one}/versions/{version}`,
    operationId: 'getRulePackVersion',
    summary: 'Read one version of a rule pack',
    params: { ...params, version: plainText(100) },
    reads: [rulePacks],
    find: (snapshot, { params: { companyId, rulePackId, version: asked } }, { rules }) => {
      // No version is 0.
      const version = /^\d{1,9}$/.test(asked) ? Number(asked) : 0
      const found = rules.find(rulePackId, version)
      const document = rules.documentOf(rulePackId, version)
      const shipped = found && document && { name: found.name, hash: found.hash, document }
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
      const { position, ...previewed } = await previewRulePack(services, {
        companyId,
        rulePackId,
        parameters,
      }).catch(refuseNotEvaluated)
      await requireAccess()
      await send(res, {
        status: 200,
        headers: { 'Cache-Control': 'no-store', 'Read-Position': position },
        body: previewed,
      })
    },
  },
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

function shippedPack({ rulePackId: id, name, version, choices }: RulePackOffer): ShippedRulePack {
  const offer = { choices }
  return { id, name, version, parameterSchema: parameterSchemaOf(offer), defaults: defaultsOf(offer) }
}

/** Read the progress of the evaluation. Without the read models, report it as pending. */
async function withEvaluation({ companyId, ...decided }: DecidedRulePack, reader?: Reader) {
  const { rulePackId, name, version, parameterSchema, parameters, own, subscribed, subscribedVersion } =
    decided
  const shipped = own ? [] : [{ id: rulePackId, name, version, parameterSchema, defaults: parameters }]
  const { value } = (await reader?.read([rulePacks], (reading) =>
    reading.query<{ evaluation: object }>(listRulePacks(reading, { companyId, shipped, only: rulePackId })),
  )) ?? { value: [] }
  const progress = value[0]?.evaluation ?? { status: 'pending', done: 0, total: 0 }
  return {
    rulePackId,
    id: rulePackId,
    name,
    version,
    subscribedVersion,
    subscribed,
    own,
    evaluation: progress,
    parameters,
    parameterSchema,
  }
}
