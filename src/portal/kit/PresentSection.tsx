import type { ReactNode } from 'react'
import { useAsOf } from '../api/asOf.ts'
import { useTexts } from '../texts/texts.ts'
import { Section } from './Page.tsx'

interface PresentSectionProps {
  readonly title: string
  readonly children: ReactNode
}

/** A part of a screen that shows the present alone. In the past it says so, under the same title. */
export function PresentSection({ title, children }: PresentSectionProps) {
  const { t } = useTexts()
  if (useAsOf() === undefined) return children
  return (
    <Section title={title}>
      <p className="muted">{t('presentOnlySection')}</p>
    </Section>
  )
}
