import { z } from 'zod'
import { invalid } from '../../domain/kernel/refusal.ts'
import { judgedBy } from '../../domain/verdict/judgedBy.ts'
import { judge } from '../../domain/verdict/verdict.ts'
import { completeFacts, type VerdictFacts } from '../../domain/verdict/verdictFacts.ts'
import { type FoundFacts, findVerdictFacts, judgedFrom } from '../../projections/bars/verdicts.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { id, type Route } from '../kit/routing/route.ts'
import { barVerdict } from './verdictSchema.ts'

/** The verdict: may this bar be cut? */

export const verdictRoutes: Route[] = [
  recordRoute({
    tag: 'Production plan bars',
    access: { company: 'view' },
    path: '/api/company/{companyId}/production-plan-bars/{barId}/verdict',
    operationId: 'getVerdict',
    summary: 'May this bar be cut?',
    description:
      'Judges the bar as of now: its certificate, the orders and lines of its Accepted cuts, their tags, and the release policy. With `asOf`, it judges the facts of that moment by the rules of this release. `keptAtApproval` has the findings that were recorded when the bar was approved. The ETag is for caches alone.',
    query: z.strictObject({
      millCertificationId: id
        .optional()
        .meta({ description: 'Judge as if the bar had this mill certificate.' }),
    }),
    hasAsOf: true,
    whileLacking: 'refusal',
    reads: judgedFrom,
    find: (snapshot, { params, query }) =>
      findVerdictFacts(snapshot, { ...params, tried: query.millCertificationId ?? null }),
    missing: { code: 'bar-not-found', id: 'barId' },
    present: (facts: FoundFacts) => ({
      ...judge(factsOf(facts)),
      judgedBy,
      keptAtApproval: facts.keptJudgement,
    }),
    record: barVerdict,
  }),
]

/** @throws Refusal 400 when the certificate that is tried does not exist */
function factsOf(facts: FoundFacts): VerdictFacts {
  const { tried, certificate } = facts
  if (tried !== null && !certificate)
    throw invalid([
      {
        path: 'millCertificationId',
        parameter: 'millCertificationId',
        code: 'unknown-record',
        message: `There is no mill certificate ${tried}.`,
        record: { millCertificationId: tried },
      },
    ])
  return completeFacts(facts)
}
