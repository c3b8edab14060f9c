import { SQL } from '@event-driven-io/dumbo'
import type { AcceptedCuts } from '../../../src/domain/bars/barContent.ts'
import type { BarRef, ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import type { ProductionPlanEvent } from '../../../src/domain/bars/plan.ts'
import { type PeerEvent, part, revisionOf } from './event.ts'

/** Plans, bars, cuts, and the progress of line items. */

/** The measured histories have no other events of bars. */
type BarEvent = Extract<
  ProductionPlanBarEvent,
  {
    type:
      | 'BarOpened'
      | 'BarCertificateSet'
      | 'CutStatusChanged'
      | 'BarApproved'
      | 'BarApprovalWithdrawn'
      | 'BarStarted'
      | 'BarCompleted'
  }
>
type Named = Pick<AcceptedCuts, 'orderId' | 'lineItemId'>
type Counters = { readonly accepted?: number; readonly begun?: number; readonly completed?: number }

export function production(event: PeerEvent<ProductionPlanEvent | BarEvent>): SQL[] {
  const { companyId } = event.data
  const revision = revisionOf(event)
  const at = event.metadata.occurredAt
  switch (event.type) {
    case 'ProductionPlanCreated':
      return [
        SQL`INSERT INTO peer.plan VALUES (${companyId}, ${event.data.planId}, ${event.data.name}, 0, ${at},
              ${event.metadata.actor.id}, ${revision})`,
      ]
    case 'BarsPlanned': {
      const { planId, barIds, lineItems } = event.data
      return [
        SQL`UPDATE peer.plan SET bar_count = bar_count + ${barIds.length}, revision = ${revision}
            WHERE company_id = ${companyId} AND plan_id = ${planId}`,
        SQL`UPDATE peer.bar SET planned = true WHERE company_id = ${companyId} AND bar_id IN ${barIds}`,
        ...lineItems.map((item) => count(companyId, item, { accepted: item.accepted })),
      ]
    }
    case 'BarOpened': {
      const { planId, barId, stockLengthMm, grade, millCertificationId, remnantMm, cuts } = event.data
      const rows = cuts.map(
        ({ cutId, orderId, lineItemId, lengthMm, status }, ordinal) =>
          SQL`(${companyId}, ${barId}, ${cutId}, ${ordinal}, ${orderId}, ${lineItemId}, ${lengthMm}, ${status})`,
      )
      return [
        SQL`INSERT INTO peer.bar VALUES (${companyId}, ${barId}, ${planId}, false, 'Draft', ${stockLengthMm},
              ${grade}, ${millCertificationId}, ${remnantMm}, ${at}, NULL, NULL, NULL, ${revision})`,
        SQL`INSERT INTO peer.cut VALUES ${part(...rows)}`,
      ]
    }
    case 'BarApprovalWithdrawn':
      return [
        SQL`UPDATE peer.bar SET status = 'Draft', approved_at = NULL, revision = ${revision}
            WHERE company_id = ${companyId} AND bar_id = ${event.data.barId}`,
      ]
    case 'BarCertificateSet': {
      const { barId, millCertificationId } = event.data
      return [
        SQL`UPDATE peer.bar SET mill_certification_id = ${millCertificationId}, revision = ${revision}
            WHERE company_id = ${companyId} AND bar_id = ${barId}`,
      ]
    }
    case 'BarApproved':
      return [move(event.data, 'Approved', 'approved_at', at, revision)]
    case 'BarStarted':
      return [
        move(event.data, 'Started', 'started_at', at, revision),
        ...event.data.lineItems.map((item) => count(companyId, item, { begun: item.accepted })),
      ]
    case 'BarCompleted':
      return [
        move(event.data, 'Completed', 'completed_at', at, revision),
        ...event.data.lineItems.map((item) => count(companyId, item, { completed: item.accepted })),
      ]
    case 'CutStatusChanged': {
      const { barId, cutId, barStatus, from, to, remnantMm } = event.data
      const accepted = Number(to === 'Accepted') - Number(from === 'Accepted')
      const begun = barStatus === 'Started' ? accepted : 0
      return [
        SQL`UPDATE peer.bar SET remnant_mm = ${remnantMm}, revision = ${revision}
            WHERE company_id = ${companyId} AND bar_id = ${barId}`,
        SQL`UPDATE peer.cut SET status = ${to}
            WHERE company_id = ${companyId} AND bar_id = ${barId} AND cut_id = ${cutId}`,
        ...(accepted === 0 ? [] : [count(companyId, event.data, { accepted, begun })]),
      ]
    }
  }
}

function count(
  companyId: string,
  { orderId, lineItemId }: Named,
  { accepted = 0, begun = 0, completed = 0 }: Counters,
): SQL {
  return SQL`INSERT INTO peer.line_item_progress AS p
      VALUES (${companyId}, ${orderId}, ${lineItemId}, ${accepted}, ${begun}, ${completed}, 'Open')
      ON CONFLICT (company_id, order_id, line_item_id) DO UPDATE SET accepted = p.accepted + ${accepted},
        begun = p.begun + ${begun}, completed = p.completed + ${completed},
        status = CASE WHEN p.accepted + ${accepted} > 0 AND p.completed + ${completed} = p.accepted + ${accepted}
                        THEN 'Completed'
                      WHEN p.begun + ${begun} > 0 THEN 'In Progress' ELSE 'Open' END`
}

function move({ companyId, barId }: BarRef, status: string, column: string, at: string, revision: bigint) {
  return SQL`UPDATE peer.bar SET status = ${status}, ${{ type: 'identifier', value: column }} = ${at},
      revision = ${revision} WHERE company_id = ${companyId} AND bar_id = ${barId}`
}
