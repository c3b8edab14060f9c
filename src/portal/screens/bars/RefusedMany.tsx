import type { Answer } from '../../api/client.ts'
import type { ProblemDocument } from '../../api/problem.ts'
import { Button } from '../../kit/Button.tsx'
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
  const { t, problemTitle } = useTexts()
  return (
    <>
      <ul className="dialogBody plainList">
        {results
          .filter(({ outcome }) => outcome === undefined)
          .map(({ id, ...problem }) => (
            <li key={id}>
              <strong>{names.get(id)}</strong>: {problemTitle(problem as ProblemDocument)}
              <div>
                <Reason findings={findingsOf(problem as ProblemDocument)} />
              </div>
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
