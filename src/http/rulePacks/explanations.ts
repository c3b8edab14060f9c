import { z } from 'zod'
import type { Family } from '../../domain/tags/tag.ts'
import { brokenLimit, told } from '../../problems/finding.ts'
import { explanations, listExplanations } from '../../projections/rulePacks/explanations.ts'
import { rulePacks } from '../../projections/rulePacks/rulePacks.ts'
import { tags } from '../../projections/tags/tags.ts'
import { explainFindings } from '../../rulePacks/explain.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { refuseNotEvaluated } from '../kit/routing/notEvaluated.ts'
import type { Route } from '../kit/routing/route.ts'
import { timestamp, uuid } from '../kit/schemas/fields.ts'
import { tagFamily } from '../tags/tagFamily.ts'

/** Explanations: why a rule assigned its tag to a subject, or could not be evaluated on it. */

const explanation = z
  .object({
    tagId: uuid,
    tagName: z.string(),
    rulePackId: z.string(),
    rulePackVersion: z.int(),
    ruleId: z.string(),
    clause: z.string().meta({ description: 'The clause of the standard.' }),
    expression: z.string().meta({ description: 'The CEL expression of the pack.' }),
    ...told.shape,
    values: z.record(z.string(), z.unknown()).meta({
      description: 'The values that the rule saw, by the words of the expression; null for a missing one.',
    }),
    limits: z.array(brokenLimit).meta({ description: 'The limits that the values break.' }),
    result: z.enum(['matched', 'not-evaluated']).meta({ id: 'RuleResult' }),
    reason: z.string().nullable().meta({ description: 'Why the rule could not be evaluated.' }),
    evaluatedAt: timestamp,
  })
  .meta({ id: 'Explanation' })

/** The route on the explanations of one family. */
export function explanationRoutes(family: Family): Route[] {
  const { called, noun, subjectOf, ofSubject, reading, subjects, withinSubject } = tagFamily(family)
  return [
    listRoute({
      ...reading,
      path: `${ofSubject}/explanations`,
      operationId: `explain${called}Tags`,
      summary: `Explain why rules tagged one ${noun} or could not be evaluated on it`,
      reads: [explanations, tags, rulePacks, subjects],
      hasAsOf: true,
      rows: async (snapshot, { params }, page, services) => {
        const subject = { companyId: params.companyId, family, subjectId: subjectOf(params) }
        const explained = await explainFindings(snapshot, subject, services).catch(refuseNotEvaluated)
        return listExplanations(snapshot, subject, explained, page)
      },
      problems: ['rule-pack-not-evaluated'],
      within: withinSubject,
      sortKey: z.tuple([z.string(), z.string()]),
      item: explanation,
    }),
  ]
}
