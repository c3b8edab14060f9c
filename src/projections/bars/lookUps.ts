import type { Stock } from '../../domain/verdict/stock.ts'
import { aloneInHeat, type SameHeat } from '../../domain/verdict/verdictFacts.ts'
import { certificates } from '../certificates/certificates.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import { singleQuery } from '../engine/reading/listQuery.ts'
import type { Reader } from '../engine/reading/reader.ts'
import { toDecide } from '../engine/reading/toDecide.ts'
import { type LineItemProgress, listLineItemProgress } from '../orders/orderQueries.ts'
import { orders } from '../orders/orders.ts'
import { tags } from '../tags/tags.ts'
import { production } from './production.ts'
import { sameHeat } from './sameHeat.ts'
import { stockOf } from './stock.ts'

/** Facts that a decision on a bar needs and no stream lists. The read models may be behind by moments. */

interface AddressOfCertificate {
  readonly companyId: string
  readonly millCertificationId: string
}

export function lookUpsIn(reader: Pick<Reader, 'read'>) {
  return {
    sameHeat: (certificate: AddressOfCertificate) => findSameHeat(reader, certificate),
    stock: (certificate: AddressOfCertificate) => findStock(reader, certificate),
    acceptedCuts: (order: AddressOfOrder) => countAcceptedCuts(reader, order),
  }
}

/**
 * Find the objections to a certificate in the other certificates of its heat and manufacturer.
 * @throws PostgresUnavailable
 */
async function findSameHeat(
  reader: Pick<Reader, 'read'>,
  { companyId, millCertificationId }: AddressOfCertificate,
): Promise<SameHeat> {
  const { value } = await toDecide(reader, companyId).read([certificates, tags], (reading) =>
    reading.query<{ heat: SameHeat }>(
      singleQuery({
        select: { heat: 'others.heat' },
        from: `${reading.table(certificates, 'certificate')} m
          LEFT JOIN LATERAL (${sameHeat(reading, 'm')}) others ON true`,
        where: 'm.company_id = $1 AND m.mill_certification_id = $2',
        values: [companyId, millCertificationId],
      }),
    ),
  )
  return value[0]?.heat ?? aloneInHeat
}

/** What is left of the steel of a certificate. @throws PostgresUnavailable */
async function findStock(
  reader: Pick<Reader, 'read'>,
  { companyId, millCertificationId }: AddressOfCertificate,
): Promise<Stock | null> {
  const reads = [certificates, production, deliveries]
  const { value } = await toDecide(reader, companyId).read(reads, (reading) =>
    reading.query<{ stock: Stock }>(
      singleQuery({
        select: { stock: 'left_over.stock' },
        from: `${reading.table(certificates, 'certificate')} m
          LEFT JOIN LATERAL (${stockOf(reading, 'm')}) left_over ON true`,
        where: 'm.company_id = $1 AND m.mill_certification_id = $2',
        values: [companyId, millCertificationId],
      }),
    ),
  )
  return value[0]?.stock ?? null
}

interface AddressOfOrder {
  readonly companyId: string
  readonly orderId: string
}

/** The number of Accepted cuts for each line item of an order. @throws PostgresUnavailable */
async function countAcceptedCuts(
  reader: Pick<Reader, 'read'>,
  { companyId, orderId }: AddressOfOrder,
): Promise<ReadonlyMap<string, number>> {
  const { value } = await toDecide(reader, companyId).read([orders], (reading) =>
    reading.query<LineItemProgress>(listLineItemProgress(reading, companyId, orderId)),
  )
  return new Map(value.map(({ lineItemId, acceptedCuts }) => [lineItemId, acceptedCuts]))
}
