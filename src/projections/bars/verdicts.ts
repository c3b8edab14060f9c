import { notJudgedRuleId } from '../../domain/rulePacks/notJudged.ts'
import type { ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import {
  type FoundVerdictFacts,
  type JudgedCertificate,
  type JudgedCut,
  type JudgedLine,
  type JudgedOrder,
  judgedFields,
  judgedLineFields,
  judgedOrderFields,
  type NamedCertificate,
  type OrderByItself,
  type VerdictFacts,
} from '../../domain/verdict/verdictFacts.ts'
import { certificateList, certificates } from '../certificates/certificates.ts'
import { releasePolicies } from '../company/releasePolicies.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import { attachedDocuments } from '../documents/documentQueries.ts'
import { documents } from '../documents/documents.ts'
import type { Projection } from '../engine/projection.ts'
import { fieldsOf, jsonList, jsonObject, type ListQuery, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { lineItemsOf, orderList } from '../orders/orderQueries.ts'
import { orders } from '../orders/orders.ts'
import { explanations } from '../rulePacks/explanations.ts'
import { pairRulesOf, rulePacks } from '../rulePacks/rulePacks.ts'
import { joinTags } from '../tags/tagAssignments.ts'
import { tags } from '../tags/tags.ts'
import { production } from './production.ts'
import { isPlanned } from './productionQueries.ts'
import type { ShownJudgement } from './productionTables.ts'
import { sameHeat } from './sameHeat.ts'
import { stockOf } from './stock.ts'

/** The facts that the verdict on a bar is judged from, as the read models have them. */

export const judgedFrom: readonly Projection[] = [
  production,
  deliveries,
  certificates,
  documents,
  orders,
  tags,
  explanations,
  releasePolicies,
  rulePacks,
]

/** A row of `findVerdictFacts`. */
export interface FoundFacts extends FoundVerdictFacts {
  readonly millCertificationId: string | null
  /** The certificate that is tried in place of the bar's own. */
  readonly tried: string | null
  /** The last judgement that an event has kept since the approval; null for a Draft or Cancelled bar. */
  readonly keptJudgement: ShownJudgement | null
}

/** The facts of one bar, with its own certificate or with the one that is tried. */
export function findVerdictFacts(
  reading: Reading,
  { companyId, barId, tried }: { companyId: string; barId: string; tried: string | null },
): ListQuery {
  return singleQuery({
    select: {
      grade: 'b.grade',
      profile: 'b.profile',
      heatRead: 'b.heat_read',
      millCertificationId: 'b.mill_certification_id',
      tried: '$3::uuid',
      keptJudgement: 'b.judgement',
      certificate: `CASE WHEN m.mill_certification_id IS NOT NULL THEN ${jsonObject(certificateFields)} END`,
      sameHeat: 'others.heat',
      acceptedCuts: 'own.cuts',
      orders: 'served.orders',
      policy: 'p.policy',
      pairRules: pairRulesOf(reading, '$1'),
      // An override ends with another certificate.
      overrides: `CASE WHEN $3::uuid IS NULL OR $3::uuid = b.mill_certification_id THEN b.overrides ELSE '[]' END`,
    } satisfies Record<keyof FoundFacts, string>,
    from: `${reading.table(production, 'bar')} b
      LEFT JOIN ${reading.table(certificates, 'certificate')} m
        ON m.company_id = b.company_id AND m.mill_certification_id = coalesce($3::uuid, b.mill_certification_id)
      ${ofCertificate(reading)}
      LEFT JOIN LATERAL (${selectAcceptedCuts(reading)}) own ON true
      LEFT JOIN LATERAL (${ordersOfAcceptedCuts(reading)}) served ON true
      LEFT JOIN ${reading.table(releasePolicies, 'releasePolicy')} p ON p.company_id = b.company_id`,
    where: `b.company_id = $1 AND b.bar_id = $2 AND ${isPlanned}`,
    values: [companyId, barId, tried],
  })
}

/** The facts of a certificate `m`, with its tags and the rows that `judgedBeside` joins. */
const certificateFields = {
  millCertificationId: 'm.mill_certification_id',
  ...fieldsOf(judgedFields, 'm'),
  heatNumber: 'm.heat_number',
  status: 'm.status',
  tags: 'shown.tags',
  notJudged: 'unsure.packs',
  documents: 'original.documents',
  stock: 'left_over.stock',
} satisfies Record<keyof JudgedCertificate, string>

export const namedCertificateFields = {
  ...certificateFields,
  certificateNumber: 'm.certificate_number',
  manufacturer: 'm.manufacturer',
  sameHeat: 'others.heat',
} satisfies Record<keyof NamedCertificate, string>

/** SQL that joins to a certificate `m` its tags, and every other fact that it is judged from. */
export function ofCertificate(reading: Reading): string {
  return `${joinTags(reading, 'millCert', 'm', 'mill_certification_id')} ${selectJudgedBeside(reading, 'm')}`
}

/**
 * SQL that joins the packs that could not judge a certificate (`unsure.packs`), its heat (`others.heat`), its documents
 * (`original.documents`) and its stock (`left_over.stock`).
 */
function selectJudgedBeside(reading: Reading, row: string): string {
  return `LEFT JOIN LATERAL (${packsThatCouldNotJudge(reading, row)}) unsure ON true
    LEFT JOIN LATERAL (${sameHeat(reading, row)}) others ON true
    LEFT JOIN LATERAL (${attachedDocuments(reading, row)}) original ON true
    LEFT JOIN LATERAL (${stockOf(reading, row)}) left_over ON true`
}

/** The facts that a certificate or an order is judged from beside its own values. */
interface FactsBeside {
  /** null when the company has set none. */
  readonly policy: ReleasePolicy | null
}

/** A row of `findCertificate`. */
export interface FoundCertificate extends FactsBeside, JudgedCertificate, Pick<VerdictFacts, 'sameHeat'> {}

/** The read models that the findings of a certificate come from. */
export const certificateJudgedFrom: readonly Projection[] = [
  certificates,
  deliveries,
  production,
  documents,
  tags,
  explanations,
  releasePolicies,
]

/** Find one certificate with every fact that it is judged from, and with its `revision`. */
export function findCertificate(reading: Reading, companyId: string, millCertificationId: string): ListQuery {
  return singleQuery({
    select: {
      ...certificateList.select,
      documents: 'original.documents',
      notJudged: 'unsure.packs',
      stock: 'left_over.stock',
      sameHeat: 'others.heat',
      policy: 'p.policy',
    },
    from: `${certificateList.table(reading)} c ${certificateList.details(reading)} ${selectJudgedBeside(reading, 'c')}
      LEFT JOIN ${reading.table(releasePolicies, 'releasePolicy')} p ON p.company_id = c.company_id`,
    where: 'c.company_id = $1 AND c.mill_certification_id = $2',
    values: [companyId, millCertificationId],
  })
}

/** A row of `findOrder`. */
export type FoundOrder = FactsBeside & OrderByItself

/** The read models that the findings of an order come from. */
export const orderJudgedFrom: readonly Projection[] = [orders, tags, production, releasePolicies]

/** Find one order with the policy that it is judged by, and with its `revision`. */
export function findOrder(reading: Reading, companyId: string, orderId: string): ListQuery {
  return singleQuery({
    select: { ...orderList.select, policy: 'p.policy', revision: 'o.revision' },
    from: `${orderList.table(reading)} o ${orderList.details(reading)}
      LEFT JOIN ${reading.table(releasePolicies, 'releasePolicy')} p ON p.company_id = o.company_id`,
    where: 'o.company_id = $1 AND o.order_id = $2',
    values: [companyId, orderId],
  })
}

/** The facts of a line item `l` from the rows that `lineItemsOf` joins. */
export const lineFields = {
  lineItemId: 'l.line_item_id',
  ...fieldsOf(judgedLineFields, 'l'),
  acceptedCuts: 'coalesce(s.accepted, 0)',
} satisfies Record<keyof JudgedLine, string>

/** The facts of an order `o`, with its tags and its lines. */
export const orderFields = {
  orderId: 'o.order_id',
  orderNumber: 'o.order_number',
  ...fieldsOf(judgedOrderFields, 'o'),
  tags: 'shown.tags',
  lineItems: 'lines.items',
} satisfies Record<keyof JudgedOrder, string>

/** The Accepted cuts `c` of the bar `b`. */
function fromAcceptedCuts(reading: Reading): string {
  return `FROM ${reading.table(production, 'cut')} c
    WHERE c.company_id = b.company_id AND c.bar_id = b.bar_id AND c.status = 'Accepted'`
}

function selectAcceptedCuts(reading: Reading): string {
  const cut = {
    cutId: 'c.cut_id',
    orderId: 'c.order_id',
    lineItemId: 'c.line_item_id',
    lengthMm: 'c.length_mm',
  } satisfies Record<keyof JudgedCut, string>
  return `SELECT ${jsonList(cut, 'c.ordinal')} AS cuts ${fromAcceptedCuts(reading)}`
}

function ordersOfAcceptedCuts(reading: Reading): string {
  return `SELECT ${jsonList(orderFields, 'o.order_id')} AS orders
    FROM ${reading.table(orders, 'order')} o
    ${joinTags(reading, 'order', 'o', 'order_id')}
    LEFT JOIN LATERAL (
      SELECT ${jsonList(lineFields, 'l.line_number')} AS items
      FROM ${lineItemsOf(reading)}
      WHERE l.company_id = o.company_id AND l.order_id = o.order_id
        AND l.line_item_id IN (SELECT c.line_item_id ${fromAcceptedCuts(reading)})
    ) lines ON true
    WHERE o.company_id = b.company_id AND o.order_id IN (SELECT c.order_id ${fromAcceptedCuts(reading)})`
}

/** The rule packs that could not judge the certificate for want of values. */
function packsThatCouldNotJudge(reading: Reading, row: string): string {
  return `SELECT ${jsonList({ rulePackId: 'p.pack', rules: 'p.rules', missing: 'p.missing' }, 'p.pack')} AS packs
    FROM (
      SELECT f.rule_pack_id AS pack,
             json_agg(f.rule_id ORDER BY f.rule_id COLLATE "C") FILTER (WHERE f.rule_id <> '${notJudgedRuleId}') AS rules,
             coalesce((array_agg(f.values -> 'missing') FILTER (WHERE f.rule_id = '${notJudgedRuleId}'))[1], '[]') AS missing
      FROM ${reading.table(explanations, 'finding')} f
      WHERE f.company_id = ${row}.company_id AND f.family = 'millCert' AND f.subject_id = ${row}.mill_certification_id
        AND (f.result = 'not-evaluated' OR f.rule_id = '${notJudgedRuleId}')
      GROUP BY f.rule_pack_id
    ) p`
}
