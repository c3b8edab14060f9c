import { type Item, useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useTexts } from '../../texts/texts.ts'

/** The certificates that suit a bar. */

export type Candidate = Item<'listCandidates'>

/** Read the candidates once: the choice stays as it is while the person makes it. */
export function useCandidates(barId: string) {
  const params = { companyId: useCompanyId(), barId }
  return useList('listCandidates', { params }, { isWhole: true, every: false })
}

type CandidateTextProps = Pick<Candidate, 'certificateNumber' | 'heatNumber' | 'grade' | 'profile'>

export function CandidateText({ certificateNumber, heatNumber, grade, profile }: CandidateTextProps) {
  const { t } = useTexts()
  return (
    <>
      <strong>
        {t('heat')} {heatNumber}
      </strong>{' '}
      <span className="muted">{[certificateNumber, grade, profile].filter(Boolean).join(' · ')}</span>
    </>
  )
}
