import type { CompanyRun } from '../api/generated.ts'
import { useTexts } from '../texts/texts.ts'

export const isUnderWay = ({ status }: CompanyRun) => status === 'waiting' || status === 'running'

/** How far a run of the company is, or why it has failed. A run that has succeeded shows nothing. */
export function RunProgress({ run: { status, progress, error } }: { readonly run: CompanyRun }) {
  const { t, number, problemTitle, problemText } = useTexts()
  if (error) {
    const title = problemTitle({ ...error, title: t('runFailed') })
    return (
      <div className="formError" role="alert">
        <strong>{title}</strong>
        <span>{problemText(error)}</span>
      </div>
    )
  }
  if (status === 'succeeded') return null
  const text =
    status === 'waiting' ? t('runWaiting') : t('runPercent', { n: number(Math.round(progress * 100)) })
  return (
    <p className="noWrap" role="status">
      <progress value={progress} max={1} aria-label={text} /> {text}
    </p>
  )
}
