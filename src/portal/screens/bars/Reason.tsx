import type { Finding } from '../../api/generated.ts'
import { findBlocking } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useFieldName } from '../imports/fieldNames.ts'
import { reasonText } from './reasonText.ts'

/** Return a function that says a finding in one line. */
export function useReason(): (finding: Finding) => string {
  const { language, number } = useTexts()
  const fieldName = useFieldName()
  return (finding) => reasonText(finding, { language, number, fieldName })
}

/** What stands first against a bar, in one line: a Block, or else a Flag. */
export function Reason({ findings }: { readonly findings: readonly Finding[] }) {
  const { number } = useTexts()
  const reasonOf = useReason()
  const openFindings = [...findBlocking(findings), ...findings.filter(({ severity }) => severity === 'Flag')]
  const [first] = openFindings
  if (!first) return null
  return (
    <span className="small">
      {reasonOf(first)}
      {openFindings.length > 1 && <span className="muted"> +{number(openFindings.length - 1)}</span>}
    </span>
  )
}
