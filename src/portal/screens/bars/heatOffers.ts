import { isSameNumber } from '../../../domain/kernel/spellings.ts'
import type { ListedProductionPlanBar, ProductionPlanBar } from '../../api/generated.ts'
import { useList, useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import type { HeatValues } from './HeatText.tsx'

/** The certificates that may belong to a heat that was read off the steel. A person takes one of them. */

export type HeatOffer = NonNullable<NonNullable<ProductionPlanBar['heatRead']>['offered']>[number]

/** Read the certificates that a bar is offered for the heat that was read. */
export function useHeatOffers({
  barId,
  heatRead,
  certificate,
}: ListedProductionPlanBar): readonly HeatOffer[] {
  const params = { companyId: useCompanyId(), barId }
  const isOpen = heatRead !== null && !certificate
  const { data } = useRecord('getProductionPlanBar', { params }, { enabled: isOpen })
  return (isOpen && data?.data.heatRead?.offered) || []
}

/** Find certificates of heats that look like a typed one. There are none if a certificate has the very heat. */
export function useNearHeats(typed: string): readonly HeatValues[] {
  const params = { companyId: useCompanyId() }
  const heatLike = typed.trim()
  const { rows = [] } = useList(
    'listCertificates',
    { params, query: { heatLike } },
    { enabled: heatLike !== '', every: false },
  )
  const isKnown = rows.some(({ heatNumber }) => isSameNumber(heatNumber, heatLike))
  return heatLike === '' || isKnown ? [] : rows
}
