import type { ReactNode } from 'react'
import type { ListedTag } from '../api/generated.ts'
import { useTexts } from '../texts/texts.ts'
import { textOn } from './colour.ts'

/** Small marks: a tag in its own colour, a severity, a state. Each says in words what its colour says. */

export function TagChip({ name, color }: { readonly name: string; readonly color: string }) {
  return (
    <span className="chip tag" style={{ background: color, color: textOn(color) }}>
      {name}
    </span>
  )
}

export function TagChips({
  tags,
}: {
  readonly tags: readonly {
    readonly tagId: string
    readonly name: string
    readonly color: string
    readonly severity?: Severity | null
  }[]
}) {
  const { t } = useTexts()
  if (tags.length === 0)
    return (
      <span className="muted">
        <span aria-hidden="true">–</span>
        <span className="visuallyHidden">{t('none')}</span>
      </span>
    )
  return (
    <span className="chips">
      {tags.toSorted(bySeverity).map((tag) => (
        <TagChip key={tag.tagId} {...tag} />
      ))}
    </span>
  )
}

export type Severity = NonNullable<ListedTag['severity']>

export const severityTexts = {
  Block: 'severityBlock',
  Flag: 'severityFlag',
  Audit: 'severityAudit',
} as const satisfies Record<Severity, string>

/** The most severe tag comes first. */
function bySeverity(one: { severity?: Severity | null }, other: { severity?: Severity | null }): number {
  return rankOf(one) - rankOf(other)
}

function rankOf({ severity }: { severity?: Severity | null }): number {
  const severities = Object.keys(severityTexts)
  return severity ? severities.indexOf(severity) : severities.length
}

export const severityTones = { Block: 'bad', Flag: 'warn', Audit: 'calm' } as const

export function SeverityMark({ severity }: { readonly severity: Severity | null }) {
  const { t } = useTexts()
  if (!severity) return <span className="muted">–</span>
  return <Mark tone={severityTones[severity]}>{t(severityTexts[severity])}</Mark>
}

export type Tone = 'good' | 'bad' | 'stop' | 'warn' | 'calm' | 'info'

export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`mark ${tone}`}>{children}</span>
}
