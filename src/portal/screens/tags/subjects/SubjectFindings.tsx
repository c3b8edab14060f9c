import { useState } from 'react'
import type { Finding } from '../../../api/generated.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Findings } from '../../bars/Findings.tsx'

/** Show, one click away, the findings on a certificate or an order itself. */
export function SubjectFindings({ findings }: { readonly findings: readonly Finding[] }) {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  if (findings.length === 0) return null
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t('findings', { n: findings.length })}</summary>
      <Findings findings={findings} hasEvidence={isOpen} />
    </details>
  )
}
