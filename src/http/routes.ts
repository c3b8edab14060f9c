import { families } from '../domain/tags/tag.ts'
import { auditRoutes } from './audit/audit.ts'
import { companyLogRoutes } from './audit/companyLog.ts'
import { barCorrectionRoutes } from './bars/barCorrections.ts'
import { productionPlanBarRoutes } from './bars/bars.ts'
import { candidateRoutes } from './bars/candidates.ts'
import { labelRoutes } from './bars/labels.ts'
import { productionPlanRoutes } from './bars/plans.ts'
import { verdictRoutes } from './bars/verdict.ts'
import { certificateDecisionRoutes } from './certificates/certificateDecisions.ts'
import { certificateRoutes } from './certificates/certificates.ts'
import { recallRoutes } from './certificates/recalls.ts'
import { changeRoutes } from './changes/changes.ts'
import { companyRoutes } from './company/companies.ts'
import { companyExportRoutes } from './company/companyExports.ts'
import { companyKeyRoutes } from './company/companyKeys.ts'
import { filterProfileRoutes } from './company/filterProfiles.ts'
import { invitationRoutes } from './company/invitations.ts'
import { meRoutes } from './company/me.ts'
import { releasePolicyRoutes } from './company/releasePolicy.ts'
import { runRoutes } from './company/runs.ts'
import { webhookRoutes } from './company/webhooks.ts'
import { deliveryRoutes } from './deliveries/deliveries.ts'
import { certificateDocumentRoutes } from './documents/certificateDocuments.ts'
import { documentRoutes } from './documents/documents.ts'
import { importRoutes } from './imports/imports.ts'
import type { Route } from './kit/routing/route.ts'
import { operationRoutes } from './operations/operations.ts'
import { dispatchRoutes } from './orders/dispatches.ts'
import { orderPackRoutes } from './orders/orderPacks.ts'
import { orderRoutes } from './orders/orders.ts'
import { traceabilityRoutes } from './orders/traceability.ts'
import { explanationRoutes } from './rulePacks/explanations.ts'
import { limitsRoute } from './rulePacks/limitsRoute.ts'
import { ownRulePackRoutes } from './rulePacks/ownRulePacks.ts'
import { rulePackRoutes } from './rulePacks/rulePacks.ts'
import { historyRoutes } from './tags/histories.ts'
import { tagAssignmentRoutes } from './tags/tagAssignments.ts'
import { tagRoutes } from './tags/tags.ts'

/** Every resource of this release. */
export const routes: readonly Route[] = [
  ...meRoutes,
  ...companyRoutes,
  ...companyKeyRoutes,
  ...webhookRoutes,
  ...families.flatMap((family) => [
    ...tagRoutes(family),
    ...tagAssignmentRoutes(family),
    ...explanationRoutes(family),
  ]),
  ...certificateRoutes,
  ...certificateDecisionRoutes,
  ...documentRoutes,
  ...certificateDocumentRoutes,
  ...deliveryRoutes,
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
  ...labelRoutes,
  ...traceabilityRoutes,
  ...recallRoutes,
  ...historyRoutes,
  ...auditRoutes,
  ...changeRoutes,
  ...companyLogRoutes,
  ...filterProfileRoutes,
  ...invitationRoutes,
  ...rulePackRoutes,
  ...ownRulePackRoutes,
  ...releasePolicyRoutes,
  ...operationRoutes,
]

/** Pages for anybody. They show what the release holds, and nothing of a company. */
export const openPages: readonly Route[] = [limitsRoute]
