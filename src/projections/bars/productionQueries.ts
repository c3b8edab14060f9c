import type { BarToMove } from '../../domain/bars/barCertificate.ts'
import type { BarStatus } from '../../domain/bars/barEvents.ts'
import type { PieceCounts } from '../../domain/orders/orderTrace.ts'
import type { FilterableList } from '../engine/reading/filteredList.ts'
import { type Filter, onColumn, sinceUpdate } from '../engine/reading/filters.ts'
import {
  columnsOf,
  jsonList,
  type ListQuery,
  listQuery,
  type Page,
  singleQuery,
} from '../engine/reading/listQuery.ts'
import type { Reader, Reading } from '../engine/reading/reader.ts'
import { toDecide } from '../engine/reading/toDecide.ts'
import { snakeCase } from '../engine/schema/sql.ts'
import { orders } from '../orders/orders.ts'
import { barSearch, heatOfBar } from './barSearch.ts'
import { heatFields, joinHeat } from './heatRead.ts'
import { production } from './production.ts'
import { barColumnFilters, barOrder } from './productionTables.ts'

/** Queries of the production read model. A bar that no plan names is not shown. */

/** SQL: the piece `c` on the bar `b` was cut in spite of a Block that nobody has overridden since. */
export const isHeld = `(b.is_stopped AND c.status = 'Accepted')`

const planFields = columnsOf(production.tables.plan, 'p', ['revision'])

const barFields = {
  ...columnsOf(production.tables.bar, 'b', [
    'planCreatedAt',
    'heatKey',
    'heatNearKey',
    'judgement',
    'isStopped',
    'overrides',
    'words',
  ]),
  stop: 'CASE WHEN own.held THEN b.stop END',
  cuts: 'own.cuts',
}

const cutFields = {
  ...columnsOf(production.tables.cut, 'c', ['companyId', 'barId', 'ordinal', 'dispatchId', 'pieceMarkKey']),
  held: isHeld,
}

/** Somebody can see the bar `b`: its plan names it. */
export const isPlanned = 'b.ordinal IS NOT NULL'

/** The cuts of the bar `b` count: it is not Cancelled. */
export const isLive = `b.status <> 'Cancelled'`

/** SQL that is true if the cut `c` is a piece. A proposed cut is none; a dispatched piece stays one. */
export const isPiece = `(c.status IN ('Accepted', 'Scrapped') OR c.dispatch_id IS NOT NULL)`

export const pieceStates = [
  'planned',
  'cut',
  'scrapped',
  'dispatched',
] as const satisfies readonly (keyof PieceCounts)[]

/** SQL of the state of the piece `c` on the bar `b`. */
export const pieceState = `CASE WHEN c.dispatch_id IS NOT NULL THEN 'dispatched'
  WHEN c.status = 'Scrapped' THEN 'scrapped' WHEN b.status = 'Completed' THEN 'cut' ELSE 'planned' END`

/** `barOrder` as SQL. */
export const inPlanOrder = barOrder.map((column) => `b.${snakeCase(column)}`)

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

/** The bars of a company. */
export const barList: FilterableList = {
  filters: {
    ...barColumnFilters,
    // The primary key leads to the bar, so this filter needs no index of its own.
    barId: onColumn('barId', { kind: 'id' }, 'The bar.'),
    orderId: {
      parameter: { kind: 'id' },
      description: 'An order that a cut of the bar is for, whatever the status of the cut.',
      matches: ({ reading, row, bind }, orderId) => `${row}.bar_id IN (
        SELECT s.bar_id FROM ${reading.table(production, 'cut')} s
        WHERE s.company_id = $1 AND s.order_id = ${bind(orderId)})`,
    } satisfies Filter<string>,
    dueBy: {
      parameter: { kind: 'date' },
      description:
        'Bars with a cut for an order that is due on this day or before. A Rejected cut does not count.',
      reads: [orders],
      matches: ({ reading, row, bind }, day) => `${row}.bar_id IN (
        SELECT s.bar_id FROM ${reading.table(orders, 'order')} o
        JOIN ${reading.table(production, 'cut')} s ON s.company_id = o.company_id AND s.order_id = o.order_id
        WHERE o.company_id = $1 AND o.due_date <= ${bind(day)}::date AND s.status <> 'Rejected')`,
    } satisfies Filter<string>,
    heatNumber: heatOfBar,
    withdrawn: {
      parameter: { kind: 'boolean' },
      description: 'Whether the approval of the bar was withdrawn, and nobody has approved it since.',
      matches: ({ row }, withdrawn) => `${row}.withdrawal IS ${withdrawn ? 'NOT ' : ''}NULL`,
    } satisfies Filter<boolean>,
    held: {
      parameter: { kind: 'boolean' },
      description: 'Whether the bar was completed in spite of a Block, and one of its pieces is held.',
      matches: ({ reading, row }, held) =>
        `${held ? '' : 'NOT '}(${row}.is_stopped AND EXISTS (
        SELECT FROM ${reading.table(production, 'cut')} s
        WHERE s.company_id = ${row}.company_id AND s.bar_id = ${row}.bar_id AND s.status = 'Accepted'))`,
    } satisfies Filter<boolean>,
    q: barSearch,
    updatedSince: sinceUpdate('Bars that have changed since then, or whose cuts have changed.'),
  },
  table: (reading) => reading.table(production, 'bar'),
  row: 'b',
  order: barOrder,
  visible: isPlanned,
  select: barFields,
  details: cutsOfBar,
}

