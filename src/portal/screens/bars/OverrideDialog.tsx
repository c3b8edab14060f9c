import { useState } from 'react'
import { toldIn } from '../../../domain/verdict/sentence.ts'
import { asSeen } from '../../api/client.ts'
import type { Finding, ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Choices, Form, faultOf, TextField } from '../../kit/Form.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { Changed, type Difference } from '../../kit/Versions.tsx'
import { useTexts } from '../../texts/texts.ts'

interface OverrideDialogProps {
  /** The bar as it is now. */
  readonly bar: ListedProductionPlanBar
  readonly barName: string
  /** The Block findings that no override covers. */
  readonly findings: readonly Finding[]
  readonly changes: readonly Difference[]
  readonly onClose: () => void
}

/** Override the findings on a bar that the person chooses. */
export function OverrideDialog({ bar, barName, findings, changes, onClose }: OverrideDialogProps) {
  const { t, language } = useTexts()
  const companyId = useCompanyId()
  const [reason, setReason] = useState('')
  const [reference, setReference] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const { mutate, isPending, error } = useCommand('overrideFindings')
  const override = () =>
    mutate(
      {
        params: { companyId, barId: bar.barId },
        ...asSeen(bar),
        body: { reason: reason.trim(), reference: reference.trim() || null, findings: chosen },
      },
      tellAndClose(t('overrideRecorded'), onClose),
    )
  return (
    <Dialog title={t('overrideTitle')} about={barName} onClose={onClose} shape="panel">
      <p className="dialogBody">{t('overrideText')}</p>
      <Changed differences={changes} isPending={isPending} />
      <Form onSubmit={override} onCancel={onClose} submit={t('override')} {...{ isPending, error }}>
        <Choices
          label={t('overrideFindings')}
          chosen={chosen}
          onChange={setChosen}
          options={findings.map((one) => ({ value: one.key, text: toldIn(language, one) }))}
          fault={faultOf(error, 'findings')}
        />
        <TextField
          label={t('reason')}
          value={reason}
          onChange={setReason}
          help={t('overrideReasonHelp')}
          fault={faultOf(error, 'reason')}
          isRequired
          isLong
        />
        <TextField
          label={t('reference')}
          value={reference}
          onChange={setReference}
          help={t('referenceHelp')}
          fault={faultOf(error, 'reference')}
        />
      </Form>
    </Dialog>
  )
}
