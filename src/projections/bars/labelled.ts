import type { Steel } from '../../domain/bars/heatOfSteel.ts'
import { certificates } from '../certificates/certificates.ts'
import type { Projection } from '../engine/projection.ts'
import {
  columnsOf,
  jsonList,
  jsonObject,
  type ListQuery,
  listQuery,
  singleQuery,
} from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'
import { orders } from '../orders/orders.ts'
import { production } from './production.ts'
import { inPlanOrder, isLive, isPlanned } from './productionQueries.ts'

/** The rows for the labels of bars, their pieces, and heats are queried here. */

export const labelledFrom: readonly Projection[] = [production, certificates, orders]

interface LabelledPiece {
  readonly ordinal: number
  readonly pieceMark: string | null
  readonly lengthMm: number
  readonly orderNumber: string | null
}

export interface LabelledBar extends Steel {
  readonly barId: string
  readonly planName: string
  readonly ordinal: number
  readonly grade: string
  readonly profile: string | null
  readonly stockLengthMm: number
  /** Its Accepted cuts. */
  readonly pieces: readonly LabelledPiece[]
}

export interface LabelledHeat {
  readonly heatNumber: string
  readonly certificateNumber: string
  readonly grade: string
  readonly manufacturer: string | null
  readonly profile: string | null
}

/** The bars of a plan, or one bar, unless they are Cancelled. */
export function listLabelledBars(
  reading: Reading,
  { companyId, ...by }: { companyId: string; planId: string } | { companyId: string; barId: string },
): ListQuery {
  const [column, value] = 'planId' in by ? ['b.plan_id', by.planId] : ['b.bar_id', by.barId]
  const piece = {
    ordinal: 'c.ordinal',
    pieceMark: 'c.piece_mark',
    lengthMm: 'c.length_mm',
    orderNumber: 'o.order_number',
  } satisfies Record<keyof LabelledPiece, string>
  const select = {
    barId: 'b.bar_id',
    planName: 'p.name',
    ordinal: 'b.ordinal',
    grade: 'b.grade',
    profile: 'b.profile',
    stockLengthMm: 'b.stock_length_mm',
    heatRead: 'b.heat_read',
    certificate: `CASE WHEN m.heat_number IS NOT NULL THEN ${jsonObject({ heatNumber: 'm.heat_number' })} END`,
    pieces: 'own.pieces',
  } satisfies Record<keyof LabelledBar, string>
  const tableOf = (name: 'plan' | 'bar' | 'cut') => reading.table(production, name)
  return listQuery({
    select,
    from: `${tableOf('bar')} b
      JOIN ${tableOf('plan')} p ON p.company_id = b.company_id AND p.plan_id = b.plan_id
      LEFT JOIN ${reading.table(certificates, 'certificate')} m
        ON m.company_id = b.company_id AND m.mill_certification_id = b.mill_certification_id
      LEFT JOIN LATERAL (
        SELECT ${jsonList(piece, 'c.ordinal')} AS pieces FROM ${tableOf('cut')} c
        LEFT JOIN ${reading.table(orders, 'order')} o
          ON o.company_id = c.company_id AND o.order_id = c.order_id
        WHERE c.company_id = b.company_id AND c.bar_id = b.bar_id AND c.status = 'Accepted') own ON true`,
    where: `b.company_id = $1 AND ${column} = $2 AND ${isPlanned} AND ${isLive}`,
    values: [companyId, value],
    order: inPlanOrder,
  })
}

export function findLabelledHeat(
  reading: Reading,
  { companyId, millCertificationId }: { readonly companyId: string; readonly millCertificationId: string },
): ListQuery {
  const select = columnsOf(certificates.tables.certificate, 'm')
  const { heatNumber, certificateNumber, grade, manufacturer, profile } = select
  return singleQuery({
    select: { heatNumber, certificateNumber, grade, manufacturer, profile },
    from: `${reading.table(certificates, 'certificate')} m`,
    where: 'm.company_id = $1 AND m.mill_certification_id = $2',
    values: [companyId, millCertificationId],
  })
}
