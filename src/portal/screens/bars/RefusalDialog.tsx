import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { BarMark } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { isConflict } from '../../kit/conflict.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { FormError } from '../../kit/Form.tsx'
import { BarVerdict, findBlocking } from '../../kit/Verdict.tsx'
import { Changed, type Difference } from '../../kit/Versions.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { Findings, findingsIn } from './Findings.tsx'
import { Override } from './Override.tsx'

interface RefusalDialogProps {
  readonly bar: ListedProductionPlanBar
  readonly barName: string
  readonly step: TextName
  readonly error: Error
  readonly changes: readonly Difference[]
  readonly onClose: () => void
}

/**
 * Say why a step of a bar was refused: finding by finding, and what somebody else has changed meanwhile. After such a
 * change the findings are those on the bar as it is now.
 */
export function RefusalDialog({ bar, barName, step, error, changes, onClose }: RefusalDialogProps) {
  const { t } = useTexts()
  const findings = isConflict(error) ? (bar.verdict?.findings ?? []) : findingsIn(error)
  return (
    <Dialog title={t('stepRefused', { step: t(step) })} about={barName} role="alertdialog" onClose={onClose}>
      <div className="dialogBody">
        <FormError error={error} />
        {isConflict(error) && (
          <div className="chips">
            <BarMark status={bar.status} />
            <BarVerdict {...bar} />
          </div>
        )}
        <Findings findings={findings} />
        <Changed differences={changes} isPending={false} />
      </div>
      <div className="dialogActions">
        <Override bar={bar} findings={findBlocking(findings)} onAsked={onClose} />
        <Button kind="primary" onPress={onClose}>
          {t('understood')}
        </Button>
      </div>
    </Dialog>
  )
}
