import { useState } from 'react'
import type { CompanyRun, Traceability } from '../../api/generated.ts'
import { useCommand, useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, Select, TextField } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Missing } from './Missing.tsx'
import { PieceChoices } from './PieceChoices.tsx'
import { piecesOf } from './pieces.ts'

interface IssuePackProps {
  readonly traced: Traceability
  readonly onBegun: (run: CompanyRun) => void
  readonly onClose: () => void
}

const [all, some] = ['all', 'some']

/**
 * Ask before a pack is issued, because it is recorded and never deleted. It has all pieces of the order, those of a
 * dispatch, or chosen ones, and shows the order as it is now or was at an earlier time.
 */
export function IssuePack({ traced, onBegun, onClose }: IssuePackProps) {
  const { t, number } = useTexts()
  const { orderId, lineItems, cleared } = traced
  const params = { companyId: useCompanyId(), orderId }
  const { rows: dispatches = [] } = useList('listDispatches', { params })
  const pieces = piecesOf(traced)
  /** All, some, or the id of a dispatch. */
  const [extent, setExtent] = useState(all)
  const [chosen, setChosen] = useState<string[]>([])
  const [time, setTime] = useState('')
  const { mutate, isPending, error } = useCommand('issueOrderPack')
  const dispatch = dispatches.find(({ dispatchId }) => dispatchId === extent)
  const cutIds = extent === some ? chosen : dispatch?.cuts.map(({ cutId }) => cutId)
  const issue = () =>
    mutate(
      { params, body: { ...(cutIds && { cutIds }), ...(time && { asOf: new Date(time).toISOString() }) } },
      {
        onSuccess: ({ data }) => {
          onBegun(data)
          onClose()
        },
      },
    )
  return (
    <Dialog title={t('issuePackTitle')} onClose={onClose} role="alertdialog">
      <p className="dialogBody">{t('issuePackText')}</p>
      <Form onSubmit={issue} onCancel={onClose} submit={t('issuePack')} {...{ isPending, error }}>
        <Select
          label={t('piecesInPack')}
          value={extent}
          onChange={setExtent}
          options={[
            { value: all, text: t('allPieces', { n: number(pieces.length) }) },
            ...dispatches.map(({ dispatchId, reference, cuts }) => ({
              value: dispatchId,
              text: t('piecesOfDispatch', { reference, n: number(cuts.length) }),
            })),
            { value: some, text: t('somePieces') },
          ]}
        />
        {extent === some && (
          <PieceChoices {...{ pieces, chosen, onChange: setChosen }} fault={faultOf(error, 'cutIds')} />
        )}
        <TextField
          label={t('packAsOf')}
          value={time}
          onChange={setTime}
          type="datetime-local"
          help={t('packAsOfHelp')}
          fault={faultOf(error, 'asOf')}
        />
        {!cleared && time === '' && (
          <>
            <p>
              <Mark tone="warn">{t('notCleared')}</Mark> {t('packNotCleared')}
            </p>
            <Missing lines={lineItems} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
