import { useTexts } from '../../texts/texts.ts'
import { CompanySetting } from './CompanySetting.tsx'

/** How long a new API key of a member may live. */
export function KeyLife() {
  const { t, number } = useTexts()
  return (
    <CompanySetting
      name="longestKeyDays"
      title={t('keyLife')}
      text={t('keyLifeText')}
      label={t('longestKeyDays')}
      offered={[null, 30, 90, 180, 365, 730]}
      textOf={(days) => (days === null ? t('noLimit') : t('days', { n: number(days) }))}
    />
  )
}
