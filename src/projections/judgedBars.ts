import type { BarsFacts, CertificateOfBar, JudgedBar } from '../domain/judgedBars.ts'
import type { JudgedCut } from '../domain/verdict.ts'
import { certificates } from './certificates.ts'
import { orders } from './orders.ts'
import { production } from './production.ts'
import { jsonList } from './reading/listQuery.ts'
import type { Query, Reading } from './reading/reader.ts'
import { releasePolicies } from './releasePolicies.ts'
import { shownTags } from './tags.ts'
import { certificateFields, lineFields, ofCertificate, orderFields } from './verdicts.ts'

/** The facts that many bars are judged from. Each is read once, however many bars share it. */

/** A bar as it is listed. */
export interface ListedBar extends Omit<JudgedBar, 'overrides'> {
  readonly planId: string
  readonly cuts: readonly (JudgedCut & { readonly status: string })[]
}

/** The row of `findFactsOfBars`. */
export interface FoundFactsOfBars extends Pick<BarsFacts, 'certificates' | 'orders' | 'policy'> {
  readonly overrides: readonly Pick<JudgedBar, 'barId' | 'overrides'>[]
  readonly plans: readonly { readonly planId: string; readonly name: string }[]
}

/** Find the facts of listed bars, and the plans that they are in. The orders include those of Proposed cuts, which are shown and not judged. */
export function findFactsOfBars(reading: Reading, companyId: string, bars: readonly ListedBar[]): Query {
  const cuts = bars.flatMap((bar) => bar.cuts.filter(({ status }) => status !== 'Rejected'))
  const overrides = jsonList({ barId: 'b.bar_id', overrides: 'b.overrides' }, 'b.bar_id')
  const plans = jsonList({ planId: 'n.plan_id', name: 'n.name' }, 'n.plan_id')
  return {
    text: `SELECT
      (SELECT ${overrides} FROM ${reading.table(production, 'bar')} b
       WHERE b.company_id = $1 AND b.bar_id = ANY($2::uuid[])) AS overrides,
      ${certificatesOf(reading, '$1', '= ANY($3::uuid[])')} AS certificates,
      ${ordersOf(reading, '$1', { orderIds: '= ANY($4::uuid[])', lineItemIds: '= ANY($5::uuid[])' })} AS orders,
      (SELECT p.policy FROM ${reading.table(releasePolicies, 'releasePolicy')} p
       WHERE p.company_id = $1) AS policy,
      (SELECT ${plans} FROM ${reading.table(production, 'plan')} n
       WHERE n.company_id = $1 AND n.plan_id = ANY($6::uuid[])) AS plans`,
    values: [
      companyId,
      ...[
        bars.map(({ barId }) => barId),
        bars.flatMap(({ millCertificationId }) => millCertificationId ?? []),
        cuts.map(({ orderId }) => orderId),
        cuts.map(({ lineItemId }) => lineItemId),
        bars.map(({ planId }) => planId),
      ].map((ids) => [...new Set(ids)]),
    ],
  }
}

const certificateOfBarFields = {
  ...certificateFields,
  certificateNumber: 'm.certificate_number',
  heatNumber: 'm.heat_number',
  blockedOfSameHeat: 'others.blocked',
} satisfies Record<keyof CertificateOfBar, string>

/** SQL of the certificates whose ids meet a condition, as one value. */
export function certificatesOf(reading: Reading, company: string, ids: string): string {
  return `(SELECT ${jsonList(certificateOfBarFields, 'm.mill_certification_id')}
    FROM ${reading.table(certificates, 'certificate')} m ${ofCertificate(reading)}
    WHERE m.company_id = ${company} AND m.mill_certification_id ${ids})`
}

/** SQL of the orders whose ids meet a condition, each with its lines that meet theirs, as one value. */
export function ordersOf(
  reading: Reading,
  company: string,
  { orderIds, lineItemIds }: { readonly orderIds: string; readonly lineItemIds: string },
): string {
  return `(SELECT ${jsonList(orderFields, 'o.order_id')}
    FROM ${reading.table(orders, 'order')} o ${shownTags(reading, 'order', 'o', 'order_id')}
    LEFT JOIN LATERAL (
      SELECT ${jsonList(lineFields, 'l.line_number')} AS items
      FROM ${reading.table(orders, 'lineItem')} l
      WHERE l.company_id = o.company_id AND l.order_id = o.order_id AND l.line_item_id ${lineItemIds}
    ) lines ON true
    WHERE o.company_id = ${company} AND o.order_id ${orderIds})`
}
