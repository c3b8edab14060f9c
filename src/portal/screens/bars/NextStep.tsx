import { useState } from 'react'
import { asSeen } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay, useRoles } from '../../app/session.tsx'
import { barTexts } from '../../kit/BarMark.tsx'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { wordOfBar } from '../../kit/barWord.ts'
import { tell } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { useTexts } from '../../texts/texts.ts'
import { useAsk } from './ask.ts'
import { type BarStep, hasToStop, undoOf } from './barSteps.ts'
import { MarkOfHeat } from './MarkOfHeat.tsx'

const nextSteps = {
  Draft: { id: 'approveProductionPlanBar', text: 'approve', becomes: 'Approved' },
  Approved: { id: 'startProductionPlanBar', text: 'start', becomes: 'Started' },
  Started: { id: 'completeProductionPlanBar', text: 'complete', becomes: 'Completed' },
} as const

interface NextStepProps {
  readonly bar: ListedProductionPlanBar
  /** The card has just come to its place. */
  readonly isResting: boolean
}

/** The button of the next step, for persons who may take it. A Started bar that may not be cut has none: it has to stop. */
export function NextStep({ bar, isResting }: NextStepProps) {
  const { status } = bar
  const companyId = useCompanyId()
  const may = useMay(companyId)
  if (status === 'Completed' || status === 'Cancelled' || !may(nextSteps[status].id)) return null
  if (hasToStop(bar) || bar.verdict === null) return null
  if (status === 'Draft' && wordOfBar(bar) === 'notKnown') return <ApproveUnknown {...{ bar, isResting }} />
  return <Step key={status} {...{ bar, isResting }} {...nextSteps[status]} />
}

/** Nobody knows whether the bar may be cut, so the approval asks first. */
function ApproveUnknown({ bar, isResting }: NextStepProps) {
  const { t } = useTexts()
  const ask = useAsk()
  return (
    <div className="boardAction">
      <Button onPress={() => ask({ bar, about: 'approveUnknown' })} isPending={isResting}>
        {t('approve')}
      </Button>
    </div>
  )
}

function Step({
  bar,
  isResting,
  id,
  text,
  becomes,
}: NextStepProps & (typeof nextSteps)[keyof typeof nextSteps]) {
  const { t } = useTexts()
  const nameOf = useBarName()
  const { barId } = bar
  const companyId = useCompanyId()
  const params = { companyId, barId }
  const ask = useAsk()
  const roles = useRoles(companyId)
  const revert = useUndo('revertProductionPlanBar')
  const [markTransferred, setMarkTransferred] = useState(false)
  const isLast = becomes === 'Completed'
  const { mutateAsync, isPending } = useCommand(id)
  const act = async () => {
    try {
      const { etag } = await mutateAsync({
        params,
        ...(isLast && { body: { markTransferred } }),
        ...asSeen(bar),
      })
      const doneText = (state: BarStep) => t('barDone', { bar: nameOf(bar), state: t(barTexts[state]) })
      const to = undoOf(becomes, roles, new Date())
      const undo =
        to &&
        (() => revert([{ params, ifMatch: etag, body: { to, reason: t('undoneAtOnce') } }], doneText(to)))
      tell(doneText(becomes), undo)
    } catch (error) {
      // By now, the card may be in another column.
      ask({ bar, about: 'refusal', step: text, error: error as Error })
    }
  }
  return (
    <div className="boardAction">
      {isLast && <MarkOfHeat isTransferred={markTransferred} onChange={setMarkTransferred} />}
      <Button onPress={() => void act()} isPending={isPending || isResting}>
        {t(text)}
      </Button>
    </div>
  )
}
