import type { EntrySubject } from '../domain/audit/audited.ts'
import { production } from '../projections/bars/production.ts'
import { barList, listPlans } from '../projections/bars/productionQueries.ts'
import { certificateList, certificates } from '../projections/certificates/certificates.ts'
import { filterProfiles, listProfiles } from '../projections/company/filterProfiles.ts'
import { deliveries, listDeliveries } from '../projections/deliveries/deliveries.ts'
import type { Projection } from '../projections/engine/projection.ts'
import { filteredList } from '../projections/engine/reading/filteredList.ts'
import { type ListQuery, withIds } from '../projections/engine/reading/listQuery.ts'
import type { Reading } from '../projections/engine/reading/reader.ts'
import { orderList } from '../projections/orders/orderQueries.ts'
import { orders } from '../projections/orders/orders.ts'
import { listEveryTag, tags } from '../projections/tags/tags.ts'

/** The present content of the records that changes are about, as the lists answer it. */

interface Kind {
  /** The member that holds the record's id. */
  readonly id: string
  readonly list: (reading: Reading, companyId: string) => ListQuery | Promise<ListQuery>
  /** The path of one record within the company, before its id; undefined for a record that has no address of its own. */
  readonly path?: string
}

/** Records of other kinds are changed without content. */
const kinds: Partial<Record<EntrySubject, Kind>> = {
  certificate: {
    id: 'millCertificationId',
    list: (reading, companyId) => filteredList(certificateList, reading, { companyId, filterValues: {} }),
    path: 'millcert/certificates',
  },
  order: {
    id: 'orderId',
    list: (reading, companyId) => filteredList(orderList, reading, { companyId, filterValues: {} }),
    path: 'orders',
  },
  bar: {
    id: 'barId',
    list: (reading, companyId) => filteredList(barList, reading, { companyId, filterValues: {} }),
    path: 'production-plan-bars',
  },
  plan: { id: 'planId', list: listPlans, path: 'production-plans' },
  delivery: {
    id: 'deliveryId',
    list: (reading, companyId) => listDeliveries(reading, { companyId, filterValues: {} }),
    path: 'deliveries',
  },
  tag: { id: 'tagId', list: listEveryTag },
  filterProfile: { id: 'profileId', list: listProfiles },
}

export const recordReads: readonly Projection[] = [
  ...([certificates, orders, production, deliveries, tags, filterProfiles] as const),
]

/** A record as a list answers it, and the address at which it is read alone. */
export interface PresentRecord {
  readonly content: object
  readonly path: string | undefined
}

/** Return the records with these ids that are there now. */
export async function readRecords(
  reading: Reading,
  companyId: string,
  subjectType: EntrySubject,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PresentRecord>> {
  const kind = kinds[subjectType]
  if (!kind) return new Map()
  const query = withIds(await kind.list(reading, companyId), kind.id, ids)
  const rows = await reading.query<Record<string, unknown>>(query)
  return new Map(
    rows.map(({ sortKey: _, ...content }) => {
      const id = content[kind.id] as string
      return [id, { content, path: kind.path && `/api/company/${companyId}/${kind.path}/${id}` }]
    }),
  )
}
