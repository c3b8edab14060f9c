import type { Finding } from '../../api/generated.ts'
import { blocking } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { BrokenRule } from '../tags/subjects/SubjectRules.tsx'
import { findingText } from './findingText.ts'

/** What stands first against a bar, in one line: a Block, or else a Flag. */
export function Reason({ findings }: { readonly findings: readonly Finding[] }) {
  const { t, number } = useTexts()
  const standing = [...blocking(findings), ...findings.filter(({ severity }) => severity === 'Flag')]
  const [first] = standing
  if (!first) return null
  const { millCertificationId, tagId } = first
  return (
    <span className="small">
      {findingText(first, t)}
      {tagId !== undefined && millCertificationId !== undefined && (
        <BrokenRule subjectId={millCertificationId} tagId={tagId} />
      )}
      {standing.length > 1 && <span className="muted"> +{number(standing.length - 1)}</span>}
    </span>
  )
}
