import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { useTexts } from '../../texts/texts.ts'

interface HeatChoiceProps {
  readonly barId: string
  readonly onChoose: (chosen: { readonly millCertificationId: string; readonly heatNumber: string }) => void
  readonly onClose: () => void
}

/** The heats that suit the bar, for a person whose scanner does not read this steel. */
export function HeatChoice({ barId, onChoose, onClose }: HeatChoiceProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), barId }
  const { rows, error } = useList('listCandidates', { params }, { isWhole: true, every: false })
  return (
    <>
      <h2>{t('heatChoice')}</h2>
      {!rows && (error ? <Failure error={error} /> : <Loading lines={3} />)}
      {rows?.length === 0 && <p className="muted">{t('noCandidates')}</p>}
      <ul className="sawChoice">
        {rows?.map(({ millCertificationId, heatNumber, certificateNumber, grade, profile }) => (
          <li key={millCertificationId}>
            <Button onPress={() => onChoose({ millCertificationId, heatNumber })}>
              <strong>
                {t('heat')} {heatNumber}
              </strong>
              <span className="muted">{[certificateNumber, grade, profile].filter(Boolean).join(' · ')}</span>
            </Button>
          </li>
        ))}
      </ul>
      <div className="sawActions">
        <Button onPress={onClose}>{t('cancel')}</Button>
      </div>
    </>
  )
}
