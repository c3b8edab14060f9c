import type { Item } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'

type Candidate = Item<'listCandidates'>

/** The values by which a person knows the steel of a heat. */
export type HeatValues = Pick<
  Candidate,
  'heatNumber' | 'manufacturer' | 'profile' | 'thicknessMm' | 'grade'
> &
  Partial<Pick<Candidate, 'certificateNumber'>>

interface HeatTextProps {
  readonly of: HeatValues
  /** The heat is only like the one that was asked for. */
  readonly isLike?: boolean
}

/** "Heat C 90771 · maker · profile · thickness · grade · certificate". */
export function HeatText({ of, isLike = false }: HeatTextProps) {
  const { t, number } = useTexts()
  const { heatNumber, manufacturer, profile, thicknessMm, grade, certificateNumber } = of
  const thickness = thicknessMm === null ? null : `${number(thicknessMm)} mm`
  return (
    <>
      <strong>{isLike ? t('recordedAs', { heat: heatNumber }) : `${t('heat')} ${heatNumber}`}</strong>{' '}
      <span className="muted">
        {[manufacturer, profile, thickness, grade, certificateNumber].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}
