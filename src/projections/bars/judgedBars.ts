import type { LineItemContent } from '../../domain/orders/orderContent.ts'
import type { TracedBar, TracedCut } from '../../domain/orders/orderTrace.ts'
import type { BarsFacts, JudgedBar } from '../../domain/verdict/judgedBars.ts'
import type { JudgedCut, JudgedLine, JudgedOrder } from '../../domain/verdict/verdictFacts.ts'
import { certificates } from '../certificates/certificates.ts'
import { policyOf } from '../company/releasePolicies.ts'
import { filteredList } from '../engine/reading/filteredList.ts'
import { jsonList, type SortKey } from '../engine/reading/listQuery.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'
import { lineItemsOf } from '../orders/orderQueries.ts'
import { orders } from '../orders/orders.ts'
import { pairRulesOf } from '../rulePacks/rulePacks.ts'
import { joinTags } from '../tags/tagAssignments.ts'
import { production } from './production.ts'
import { barList, inPlanOrder, isPlanned } from './productionQueries.ts'
import { lineFields, namedCertificateFields, ofCertificate, orderFields } from './verdicts.ts'

/** The facts that many bars are judged from. Each is read once, however many bars share it. */

/** A bar as it is listed. */
export interface ListedBar extends Omit<JudgedBar, 'overrides'> {
  readonly planId: string
  readonly cuts: readonly (JudgedCut & { readonly status: string })[]
}

/** A line with its description, which is shown and not judged. */
type DescribedLine = JudgedLine & Pick<LineItemContent, 'description'>

