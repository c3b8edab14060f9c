import { noneBlocked, type VerdictFacts } from '../../domain/verdict/verdictFacts.ts'
import { certificates } from '../certificates/certificates.ts'
import { singleQuery } from '../engine/reading/listQuery.ts'
import type { Reader } from '../engine/reading/reader.ts'
import { toDecide } from '../engine/reading/toDecide.ts'
import { type LineItemProgress, listLineItemProgress } from '../orders/orderQueries.ts'
import { orders } from '../orders/orders.ts'
import { tags } from '../tags/tags.ts'
import { blockedOfSameHeat } from './sameHeat.ts'

/** Facts that a decision on a bar needs and no stream lists. The read models may be behind by moments. */

interface AddressOfCertificate {
  readonly companyId: string
  readonly millCertificationId: string
}

export function lookUpsIn(reader: Pick<Reader, 'read'>) {
  return {
    blockedOfSameHeat: (certificate: AddressOfCertificate) => findBlockedOfSameHeat(reader, certificate),
    acceptedCuts: (order: AddressOfOrder) => countAcceptedCuts(reader, order),
  }
}

/** The other certificates of the heat and manufacturer that are Rejected or have a Block. @throws PostgresUnavailable */
async function findBlockedOfSameHeat(
  reader: Pick<Reader, 'read'>,
  { companyId, millCertificationId }: AddressOfCertificate,
): Promise<VerdictFacts['blockedOfSameHeat']> {
  const { value } = await toDecide(reader, companyId).read([certificates, tags], (reading) =>
    reading.query<{ blocked: VerdictFacts['blockedOfSameHeat'] }>(
      singleQuery({
        select: { blocked: 'others.blocked' },
        from: `${reading.table(certificates, 'certificate')} m
          LEFT JOIN LATERAL (${blockedOfSameHeat(reading, 'm')}) others ON true`,
        where: 'm.company_id = $1 AND m.mill_certification_id = $2',
        values: [companyId, millCertificationId],
      }),
    ),
  )
  return value[0]?.blocked ?? noneBlocked
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
