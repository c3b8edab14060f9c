import type { Stock } from '../../domain/verdict/stock.ts'
import { aloneInHeat, type SameHeat } from '../../domain/verdict/verdictFacts.ts'
import { certificates } from '../certificates/certificates.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import type { Projection } from '../engine/projection.ts'
import { singleQuery } from '../engine/reading/listQuery.ts'
import type { Reader, Reading } from '../engine/reading/reader.ts'
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

/** Find the objections to a certificate in the other certificates of its heat and manufacturer. */
async function findSameHeat(
  reader: Pick<Reader, 'read'>,
  certificate: AddressOfCertificate,
): Promise<SameHeat> {
  const others = await findOf<SameHeat>(reader, certificate, {
    reads: [certificates, tags],
    select: 'others.heat',
    beside: (reading) => `(${sameHeat(reading, 'm')}) others`,
  })
  return others ?? aloneInHeat
}

/** Find the steel that is left of a certificate. */
function findStock(reader: Pick<Reader, 'read'>, certificate: AddressOfCertificate): Promise<Stock | null> {
  return findOf<Stock>(reader, certificate, {
    reads: [certificates, production, deliveries],
    select: 'left_over.stock',
    beside: (reading) => `(${stockOf(reading, 'm')}) left_over`,
  })
}

/** Find a fact about a certificate `m` in rows that are joined to it. @throws PostgresUnavailable */
async function findOf<Fact>(
  reader: Pick<Reader, 'read'>,
  { companyId, millCertificationId }: AddressOfCertificate,
  fact: {
    readonly reads: readonly Projection[]
    readonly select: string
    /** SQL of the rows, with their alias. */
    readonly beside: (reading: Reading) => string
  },
): Promise<Fact | null> {
  const { value } = await toDecide(reader, companyId).read(fact.reads, (reading) =>
    reading.query<{ fact: Fact | null }>(
      singleQuery({
        select: { fact: fact.select },
        from: `${reading.table(certificates, 'certificate')} m LEFT JOIN LATERAL ${fact.beside(reading)} ON true`,
        where: 'm.company_id = $1 AND m.mill_certification_id = $2',
        values: [companyId, millCertificationId],
      }),
    ),
  )
  return value[0]?.fact ?? null
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
