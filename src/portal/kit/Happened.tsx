import type { AuditEntry } from '../api/generated.ts'
import { happenedInGerman } from '../texts/happened.ts'
import { useTexts } from '../texts/texts.ts'

/** Says what happened, in the service's English sentence. In German its kind comes first. */
export function Happened({ kind, sentence }: Pick<AuditEntry, 'kind' | 'sentence'>) {
  const { language } = useTexts()
  const german = language === 'de' ? happenedInGerman[kind] : undefined
  if (german === undefined) return <span lang="en">{sentence}</span>
  return (
    <>
      {german}{' '}
      <span lang="en" className="muted small">
        {sentence}
      </span>
    </>
  )
}
