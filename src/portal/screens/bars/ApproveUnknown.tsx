import { asSeen } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { FormError } from '../../kit/Form.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { Changed, type Difference } from '../../kit/Versions.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Findings, findingsIn } from './Findings.tsx'

interface ApproveUnknownProps {
  readonly bar: ListedProductionPlanBar
  readonly barName: string
  readonly changes: readonly Difference[]
  readonly onClose: () => void
}

/** Ask before the approval of a bar of which nobody knows whether it may be cut. */
export function ApproveUnknown({ bar, barName, changes, onClose }: ApproveUnknownProps) {
  const { t } = useTexts()
  const { mutate, isPending, error } = useCommand('approveProductionPlanBar')
  const { companyId, barId, status, verdict } = bar
  const params = { companyId, barId }
  const revert = useUndo('revertProductionPlanBar')
  const undo = (ifMatch: string | undefined) =>
    revert(
      [{ params, ifMatch, body: { to: 'Draft', reason: t('undoneAtOnce') } }],
      t('barDone', { bar: barName, state: t('barDraft') }),
    )
  const approve = () =>
    mutate(
      { params, ...asSeen(bar) },
      tellAndClose(t('barDone', { bar: barName, state: t('barApproved') }), onClose, undo),
    )
  const refusalFindings = findingsIn(error)
  return (
    <Dialog title={t('approveUnknown')} about={barName} role="alertdialog" onClose={onClose}>
      <div className="dialogBody">
        <p>{t('approveUnknownText')}</p>
        <FormError error={error} />
        <Findings findings={refusalFindings.length > 0 ? refusalFindings : (verdict?.findings ?? [])} />
        <Changed differences={changes} isPending={isPending} />
      </div>
      <div className="dialogActions">
        <Button onPress={onClose} autoFocus>
          {t('cancel')}
        </Button>
        <Button kind="primary" onPress={approve} isPending={isPending || status !== 'Draft'}>
          {t('approve')}
        </Button>
      </div>
    </Dialog>
  )
}
