import { Button } from '../../kit/Button.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Candidate, useCandidates } from '../bars/candidates.ts'
import { HeatText } from '../bars/HeatText.tsx'

interface HeatChoiceProps {
  readonly barId: string
  readonly onChoose: (chosen: Pick<Candidate, 'millCertificationId' | 'heatNumber'>) => void
  readonly onClose: () => void
}

/** The heats that suit the bar, for a person whose scanner does not read this steel. */
export function HeatChoice({ barId, onChoose, onClose }: HeatChoiceProps) {
  const { t } = useTexts()
  const { rows, error } = useCandidates(barId)
  return (
    <>
      <h2>{t('heatChoice')}</h2>
      {!rows && (error ? <Failure error={error} /> : <Loading lines={3} />)}
      {rows?.length === 0 && <p className="muted">{t('noCandidates')}</p>}
      <ul className="sawChoice">
        {rows?.map((candidate) => (
          <li key={candidate.millCertificationId}>
            <Button onPress={() => onChoose(candidate)}>
              <HeatText of={candidate} />
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
