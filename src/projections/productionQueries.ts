import type { BarStatus } from '../domain/productionPlanBar.ts'
import { production } from './production.ts'
import {
  columnsOf,
  jsonList,
  type ListQuery,
  listQuery,
  type Page,
  singleQuery,
} from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'

/** Queries of the production read model. A bar that no plan names is not shown. */

const planFields = columnsOf(production.tables.plan, 'p', ['revision'])

const barFields = {
  ...columnsOf(production.tables.bar, 'b', ['planCreatedAt', 'revision']),
  cuts: 'own.cuts',
}

const cutFields = columnsOf(production.tables.cut, 'c', ['companyId', 'barId', 'ordinal'])

/** Somebody can see the bar `b`: its plan names it. */
export const isPlanned = 'b.ordinal IS NOT NULL'

/** Bars in the order of their plans, and within a plan as they were planned. */
export const inPlanOrder = ['b.plan_created_at', 'b.plan_id', 'b.ordinal'] as const

function fromPlans(reading: Reading): string {
  return `${reading.table(production, 'plan')} p`
}

/** Bars, each with its cuts, whether somebody can see them or not. */
function fromBars(reading: Reading): string {
  return `${reading.table(production, 'bar')} b
   LEFT JOIN LATERAL (
     SELECT ${jsonList(cutFields, 'c.ordinal')} AS cuts
     FROM ${reading.table(production, 'cut')} c
     WHERE c.company_id = b.company_id AND c.bar_id = b.bar_id
   ) own ON true`
}

/** All production plans of a company. */
export function listPlans(reading: Reading, companyId: string, page?: Page): ListQuery {
  return listQuery(
    {
      select: planFields,
      from: fromPlans(reading),
      where: 'p.company_id = $1',
      values: [companyId],
      order: ['p.created_at', 'p.plan_id'],
    },
    page,
  )
}

/** One plan with its bars, and with its `revision`. */
export function findPlan(reading: Reading, companyId: string, planId: string): ListQuery {
  return singleQuery({
    select: { ...planFields, bars: 'planned.bars', revision: 'p.revision' },
    from: `${fromPlans(reading)}
      LEFT JOIN LATERAL (
        SELECT ${jsonList(barFields, 'b.ordinal')} AS bars
        FROM ${fromBars(reading)}
        WHERE b.company_id = p.company_id AND b.plan_id = p.plan_id AND ${isPlanned}
      ) planned ON true`,
    where: 'p.company_id = $1 AND p.plan_id = $2',
    values: [companyId, planId],
  })
}

export interface WhichBars {
  readonly companyId: string
  readonly planId?: string | undefined
  readonly status?: BarStatus | undefined
}

/** The bars of a company: of one plan, or in one state, if told. */
export function listBars(reading: Reading, { companyId, planId, status }: WhichBars, page?: Page): ListQuery {
  const wanted = [
    { column: 'b.company_id', value: companyId },
    { column: 'b.plan_id', value: planId },
    { column: 'b.status', value: status },
  ].filter(({ value }) => value !== undefined)
  return listQuery(
    {
      select: barFields,
      from: fromBars(reading),
      where: [isPlanned, ...wanted.map(({ column }, n) => `${column} = $${n + 1}`)].join(' AND '),
      values: wanted.map(({ value }) => value),
      order: inPlanOrder,
    },
    page,
  )
}

/** One bar, with its `revision`. */
export function findBar(reading: Reading, companyId: string, barId: string): ListQuery {
  return singleQuery({
    select: { ...barFields, revision: 'b.revision' },
    from: fromBars(reading),
    where: `b.company_id = $1 AND b.bar_id = $2 AND ${isPlanned}`,
    values: [companyId, barId],
  })
}

/** How far the line items of one order are: those that are not Open. */
export function listLineItemStatuses(reading: Reading, companyId: string, orderId: string): ListQuery {
  return {
    text: `SELECT line_item_id AS "lineItemId", status FROM ${reading.table(production, 'lineItemProgress')}
         WHERE company_id = $1 AND order_id = $2`,
    values: [companyId, orderId],
  }
}
