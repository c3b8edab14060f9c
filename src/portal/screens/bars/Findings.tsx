import { toldIn } from '../../../domain/verdict/sentence.ts'
import type { Finding } from '../../api/generated.ts'
import { ApiProblem } from '../../api/problem.ts'
import { SeverityMark } from '../../kit/Chip.tsx'
import { useTexts } from '../../texts/texts.ts'
import { TagEvidence } from '../tags/subjects/SubjectRules.tsx'
import { splitAdvice } from './reasonText.ts'

interface FindingsProps {
  readonly findings: readonly Finding[]
  /** Show also the clause and the values behind a tag that a rule assigned. They are read for it. */
  readonly hasEvidence?: boolean
}

/** Findings, one by one: what speaks against the steel, and the override if there is one. Below, once: what to do. */
export function Findings({ findings, hasEvidence = false }: FindingsProps) {
  const { t, language } = useTexts()
  if (findings.length === 0) return null
  const items = findings.map((finding) => ({ ...finding, said: splitAdvice(toldIn(language, finding)) }))
  const advice = new Set(items.map(({ said }) => said[1]).filter(Boolean))
  return (
    <>
      <ul className="findings">
        {items.map(({ key, severity, said: [reason], override, ...finding }) => (
          <li key={key}>
            <SeverityMark severity={severity} /> {reason}
            {hasEvidence && <EvidenceOf {...finding} />}
            {override && <p className="muted">{t('overridden', { reason: override.reason })}</p>}
          </li>
        ))}
      </ul>
      {[...advice].map((one) => (
        <p key={one} className="small">
          {one}
        </p>
      ))}
    </>
  )
}

function EvidenceOf({ tagId, millCertificationId, orderId }: Partial<Finding>) {
  if (tagId === undefined) return null
  if (millCertificationId !== undefined)
    return <TagEvidence family="millcert" subjectId={millCertificationId} tagId={tagId} />
  return orderId === undefined ? null : <TagEvidence family="order" subjectId={orderId} tagId={tagId} />
}

/** Return the findings of a refusal; none of any other error. */
export function findingsIn(error: Error | null): readonly Finding[] {
  return error instanceof ApiProblem ? findingsOf(error.problem) : []
}

export function findingsOf({ findings = [] }: Readonly<Record<string, unknown>>): readonly Finding[] {
  return findings as Finding[]
}
