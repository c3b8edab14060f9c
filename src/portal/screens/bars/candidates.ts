import { type Item, useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'

/** The certificates that suit a bar. */

export type Candidate = Item<'listCandidates'>

/** Read the candidates once: the choice stays as it is while the person makes it. */
export function useCandidates(barId: string) {
  const params = { companyId: useCompanyId(), barId }
  return useList('listCandidates', { params }, { isWhole: true, every: false })
}
