import { z } from 'zod'
import { judgeBars } from '../../domain/verdict/judgedBars.ts'
import type { Finding, Verdict } from '../../domain/verdict/verdict.ts'
import {
  type FoundFactsOfBars,
  factsOfListed,
  findFactsOfBars,
  type ListedBar,
} from '../../projections/bars/judgedBars.ts'
import { judgedFrom } from '../../projections/bars/verdicts.ts'
import type { TaggedSubject } from '../../projections/rulePacks/explanations.ts'
import { rulePacks } from '../../projections/rulePacks/rulePacks.ts'
import { explainTags, type TaggingRule } from '../../rulePacks/explain.ts'
import { certificate } from '../certificates/certificateSchema.ts'
import type { Inclusion } from '../kit/lists/inclusions.ts'
import { fullDate, uuid } from '../kit/schemas/fields.ts'
import { barRecord } from './barSchema.ts'
import { verdict } from './verdictSchema.ts'

/** Bars listed with the verdict on each, and with the names and numbers that people know its records by. */

const { millCertificationId, certificateNumber, heatNumber, manufacturer, tags, blocked } = certificate.shape

/** A line of an order as people name its pieces. */
const line = z.object({
  lineItemId: uuid,
  lineNumber: z.int(),
  profile: z.string().nullable(),
  pieceMark: z.string().nullable(),
  description: z.string().nullable(),
})

export const listedBar = barRecord
  .extend({
    planName: z.string().optional(),
    verdict: verdict
      .nullable()
      .optional()
      .meta({ description: 'Null while an event is missing (`facts-incomplete`).' }),
    certificate: z
      .object({ millCertificationId, certificateNumber, heatNumber, manufacturer, tags, blocked })
      .nullable()
      .optional(),
    orders: z
      .array(
        z.object({
          orderId: uuid,
          orderNumber: z.string(),
          dueDate: fullDate.nullable(),
          lines: z.array(line),
        }),
      )
      .optional(),
  })
  .meta({
    id: 'ListedProductionPlanBar',
    description: '`planName`, `verdict`, `certificate` and `orders` are there with `include=verdict` alone.',
  })

export const barVerdicts: Inclusion = {
  description:
    'the `verdict` as of now, the `planName`, the `certificate`, and the `orders` of Proposed and Accepted cuts with their lines.',
  reads: [...judgedFrom, rulePacks],
  async members(reading, { companyId }, bars: readonly ListedBar[], { rules }) {
    if (bars.length === 0) return []
    const [facts] = await reading.query<FoundFactsOfBars>(findFactsOfBars(reading, companyId!, bars))
    const verdictOn = judgeBars(factsOfListed(bars, facts!))
    const ruleOf = rulesByTag(await explainTags(reading, companyId!, tagsIn(verdictOn), rules))
    const listed = listVerdicts(bars, facts!, (barId) => withRules(verdictOn.get(barId)!, ruleOf))
    const isComplete = (await reading.lack(companyId!)) === undefined
    return isComplete ? listed : listed.map((bar) => ({ ...bar, verdict: null }))
  },
}

/** The record that a finding on a tag is about. */
const taggedBy = ({ millCertificationId, orderId }: Finding) => millCertificationId ?? orderId ?? ''

function tagsIn(verdictOn: ReadonlyMap<string, Verdict>): readonly TaggedSubject[] {
  const tagged = [...verdictOn.values()].flatMap(({ findings }) =>
    findings.flatMap((found) =>
      found.tagId === undefined ? [] : { subjectId: taggedBy(found), tagId: found.tagId },
    ),
  )
  return [...new Map(tagged.map((one) => [keyOf(one), one])).values()]
}

const keyOf = ({ subjectId, tagId }: TaggedSubject) => `${subjectId} ${tagId}`

function rulesByTag(rules: readonly TaggingRule[]): ReadonlyMap<string, TaggingRule> {
  return new Map(rules.toReversed().map((rule) => [keyOf(rule), rule]))
}

/** Return the verdict with the rule behind each tag. */
function withRules({ findings, ...verdict }: Verdict, ruleOf: ReadonlyMap<string, TaggingRule>) {
  return {
    ...verdict,
    findings: findings.map((finding) => {
      const { tagId = '' } = finding
      const rule = ruleOf.get(keyOf({ subjectId: taggedBy(finding), tagId }))
      return rule ? { ...finding, rule: { clause: rule.clause, limits: rule.limits } } : finding
    }),
  }
}

function listVerdicts(
  bars: readonly ListedBar[],
  facts: FoundFactsOfBars,
  verdictOf: (barId: string) => object,
): object[] {
  const nameOf = new Map(facts.plans.map(({ planId, name }) => [planId, name]))
  const certificateOf = new Map(facts.certificates.map((one) => [one.millCertificationId, one]))
  const orderWith = new Map(facts.orders.map((order) => [order.orderId, order]))
  return bars.map(({ barId, planId, millCertificationId, cuts }) => ({
    planName: nameOf.get(planId),
    verdict: verdictOf(barId),
    certificate: presentCertificate(certificateOf.get(millCertificationId ?? '')),
    orders: [...Map.groupBy(cuts.filter(isPlanned), ({ orderId }) => orderId)].flatMap(
      ([orderId, ofOrder]) => {
        const order = orderWith.get(orderId)
        return order ? [presentOrder(order, new Set(ofOrder.map(({ lineItemId }) => lineItemId)))] : []
      },
    ),
  }))
}

/** A Rejected cut is for no order. */
const isPlanned = ({ status }: ListedBar['cuts'][number]) => status !== 'Rejected'

function presentOrder(
  { orderId, orderNumber, dueDate, lineItems }: FoundFactsOfBars['orders'][number],
  lineItemIds: ReadonlySet<string>,
): object {
  const lines = lineItems
    .filter(({ lineItemId }) => lineItemIds.has(lineItemId))
    .map(({ lineItemId, lineNumber, profile, pieceMark, description }) => ({
      lineItemId,
      lineNumber,
      profile,
      pieceMark,
      description,
    }))
  return { orderId, orderNumber, dueDate, lines }
}

function presentCertificate(found: FoundFactsOfBars['certificates'][number] | undefined): object | null {
  if (!found) return null
  const { millCertificationId, certificateNumber, heatNumber, manufacturer, tags } = found
  const blocked = tags.some(({ severity }) => severity === 'Block')
  return { millCertificationId, certificateNumber, heatNumber, manufacturer, tags, blocked }
}
