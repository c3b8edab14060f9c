import { useState } from 'react'
import { useLocation } from 'wouter'
import { asSeen } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, TextField } from '../../kit/Form.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { BarFields } from './BarFields.tsx'
import { isCounted, newBars, noBar, placeOf, type TypedBar, typedBar } from './typedBars.ts'

/** Plan bars by hand: a new plan, more bars of a plan, and a Draft bar anew. */

interface FormProps {
  readonly onClose: () => void
}

export function NewPlanButton() {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const [isOpen, setIsOpen] = useState(false)
  if (!may('createProductionPlan')) return null
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t('newPlan')}</Button>
      {isOpen && <NewPlanForm onClose={() => setIsOpen(false)} />}
    </>
  )
}

function NewPlanForm({ onClose }: FormProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [, go] = useLocation()
  const { mutate, isPending, error } = useCommand('createProductionPlan')
  const [name, setName] = useState('')
  const [bars, setBars] = useState<readonly TypedBar[]>([noBar])
  const onSuccess = ({ data }: { readonly data: { readonly planId: string } }) => {
    onClose()
    go(pathIn(companyId, `/plans/${data.planId}`))
  }
  return (
    <Dialog title={t('newPlan')} onClose={onClose} shape="panel">
      <Form
        onSubmit={() => mutate({ params: { companyId }, body: { name, bars: newBars(bars) } }, { onSuccess })}
        onCancel={onClose}
        submit={t('save')}
        isPossible={bars.every(isCounted)}
        {...{ isPending, error }}
      >
        <TextField
          label={t('plan')}
          value={name}
          onChange={setName}
          fault={faultOf(error, 'name')}
          isRequired
        />
        <Bars {...{ bars, setBars, error }} />
      </Form>
    </Dialog>
  )
}

export function MoreBarsForm({ planId, onClose }: FormProps & { readonly planId: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { mutate, isPending, error } = useCommand('addBarsToProductionPlan')
  const [bars, setBars] = useState<readonly TypedBar[]>([noBar])
  return (
    <Dialog title={t('addBars')} onClose={onClose} shape="panel">
      <Form
        onSubmit={() =>
          mutate({ params: { companyId, planId }, body: { bars: newBars(bars) } }, { onSuccess: onClose })
        }
        onCancel={onClose}
        submit={t('save')}
        isPossible={bars.every(isCounted)}
        {...{ isPending, error }}
      >
        <Bars {...{ bars, setBars, error }} />
      </Form>
    </Dialog>
  )
}

interface ReplanProps extends FormProps {
  readonly bar: ListedProductionPlanBar
  readonly barName: string
}

/** A bar keeps its content, so a corrected one takes its place. The old one stays until the new one is planned. */
export function ReplanForm({ bar, barName, onClose }: ReplanProps) {
  const { t } = useTexts()
  const { companyId, planId, barId } = bar
  const adding = useCommand('addBarsToProductionPlan')
  const cancelling = useCommand('cancelProductionPlanBar')
  const [bars, setBars] = useState<readonly TypedBar[]>(() => [typedBar(bar)])
  const cancel = () =>
    cancelling.mutate(
      { params: { companyId, barId }, body: { reason: t('replanReason') }, ...asSeen(bar) },
      {
        onSuccess: () => {
          tell(t('corrected'))
          onClose()
        },
      },
    )
  const save = () =>
    // After a refusal to cancel, the new bar is planned already.
    adding.isSuccess
      ? cancel()
      : adding.mutate({ params: { companyId, planId }, body: { bars: newBars(bars) } }, { onSuccess: cancel })
  return (
    <Dialog title={t('replan')} about={barName} onClose={onClose} shape="panel">
      <Form
        onSubmit={save}
        onCancel={onClose}
        submit={t('save')}
        isPossible={bar.status === 'Draft' && bars.every(isCounted)}
        isPending={adding.isPending || cancelling.isPending}
        error={adding.error ?? cancelling.error}
      >
        <p className="muted">{t('replanText')}</p>
        <Bars {...{ bars, setBars }} error={adding.error} isOne />
      </Form>
    </Dialog>
  )
}

interface BarsProps {
  readonly bars: readonly TypedBar[]
  readonly setBars: (bars: readonly TypedBar[]) => void
  readonly error: Error | null
  readonly isOne?: boolean
}

function Bars({ bars, setBars, error, isOne = false }: BarsProps) {
  const { t, number } = useTexts()
  return (
    <>
      {bars.map((bar, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar that is being typed is known by its place
        <fieldset key={index} className="fieldGroup">
          {!isOne && <legend>{t('barNumber', { n: number(index + 1) })}</legend>}
          <BarFields
            bar={bar}
            onType={(typed) => setBars(bars.with(index, typed))}
            error={error}
            place={(cut) => placeOf(bars, index, cut)}
            isOne={isOne}
          />
          {bars.length > 1 && (
            <div>
              <Button kind="quiet" onPress={() => setBars(bars.toSpliced(index, 1))}>
                {t('remove')}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      {!isOne && (
        <div>
          <Button onPress={() => setBars([...bars, noBar])}>{t('addBar')}</Button>
        </div>
      )}
    </>
  )
}
