import { type ReactNode, useState } from 'react'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { barTexts } from '../../kit/BarMark.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, OneOf, TextField } from '../../kit/Form.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { RevertTarget } from './barSteps.ts'
import { Findings, findingsIn } from './Findings.tsx'

/** Corrections of a bar, each with its reason: a step taken back, the bar cancelled, a piece scrapped. */

interface CorrectionProps {
  readonly bar: ListedProductionPlanBar
  readonly onClose: () => void
}

interface RevertProps extends CorrectionProps {
  readonly targets: readonly RevertTarget[]
}

/** Take the bar back to an earlier step. */
export function RevertDialog({ bar, targets, onClose }: RevertProps) {
  const { t } = useTexts()
  const [to, setTo] = useState(targets[0]!)
  const { companyId, barId } = bar
  const { mutate, ...state } = useCommand('revertProductionPlanBar')
  return (
    <Correction
      {...{ bar, onClose, ...state }}
      title={t('revertTitle')}
      text={t('revertText')}
      action={t('revert')}
      onSubmit={(reason) =>
        mutate(
          { params: { companyId, barId }, body: { to, reason } },
          done(t('barDone', { state: t(barTexts[to]) }), onClose),
        )
      }
    >
      <OneOf
        label={t('revertTo')}
        chosen={to}
        onChange={(chosen) => setTo(chosen as RevertTarget)}
        options={targets.map((target) => ({ value: target, text: t(barTexts[target]) }))}
      />
      <Findings findings={findingsIn(state.error)} />
    </Correction>
  )
}

/** Cancel a bar that is not started yet. */
export function CancelDialog({ bar, onClose }: CorrectionProps) {
  const { t } = useTexts()
  const { companyId, barId } = bar
  const { mutate, ...state } = useCommand('cancelProductionPlanBar')
  return (
    <Correction
      {...{ bar, onClose, ...state }}
      title={t('cancelBarTitle')}
      text={t('cancelBarText')}
      action={t('cancelBar')}
      onSubmit={(reason) =>
        mutate(
          { params: { companyId, barId }, body: { reason } },
          done(t('barDone', { state: t('barCancelled') }), onClose),
        )
      }
    />
  )
}

/** Scrap a piece of the bar that was cut wrong. */
export function ScrapDialog({ bar, onClose }: CorrectionProps) {
  const { t, number } = useTexts()
  const { companyId, barId, orders } = bar
  const pieces = bar.cuts.filter(({ status }) => status === 'Accepted')
  const [cutId, setCutId] = useState(pieces[0]!.cutId)
  const { mutate, ...state } = useCommand('scrapCut')
  const orderNumber = (orderId: string) => orders?.find((one) => one.orderId === orderId)?.orderNumber
  return (
    <Correction
      {...{ bar, onClose, ...state }}
      title={t('scrapTitle')}
      text={t('scrapText')}
      action={t('scrap')}
      onSubmit={(reason) =>
        mutate({ params: { companyId, barId, cutId }, body: { reason } }, done(t('pieceScrapped'), onClose))
      }
    >
      <OneOf
        label={t('piece')}
        chosen={cutId}
        onChange={setCutId}
        options={pieces.map(({ cutId, lengthMm, pieceMark, orderId }, index) => ({
          value: cutId,
          text: [
            t('pieceOf', { n: index + 1, all: pieces.length }),
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

function done(told: string, onClose: () => void) {
  return {
    onSuccess: () => {
      tell(told)
      onClose()
    },
  }
}

interface FormProps extends CorrectionProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isPending: boolean
  readonly error: Error | null
  readonly onSubmit: (reason: string) => void
  readonly children?: ReactNode
}

function Correction({ bar, title, text, action, onSubmit, onClose, isPending, error, children }: FormProps) {
  const { t, number } = useTexts()
  const [reason, setReason] = useState('')
  return (
    <Dialog title={title} onClose={onClose} role="alertdialog">
      <div className="dialogBody">
        <p>
          <strong>
            {bar.planName} · {number(bar.ordinal)}
          </strong>
        </p>
        <p>{text}</p>
      </div>
      <Form
        onSubmit={() => onSubmit(reason.trim())}
        onCancel={onClose}
        submit={action}
        {...{ isPending, error }}
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
