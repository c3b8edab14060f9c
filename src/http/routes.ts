import { families } from '../domain/tag.ts'
import { auditRoutes } from './audit.ts'
import { barCorrectionRoutes } from './barCorrections.ts'
import { candidateRoutes } from './candidates.ts'
import { certificateDecisionRoutes } from './certificateDecisions.ts'
import { certificateDocumentRoutes } from './certificateDocuments.ts'
import { certificateRoutes } from './certificates.ts'
import { companyRoutes } from './companies.ts'
import { companyExportRoutes } from './companyExports.ts'
import { companyKeyRoutes } from './companyKeys.ts'
import { companyLogRoutes } from './companyLog.ts'
import { dispatchRoutes } from './dispatches.ts'
import { documentRoutes } from './documents.ts'
import { explanationRoutes } from './explanations.ts'
import { filterProfileRoutes } from './filterProfiles.ts'
import { historyRoutes } from './histories.ts'
import { importRoutes } from './imports.ts'
import type { Route } from './kit/routing/route.ts'
import { meRoutes } from './me.ts'
import { operationRoutes } from './operations.ts'
import { orderPackRoutes } from './orderPacks.ts'
import { orderRoutes } from './orders.ts'
import { productionPlanBarRoutes } from './productionPlanBars.ts'
import { productionPlanRoutes } from './productionPlans.ts'
import { recallRoutes } from './recalls.ts'
import { releasePolicyRoutes } from './releasePolicy.ts'
import { rulePackRoutes } from './rulePacks.ts'
import { runRoutes } from './runs.ts'
import { tagAssignmentRoutes } from './tagAssignments.ts'
import { tagRoutes } from './tags.ts'
import { traceabilityRoutes } from './traceability.ts'
import { verdictRoutes } from './verdict.ts'

/** Every resource of this release. */
export const routes: readonly Route[] = [
  ...meRoutes,
  ...companyRoutes,
  ...companyKeyRoutes,
  ...families.flatMap((family) => [
    ...tagRoutes(family),
    ...tagAssignmentRoutes(family),
    ...explanationRoutes(family),
  ]),
  ...certificateRoutes,
  ...certificateDecisionRoutes,
  ...documentRoutes,
  ...certificateDocumentRoutes,
  ...importRoutes,
  ...orderRoutes,
  ...dispatchRoutes,
  ...orderPackRoutes,
  ...companyExportRoutes,
  ...runRoutes,
  ...productionPlanRoutes,
  ...productionPlanBarRoutes,
  ...barCorrectionRoutes,
  ...verdictRoutes,
  ...candidateRoutes,
  ...traceabilityRoutes,
  ...recallRoutes,
  ...historyRoutes,
  ...auditRoutes,
  ...companyLogRoutes,
  ...filterProfileRoutes,
  ...rulePackRoutes,
  ...releasePolicyRoutes,
  ...operationRoutes,
]
