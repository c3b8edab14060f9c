import { ApiProblem } from '../../api/client.ts'
import type { Finding } from '../../api/generated.ts'
import { SeverityMark } from '../../kit/Chip.tsx'
import { useTexts } from '../../texts/texts.ts'

/** Findings on a bar, one by one, each with its override if there is one. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const { t } = useTexts()
  if (findings.length === 0) return null
  return (
    <ul className="findings">
      {findings.map(({ key, severity, message, override }) => (
        <li key={key}>
          <SeverityMark severity={severity} /> {message}
          {override && <p className="muted">{t('overridden', { reason: override.reason })}</p>}
        </li>
      ))}
    </ul>
  )
}

/** Return the findings that keep a bar from being cut. */
export function blocking(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity, override }) => severity === 'Block' && !override)
}

/** Return the findings of a refusal; none of any other error. */
export function findingsIn(error: Error | null): readonly Finding[] {
  return error instanceof ApiProblem ? ((error.problem.findings ?? []) as Finding[]) : []
}
