import type { Answer } from '../../api/client.ts'
import type { DecisionOnOne } from '../../api/generated.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Button } from '../../kit/Button.tsx'
import { useFailure } from '../../kit/Notice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { findingsOf } from './Findings.tsx'
import { Reason } from './Reason.tsx'

interface RefusedManyProps {
  readonly decisions: Answer<'approveProductionPlan' | 'releaseCertificates'>
  /** The names of the records, by their ids. */
  readonly names: ReadonlyMap<string, string>
  readonly onClose: () => void
}

/** Name the records that a decision on many has left out, each with the reason. */
export function RefusedMany({ decisions: { results }, names, onClose }: RefusedManyProps) {
  const { t } = useTexts()
  return (
    <>
      <ul className="dialogBody plainList">
        {results
          .filter(({ outcome }) => outcome === undefined)
          .map((one) => (
            <li key={one.id}>
              <strong>{names.get(one.id)}</strong>: <Refusal problem={one} />
            </li>
          ))}
      </ul>
      <div className="dialogActions">
        <Button onPress={onClose} autoFocus>
          {t('close')}
        </Button>
      </div>
    </>
  )
}

/** The answer on a record has a code and no title, so English has the text alone. */
function Refusal({ problem }: { readonly problem: DecisionOnOne }) {
  const { title, text } = useFailure(new ApiProblem({ code: '', title: '', detail: '', ...problem }))
  const findings = findingsOf(problem)
  return (
    <>
      {title}
      <div>
        {/* The text repeats the findings. */}
        {findings.length > 0 ? <Reason findings={findings} /> : <span className="small">{text}</span>}
      </div>
    </>
  )
}
