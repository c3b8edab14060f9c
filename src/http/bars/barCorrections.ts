import { z } from 'zod'
import { cancelBar, revertBar, scrapCut } from '../../commands/bars/barCorrections.ts'
import { barSteps } from '../../domain/bars/barEvents.ts'
import { lookUpsIn } from '../../projections/bars/lookUps.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { mayOf, qualityOf } from '../kit/routing/qualityOf.ts'
import type { Route } from '../kit/routing/route.ts'
import { oneOf, performed, text } from '../kit/schemas/fields.ts'
import type { Principal } from '../kit/services.ts'
import { cutRecord } from './barSchema.ts'
import { barIfPreferred } from './singleBar.ts'

/** Corrections of the floor's record: a step taken back, a bar cancelled, a piece scrapped. */

const one = '/api/company/{companyId}/production-plan-bars/{barId}'
const tag = 'Production plan bars'
const because = { reason: text(1, 500), ...performed }

export const barCorrectionRoutes: Route[] = [
  commandRoute({
    tag,
    access: { company: 'revert' },
    method: 'post',
    path: `${one}/revert`,
    operationId: 'revertProductionPlanBar',
    summary: 'Take a bar back to an earlier step',
    description:
      'Quality and Admin may take back every step, a Planner an approval. A Planner or Cutter may take back a start or completion of their own within 10 minutes. A bar that is Approved again is judged as for an approval. The progress of its line items goes back with it.',
    body: z
      .strictObject({
        to: oneOf(barSteps).exclude(['Completed']).meta({ id: 'BarRevertTarget' }),
        ...because,
      })
      .meta({ id: 'BarRevert' }),
    command: ({ params, body, principal }, services) =>
      revertBar(params, body, lookUpsIn(services.reader), revertRoute(principal, params)),
    ...barIfPreferred,
    conditional: true,
    problems: revertBar.refuses,
  }),
  commandRoute({
    tag,
    access: { company: 'plan' },
    method: 'post',
    path: `${one}/cancel`,
    operationId: 'cancelProductionPlanBar',
    summary: 'Cancel a Draft or Approved bar',
    description:
      'Its cuts no longer count. A Cancelled bar stays as it is; cancelling it again records nothing.',
    body: z.strictObject(because).meta({ id: 'BarCancellation' }),
    command: ({ params, body }) => cancelBar(params, body.reason),
    ...barIfPreferred,
    conditional: true,
    problems: cancelBar.refuses,
  }),
  commandRoute({
    tag,
    access: { company: 'scrap' },
    method: 'post',
    path: `${one}/cuts/{cutId}/scrap`,
    operationId: 'scrapCut',
    summary: 'Scrap a piece that was cut wrong',
    description:
      'The piece no longer counts for its line item, and its length stays used. Scrapping it again records nothing.',
    body: z.strictObject(because).meta({ id: 'CutScrapping' }),
    command: ({ params, body }) => scrapCut(params, params.cutId, body.reason),
    record: cutRecord,
    conditional: true,
    problems: scrapCut.refuses,
  }),
]

function revertRoute(principal: Principal, { companyId }: { readonly companyId: string }) {
  const isQuality = qualityOf(principal, companyId)
  const isPlanner = mayOf(principal, companyId, 'plan')
  return async () => ({ isQuality: await isQuality(), isPlanner: await isPlanner() })
}
