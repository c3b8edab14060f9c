import type { DispatchedCut } from '../../domain/orders/orderDispatches.ts'
import { production } from '../bars/production.ts'
import { isPlanned } from '../bars/productionQueries.ts'
import { columnsOf, type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reader, Reading } from '../engine/reading/reader.ts'
import { toDecide } from '../engine/reading/toDecide.ts'

/** The dispatches of an order. */

const dispatchFields = columnsOf(production.tables.dispatch, 'd', ['revision'])

interface OfOrder {
  readonly companyId: string
  readonly orderId: string
}

/** The dispatches of an order, oldest first. */
export function listDispatches(reading: Reading, { companyId, orderId }: OfOrder, page?: Page): ListQuery {
  return listQuery(
    {
      select: dispatchFields,
      from: `${reading.table(production, 'dispatch')} d`,
      where: 'd.company_id = $1 AND d.order_id = $2',
      values: [companyId, orderId],
      order: ['d.created_at', 'd.dispatch_id'],
    },
    page,
  )
}

/** One dispatch, with its `revision`. */
export function findDispatch(
  reading: Reading,
  { companyId, orderId, dispatchId }: OfOrder & { readonly dispatchId: string },
): ListQuery {
  return singleQuery({
    select: { ...dispatchFields, revision: 'd.revision' },
    from: `${reading.table(production, 'dispatch')} d`,
    where: 'd.company_id = $1 AND d.order_id = $2 AND d.dispatch_id = $3',
    values: [companyId, orderId, dispatchId],
  })
}

/** Find the bars that these cuts of the order are on. No stream lists them. @throws PostgresUnavailable */
export async function findCutsOfOrder(
  reader: Pick<Reader, 'read'>,
  { companyId, orderId }: OfOrder,
  cutIds: readonly string[],
): Promise<readonly DispatchedCut[]> {
  const { value } = await toDecide(reader, companyId).read([production], (reading) =>
    reading.query<DispatchedCut>({
      text: `SELECT c.bar_id AS "barId", c.cut_id AS "cutId"
        FROM ${reading.table(production, 'cut')} c
        JOIN ${reading.table(production, 'bar')} b ON b.company_id = c.company_id AND b.bar_id = c.bar_id
        WHERE c.company_id = $1 AND c.order_id = $2 AND c.cut_id = ANY($3::uuid[]) AND ${isPlanned}`,
      values: [companyId, orderId, cutIds],
    }),
  )
  return value
}