/** The row of `findFactsOfBars`. */
export interface FoundFactsOfBars extends Pick<BarsFacts, 'certificates' | 'policy' | 'pairRules'> {
  readonly orders: readonly (Omit<JudgedOrder, 'lineItems'> & {
    readonly dueDate: string | null
    readonly lineItems: readonly DescribedLine[]
  })[]
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
      ${policyOf(reading)} AS policy,
      ${pairRulesOf(reading, '$1')} AS "pairRules",
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

/** Return the facts that listed bars are judged from. */
export function factsOfListed(
  bars: readonly ListedBar[],
  { overrides, certificates, orders, policy, pairRules }: FoundFactsOfBars,
): BarsFacts {
  const overridesOn = new Map(overrides.map((one) => [one.barId, one.overrides]))
  return {
    certificates,
    orders,
    policy,
    pairRules,
    bars: bars.map((bar) => ({ ...bar, overrides: overridesOn.get(bar.barId) ?? [] })),
    cuts: bars.flatMap(({ barId, cuts }) =>
      cuts.filter(({ status }) => status === 'Accepted').map((cut) => ({ ...cut, barId })),
    ),
  }
}

/** The statuses of bars that are still to be cut. */
const openStatuses = ['Draft', 'Approved', 'Started'] as const

export interface OpenBar extends ListedBar {
  readonly ordinal: number
  readonly status: (typeof openStatuses)[number]
  readonly sortKey: SortKey
}

/** Bars that are judged together: many share their certificates and orders, which each portion reads once. */
const portion = 1_000

/** Yield the open bars of a company with their facts, in portions, so that any number is judged in bounded memory. */
export async function* openBarsOf(
  reading: Reading,
  companyId: string,
): AsyncIterable<{ readonly bars: readonly OpenBar[]; readonly facts: FoundFactsOfBars }> {
  const filterValues = { status: openStatuses }
  let after: SortKey | undefined
  for (;;) {
    const page = await filteredList(barList, reading, { companyId, filterValues }, { limit: portion, after })
    const bars = await reading.query<OpenBar>(page)
    if (bars.length === 0) return
    const [facts] = await reading.query<FoundFactsOfBars>(findFactsOfBars(reading, companyId, bars))
    yield { bars, facts: facts! }
    if (bars.length < portion) return
    after = bars.at(-1)!.sortKey
  }
}

/** The row of `findFactsOfCertificates`. */
export type FoundFactsOfCertificates = Pick<BarsFacts, 'certificates' | 'policy'>

/** Find the facts that certificates are judged from by themselves. */
export function findFactsOfCertificates(
  reading: Reading,
  companyId: string,
  millCertificationIds: readonly string[],
): Query {
  return {
    text: `SELECT ${certificatesOf(reading, '$1', '= ANY($2::uuid[])')} AS certificates, ${policyOf(reading)} AS policy`,
    values: [companyId, millCertificationIds],
  }
}

/**
 * SQL of one row: the facts of the bars `b` that meet a condition. Their certificates and orders are looked up by arrays of
 * ids. PostgreSQL does not know how few they are, and would join all certificates of the company.
 * @param company SQL of the company
 */
export function factsOfBars(reading: Reading, company: string, condition: string): string {
  return `WITH bars AS MATERIALIZED (
      SELECT b.* FROM ${reading.table(production, 'bar')} b
      WHERE b.company_id = ${company} AND ${isPlanned} AND ${condition}
    ), cuts AS MATERIALIZED (
      SELECT c.*, row_number() OVER (ORDER BY ${inPlanOrder.join(', ')}, c.ordinal) AS place
      FROM bars b JOIN ${reading.table(production, 'cut')} c
        ON c.company_id = b.company_id AND c.bar_id = b.bar_id AND c.status = 'Accepted'
    )
    SELECT
      (SELECT ${jsonList(barFields, inPlanOrder.join(', '))}
       FROM bars b JOIN ${reading.table(production, 'plan')} n
         ON n.company_id = b.company_id AND n.plan_id = b.plan_id) AS bars,
      (SELECT ${jsonList(cutFields, 'c.place')} FROM cuts c) AS cuts,
      ${certificatesOf(reading, company, '= ANY(ARRAY(SELECT b.mill_certification_id FROM bars b))')} AS certificates,
      ${ordersOf(reading, company, {
        orderIds: '= ANY(ARRAY(SELECT c.order_id FROM cuts c))',
        lineItemIds: 'IN (SELECT c.line_item_id FROM cuts c)',
      })} AS orders`
}

const barFields = {
  barId: 'b.bar_id',
  planId: 'b.plan_id',
  planName: 'n.name',
  ordinal: 'b.ordinal',
  status: 'b.status',
  grade: 'b.grade',
  profile: 'b.profile',
  millCertificationId: 'b.mill_certification_id',
  heatRead: 'b.heat_read',
  markTransferred: 'b.mark_transferred',
  stop: 'b.stop',
  overrides: 'b.overrides',
} satisfies Record<keyof TracedBar, string>

const cutFields = {
  cutId: 'c.cut_id',
  ordinal: 'c.ordinal + 1',
  barId: 'c.bar_id',
  orderId: 'c.order_id',
  lineItemId: 'c.line_item_id',
  lengthMm: 'c.length_mm',
  pieceMark: 'c.piece_mark',
} satisfies Record<keyof TracedCut, string>

/** SQL of the certificates whose ids meet a condition, as one value. */
function certificatesOf(reading: Reading, company: string, ids: string): string {
  return `(SELECT ${jsonList(namedCertificateFields, 'm.mill_certification_id')}
    FROM ${reading.table(certificates, 'certificate')} m ${ofCertificate(reading)}
    WHERE m.company_id = ${company} AND m.mill_certification_id ${ids})`
}

/** SQL of the orders whose ids meet a condition, each with its lines that meet theirs, as one value. */
function ordersOf(
  reading: Reading,
  company: string,
  { orderIds, lineItemIds }: { readonly orderIds: string; readonly lineItemIds: string },
): string {
  return `(SELECT ${jsonList({ ...orderFields, dueDate: 'o.due_date' }, 'o.order_id')}
    FROM ${reading.table(orders, 'order')} o ${joinTags(reading, 'order', 'o', 'order_id')}
    LEFT JOIN LATERAL (
      SELECT ${jsonList({ ...lineFields, description: 'l.description' }, 'l.line_number')} AS items
      FROM ${lineItemsOf(reading)}
      WHERE l.company_id = o.company_id AND l.order_id = o.order_id AND l.line_item_id ${lineItemIds}
    ) lines ON true
    WHERE o.company_id = ${company} AND o.order_id ${orderIds})`
}