/** One bar with the certificates of the heat that was read, and with its `revision`. */
export function findBar(reading: Reading, companyId: string, barId: string): ListQuery {
  return singleQuery({
    select: { ...barFields, ...heatFields },
    from: `${fromBars(reading)} ${joinHeat(reading, { exact: 'b.heat_key', near: 'b.heat_near_key' })}`,
    where: `b.company_id = $1 AND b.bar_id = $2 AND ${isPlanned}`,
    values: [companyId, barId],
  })
}

/** One cut of a bar, with its `revision`. */
export function findCut(
  reading: Reading,
  { companyId, barId, cutId }: { companyId: string; barId: string; cutId: string },
): ListQuery {
  return singleQuery({
    select: cutFields,
    from: `${reading.table(production, 'cut')} c
      JOIN ${reading.table(production, 'bar')} b ON b.company_id = c.company_id AND b.bar_id = c.bar_id`,
    where: `c.company_id = $1 AND c.bar_id = $2 AND c.cut_id = $3 AND ${isPlanned}`,
    values: [companyId, barId, cutId],
  })
}

/** Whether a bar that is to be cut, or was cut, has the certificate. @throws PostgresUnavailable */
export async function isUsedOnBar(
  reader: Pick<Reader, 'read'>,
  companyId: string,
  millCertificationId: string,
): Promise<boolean> {
  const { value } = await toDecide(reader, companyId).read([production], (reading) =>
    reading.query<{ used: boolean }>({
      text: `SELECT EXISTS (SELECT FROM ${barList.table(reading)} b
        WHERE b.company_id = $1 AND b.mill_certification_id = $2 AND ${isPlanned} AND ${isLive}) AS used`,
      values: [companyId, millCertificationId],
    }),
  )
  return value[0]!.used
}

/**
 * Find the bars of a certificate in these statuses, and all bars of its replacement, in the order of their plans.
 * @throws PostgresUnavailable
 */
export async function findBarsToMove(
  reader: Pick<Reader, 'read'>,
  { companyId, millCertificationId }: { companyId: string; millCertificationId: string },
  replacedBy: string,
  statuses: readonly BarStatus[],
): Promise<readonly BarToMove[]> {
  const { value } = await toDecide(reader, companyId).read([production], (reading) =>
    reading.query<BarToMove>({
      text: `SELECT b.bar_id AS "barId", b.mill_certification_id = $3 AS "hasReplacement"
        FROM ${barList.table(reading)} b
        WHERE b.company_id = $1 AND ${isPlanned}
          AND (b.mill_certification_id = $2 AND b.status = ANY($4::text[])
            OR b.mill_certification_id = $3)
        ORDER BY ${inPlanOrder.join(', ')}`,
      values: [companyId, millCertificationId, replacedBy, statuses],
    }),
  )
  return value
}

function fromPlans(reading: Reading): string {
  return `${reading.table(production, 'plan')} p`
}

/** Bars, each with its cuts, whether somebody can see them or not. */
function fromBars(reading: Reading): string {
  return `${barList.table(reading)} b ${cutsOfBar(reading)}`
}

function cutsOfBar(reading: Reading): string {
  return `LEFT JOIN LATERAL (
     SELECT ${jsonList(cutFields, 'c.ordinal')} AS cuts, bool_or(${isHeld}) AS held
     FROM ${reading.table(production, 'cut')} c
     WHERE c.company_id = b.company_id AND c.bar_id = b.bar_id
   ) own ON true`
}
