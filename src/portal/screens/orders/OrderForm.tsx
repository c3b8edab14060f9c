import { useState } from 'react'
import { useLocation } from 'wouter'
import { lineItemFields, orderHeadFields, orderNumbers } from '../../../domain/orders/orderContent.ts'
import type { Input } from '../../api/client.ts'
import type { OrderWithFindings } from '../../api/generated.ts'
import { useCommand, useSeen } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { changedValues, formerValues, inputsOf, type Typed, typedOf } from '../../kit/declaredFields.ts'
import { EditForm } from '../../kit/EditForm.tsx'
import { FieldInputs } from '../../kit/FieldInputs.tsx'
import { Form } from '../../kit/Form.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { useFieldsForm } from '../../kit/useFieldsForm.ts'
import { useTexts } from '../../texts/texts.ts'

/** Enter an order, or correct it. Options and substitutes have a form of their own (`DemandsForm.tsx`). */

const headFields = withoutDemands(orderHeadFields)
const inputsOfLine = inputsOf(withoutDemands(lineItemFields), {})
const inputsOfNewLine = inputsOfLine.filter(({ path }) => path !== 'cancelled')
/** The number of a line never changes. */
const inputsOfKnownLine = inputsOfLine.filter(({ path }) => path !== 'lineNumber')

function withoutDemands<All extends object>({
  options: _options,
  allowedSubstitutes: _substitutes,
  ...fields
}: All & Record<'options' | 'allowedSubstitutes', unknown>) {
  return fields
}

type Patch = Input<'patchOrder'>['body']

interface Line {
  /** Absent for a line that the order does not have yet. */
  readonly lineNumber?: number
  readonly before: Typed
  readonly typed: Typed
}

const noLine: Line = { before: {}, typed: {} }

function useLines(order: Pick<OrderWithFindings, 'lineItems'> | undefined) {
  const { language } = useTexts()
  const [lines, setLines] = useState<readonly Line[]>(
    () =>
      order?.lineItems.map((line) => {
        const before = typedOf(inputsOfLine, line, language)
        return { lineNumber: line.lineNumber, before, typed: before }
      }) ?? [noLine],
  )
  const bodyOf = (valuesOf: (line: Line) => object) =>
    lines.map((line) => ({
      ...(line.lineNumber !== undefined && { lineNumber: line.lineNumber }),
      ...valuesOf(line),
    }))
  const changed = bodyOf(({ before, typed }) => changedValues(inputsOfLine, before, typed))
  const undone = bodyOf(({ lineNumber, before, typed }) => {
    const former = order?.lineItems.find((line) => line.lineNumber === lineNumber) ?? {}
    return formerValues(inputsOfLine, before, typed, typedOf(inputsOfLine, former, language))
  })
  return { lines, setLines, changed, undone }
}

interface NewOrderFormProps {
  readonly onClose: () => void
}

export function NewOrderForm({ onClose }: NewOrderFormProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [, go] = useLocation()
  const { mutate, isPending, error } = useCommand('registerOrder')
  const head = useFieldsForm({ ...orderNumbers, ...headFields }, {})
  const ofLines = useLines(undefined)
  const body = { ...head.changed, lineItems: ofLines.changed } as unknown as Input<'registerOrder'>['body']
  const onSuccess = ({ data }: { readonly data: { readonly orderId: string } }) => {
    onClose()
    go(pathIn(companyId, `/orders/${data.orderId}`))
  }
  return (
    <Dialog title={t('newOrder')} onClose={onClose} shape="panel">
      <Form
        onSubmit={() => mutate({ params: { companyId }, body }, { onSuccess })}
        onCancel={onClose}
        submit={t('save')}
        {...{ isPending, error }}
      >
        <FieldInputs {...head} error={error} />
        <Lines {...ofLines} error={error} />
      </Form>
    </Dialog>
  )
}

interface CorrectOrderProps {
  readonly order: OrderWithFindings
  readonly onClose: () => void
}

export function CorrectOrder({ order, onClose }: CorrectOrderProps) {
  const params = { companyId: useCompanyId(), orderId: order.orderId }
  const { seen, ifMatch, isReading } = useSeen('getOrder', { params })
  return isReading ? null : <Correction order={seen ?? order} {...{ ifMatch, onClose }} />
}

interface CorrectionProps extends CorrectOrderProps {
  readonly ifMatch: string | undefined
}

function Correction({ order, ifMatch, onClose }: CorrectionProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), orderId: order.orderId }
  const { mutate, isPending, error, reset } = useCommand('patchOrder')
  const head = useFieldsForm(headFields, order)
  const ofLines = useLines(order)
  // A line cannot be taken away again.
  const mayUndo = ofLines.lines.every(({ lineNumber }) => lineNumber !== undefined)
  const undo = useUndo('patchOrder')
  const takeBack = (ifMatch: string | undefined) => {
    const body = { ...head.undone, lineItems: ofLines.undone } as Patch
    void undo([{ params, ifMatch, body }], t('undone'))
  }
  const save = (etag: string | undefined) =>
    mutate(
      { params, ifMatch: etag, body: { ...head.changed, lineItems: ofLines.changed } as Patch },
      tellAndClose(t('corrected'), onClose, mayUndo ? takeBack : undefined),
    )
  const title = t('correctValue', { name: order.orderNumber })
  return (
    <Dialog title={title} onClose={onClose} shape="panel">
      <EditForm
        id="getOrder"
        input={{ params }}
        compare={head.compare}
        etag={ifMatch}
        onSave={save}
        onRead={reset}
        onCancel={onClose}
        submit={t('save')}
        {...{ isPending, error }}
      >
        <FieldInputs {...head} error={error} />
        <Lines {...ofLines} error={error} />
      </EditForm>
    </Dialog>
  )
}

interface LinesProps extends Pick<ReturnType<typeof useLines>, 'lines' | 'setLines'> {
  readonly error: Error | null
}

function Lines({ lines, setLines, error }: LinesProps) {
  const { t } = useTexts()
  return (
    <>
      {lines.map(({ lineNumber, ...line }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a new line is known by its place
        <fieldset key={index} className="fieldGroup">
          <legend>{t('line', { n: lineNumber ?? line.typed.lineNumber ?? '' })}</legend>
          <FieldInputs
            inputs={lineNumber === undefined ? inputsOfNewLine : inputsOfKnownLine}
            typed={line.typed}
            onType={(typed) => setLines(lines.with(index, { ...lines[index]!, typed }))}
            error={error}
            within={`/lineItems/${index}`}
          />
          {lineNumber === undefined && lines.length > 1 && (
            <Button kind="quiet" onPress={() => setLines(lines.toSpliced(index, 1))}>
              {t('remove')}
            </Button>
          )}
        </fieldset>
      ))}
      <div>
        <Button onPress={() => setLines([...lines, noLine])}>{t('addLine')}</Button>
      </div>
    </>
  )
}
