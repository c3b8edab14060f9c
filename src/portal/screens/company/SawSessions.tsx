import { useTexts } from '../../texts/texts.ts'
import { CompanySetting } from './CompanySetting.tsx'

/** How long a session of a person who only saws may go without use. */
export function SawSessions() {
  const { t, number } = useTexts()
  const textOf = (n: number | null) =>
    n! % 60 === 0 ? t('hours', { n: number(n! / 60) }) : t('minutes', { n: number(n!) })
  return (
    <CompanySetting
      name="cutterIdleMinutes"
      title={t('sawSessions')}
      text={t('sawSessionsText')}
      label={t('cutterIdle')}
      offered={[30, 60, 120, 240, 480, 600, 720]}
      textOf={textOf}
    />
  )
}
