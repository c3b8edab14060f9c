import { type ReactNode, useState } from 'react'
import { asSeen } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { barTexts } from '../../kit/BarMark.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, OneOf, TextField } from '../../kit/Form.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { findBlocking } from '../../kit/Verdict.tsx'
import { Changed, type Difference } from '../../kit/Versions.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { RevertTarget } from './barSteps.ts'
import { Findings, findingsIn } from './Findings.tsx'
import { MarkOfHeat } from './MarkOfHeat.tsx'

/** Corrections of a bar, each with its reason: a step taken back, the bar cancelled, a piece scrapped. */

interface CorrectionProps {
  /** The bar as it is now. */
  readonly bar: ListedProductionPlanBar
  /** Its values that have changed since the person asked. */
  readonly changes: readonly Difference[]
  readonly onClose: () => void
}

interface RevertProps extends CorrectionProps {
  readonly targets: readonly RevertTarget[]
}

/** Take the bar back to an earlier step. */
export function RevertDialog({ bar, targets, changes, onClose }: RevertProps) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const [chosen, setChosen] = useState<RevertTarget>()
  const to = targets.length === 1 ? targets[0] : targets.find((target) => target === chosen)
  const { companyId, barId } = bar
  const { mutate, ...state } = useCommand('revertProductionPlanBar')
  return (
    <Correction
      {...{ bar, changes, onClose, ...state }}
      isPossible={to !== undefined}
      title={t('revertTitle')}
      text={t('revertText')}
      action={t('revert')}
      onSubmit={(reason) =>
        to &&
        mutate(
          { params: { companyId, barId }, body: { to, reason }, ...asSeen(bar) },
          tellAndClose(t('barDone', { bar: nameOf(bar), state: t(barTexts[to]) }), onClose),
        )
      }
    >
      {targets.length > 0 && (
        <OneOf
          label={t('revertTo')}
          chosen={to ?? ''}
          onChange={(value) => setChosen(value as RevertTarget)}
          options={targets.map((target) => ({ value: target, text: t(barTexts[target]) }))}
        />
      )}
      <Findings findings={findingsIn(state.error)} />
    </Correction>
  )
}

/** Cancel a bar that is not started yet. */
export function CancelDialog({ bar, changes, onClose }: CorrectionProps) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const { companyId, barId } = bar
  const { mutate, ...state } = useCommand('cancelProductionPlanBar')
  return (
    <Correction
      {...{ bar, changes, onClose, ...state }}
      isPossible={bar.status === 'Draft' || bar.status === 'Approved'}
      title={t('cancelBarTitle')}
      text={t('cancelBarText')}
      action={t('cancelBar')}
      onSubmit={(reason) =>
        mutate(
          { params: { companyId, barId }, body: { reason }, ...asSeen(bar) },
          tellAndClose(t('barDone', { bar: nameOf(bar), state: t('barCancelled') }), onClose),
        )
      }
    />
  )
}

/** Complete a bar that was cut although it may not be. */
export function CompleteStoppedDialog({ bar, changes, onClose }: CorrectionProps) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const { companyId, barId } = bar
  const [markTransferred, setMarkTransferred] = useState(false)
  const { mutate, ...state } = useCommand('completeProductionPlanBar')
  return (
    <Correction
      {...{ bar, changes, onClose, ...state }}
      isPossible={bar.status === 'Started'}
      title={t('completeStoppedTitle')}
      text={t('completeStoppedText')}
      action={t('completeStopped')}
      onSubmit={(reason) =>
        mutate(
          { params: { companyId, barId }, body: { reason, markTransferred }, ...asSeen(bar) },
          tellAndClose(t('barDone', { bar: nameOf(bar), state: t('barCompleted') }), onClose),
        )
      }
    >
      <Findings findings={findBlocking(bar.verdict?.findings ?? [])} />
      <MarkOfHeat isTransferred={markTransferred} onChange={setMarkTransferred} />
    </Correction>
  )
}

/** Scrap a piece of the bar that was cut wrong. */
export function ScrapDialog({ bar, changes, onClose }: CorrectionProps) {
  const { t, number } = useTexts()
  const { companyId, barId, orders } = bar
  const pieces = bar.cuts
    .map((cut, index) => ({ ...cut, ordinal: index + 1 }))
    .filter(({ status }) => status === 'Accepted')
  const [chosen, setChosen] = useState<string>()
  const piece = pieces.length === 1 ? pieces[0] : pieces.find(({ cutId }) => cutId === chosen)
  const { mutate, ...state } = useCommand('scrapCut')
  const orderNumber = (orderId: string) => orders?.find((one) => one.orderId === orderId)?.orderNumber
  return (
    <Correction
      {...{ bar, changes, onClose, ...state }}
      isPossible={piece !== undefined && (bar.status === 'Started' || bar.status === 'Completed')}
      title={t('scrapTitle')}
      text={t('scrapText')}
      action={t('scrap')}
      onSubmit={(reason) =>
        piece &&
        mutate(
          { params: { companyId, barId, cutId: piece.cutId }, body: { reason }, ...asSeen(piece) },
          tellAndClose(t('pieceScrapped'), onClose),
        )
      }
    >
      <OneOf
        label={t('piece')}
        chosen={piece?.cutId ?? ''}
        onChange={setChosen}
        options={pieces.map(({ cutId, ordinal, lengthMm, pieceMark, orderId }) => ({
          value: cutId,
          text: [
            t('pieceNumber', { n: number(ordinal) }),
            pieceMark,
            `${number(lengthMm)} mm`,
            orderNumber(orderId),
          ]
            .filter(Boolean)
            .join(' · '),
        }))}
      />
    </Correction>
  )
}

interface FormProps extends CorrectionProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isPending: boolean
  readonly error: Error | null
  /** False: nothing is chosen, or somebody else has changed the bar so that the correction makes no sense any more. */
  readonly isPossible: boolean
  readonly onSubmit: (reason: string) => void
  readonly children?: ReactNode
}

function Correction({
  bar,
  changes,
  title,
  text,
  action,
  isPossible,
  onSubmit,
  onClose,
  isPending,
  error,
  children,
}: FormProps) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const [reason, setReason] = useState('')
  return (
    <Dialog title={title} about={nameOf(bar)} onClose={onClose} role="alertdialog">
      <p className="dialogBody">{text}</p>
      <Changed differences={changes} isPending={isPending} />
      <Form
        onSubmit={() => onSubmit(reason.trim())}
        onCancel={onClose}
        submit={action}
        {...{ isPossible, isPending, error }}
      >
        {children}
        <TextField
          label={t('reason')}
          value={reason}
          onChange={setReason}
          fault={faultOf(error, 'reason')}
          isRequired
          isLong
        />
      </Form>
    </Dialog>
  )
}
