import { useState } from 'react'
import type { VerdictWord } from '../../../domain/verdict/verdictWord.ts'
import { asLeft } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Choices, Form } from '../../kit/Form.tsx'
import { tell } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { BarVerdict } from '../../kit/Verdict.tsx'
import { useTexts } from '../../texts/texts.ts'
import { barsToApprove, onRequest } from './planApproval.ts'
import { Reason } from './Reason.tsx'
import { RefusedMany } from './RefusedMany.tsx'

interface ApprovePlanProps {
  readonly planId: string
  readonly drafts: readonly ListedProductionPlanBar[]
  readonly onClose: () => void
}

/** Approve all bars of a plan that may be cut, and on request those that ask for a person. List the rest, and why. */
export function ApprovePlan({ planId, drafts, onClose }: ApprovePlanProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  // The bars behind the dialog change with the approval.
  const [bars] = useState(drafts)
  const [chosen, setChosen] = useState<string[]>([])
  const { approved, rest } = barsToApprove(bars, chosen as VerdictWord[])
  const { mutate, isPending, error, data } = useCommand('approveProductionPlan')
  const revert = useUndo('revertProductionPlanBar')
  const takeBack = (bars: readonly ListedProductionPlanBar[]) =>
    revert(
      bars.map((bar) => ({
        params: { companyId, barId: bar.barId },
        ...asLeft(bar),
        body: { to: 'Draft', reason: t('undoneAtOnce') },
      })),
      t('barsAreDrafts', { n: number(bars.length) }),
    )
  const approve = () =>
    mutate(
      {
        params: { companyId, planId },
        body: {
          barIds: approved.map(({ barId }) => barId),
          revisions: Object.fromEntries(approved.map(({ barId, revision }) => [barId, revision])),
        },
      },
      {
        onSuccess: ({ data: { summary, results } }) => {
          const updated = results.filter(({ outcome }) => outcome === 'updated').map(({ id }) => id)
          const undo = () => takeBack(approved.filter(({ barId }) => updated.includes(barId)))
          tell(t('barsApproved', { n: number(summary.updated) }), updated.length > 0 ? undo : undefined)
          if (summary.failed === 0) onClose()
        },
      },
    )
  if (data)
    return (
      <Dialog title={t('approvePlan')} onClose={onClose} shape="panel">
        <RefusedMany
          decisions={data.data}
          names={new Map(bars.map(({ barId, ordinal }) => [barId, t('barNumber', { n: number(ordinal) })]))}
          onClose={onClose}
        />
      </Dialog>
    )
  return (
    <Dialog title={t('approvePlan')} onClose={onClose} shape="panel">
      <Form
        onSubmit={approve}
        onCancel={onClose}
        submit={t('approveBars', { n: number(approved.length) })}
        isPossible={approved.length > 0}
        {...{ isPending, error }}
      >
        <p>{t('approvePlanText')}</p>
        <Choices
          label={t('approveToo')}
          chosen={chosen}
          onChange={setChosen}
          options={onRequest.map((word) => ({
            value: word,
            text: `${t(word)}: ${number(barsToApprove(bars, [word]).onRequest[word])}`,
          }))}
        />
        {rest.length > 0 && (
          <>
            <strong>{t('notApprovedBars', { n: number(rest.length) })}</strong>
            <ul className="lines">
              {rest.map((bar) => (
                <li key={bar.barId}>
                  <span>{t('barNumber', { n: number(bar.ordinal) })}</span>
                  <BarVerdict {...bar} />
                  <Reason findings={bar.verdict?.findings ?? []} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Form>
    </Dialog>
  )
}
