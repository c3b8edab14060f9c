import { useDeferredValue, useState } from 'react'
import type { Order } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { faultAt, TextField } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { CutDiagram } from './CutDiagram.tsx'
import { newBars, type TypedBar, type TypedCut, withCut } from './typedBars.ts'

interface BarFieldsProps {
  readonly bar: TypedBar
  readonly onType: (bar: TypedBar) => void
  readonly error: Error | null
  /** The place in the request of the bar, or of one of its cuts. */
  readonly place: (cut?: number) => string
  /** There is only one such bar. */
  readonly isOne: boolean
}

/** The stock of a bar, its pieces, and both to scale. */
export function BarFields({ bar, onType, error, place, isOne }: BarFieldsProps) {
  const { t } = useTexts()
  const field = (name: 'stockLengthMm' | 'profile' | 'grade' | 'count') => ({
    value: bar[name],
    onChange: (value: string) => onType({ ...bar, [name]: value }),
    fault: faultAt(error, `${place()}/${name}`)?.message,
  })
  return (
    <>
      <div className="fieldGrid">
        <TextField label={`${t('stockLength')} (mm)`} {...field('stockLengthMm')} isRequired />
        <TextField label={t('profile')} {...field('profile')} />
        <TextField label={t('grade')} {...field('grade')} isRequired />
        {!isOne && <TextField label={t('sameBars')} {...field('count')} inputMode="numeric" isRequired />}
      </div>
      {bar.cuts.map((cut, index) => (
        <CutFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a cut that is being typed is known by its place
          key={index}
          cut={cut}
          fault={faultAt(error, `${place(index)}/lengthMm`)?.message}
          onType={(typed) => onType({ ...bar, cuts: bar.cuts.with(index, typed) })}
          onRemove={() => onType({ ...bar, cuts: bar.cuts.toSpliced(index, 1) })}
        />
      ))}
      <Drawing bar={bar} />
      <LinePicker onPick={(order, line) => onType(withCut(bar, order, line))} />
    </>
  )
}

interface CutFieldsProps {
  readonly cut: TypedCut
  readonly fault: string | undefined
  readonly onType: (cut: TypedCut) => void
  readonly onRemove: () => void
}

function CutFields({ cut, fault, onType, onRemove }: CutFieldsProps) {
  const { t } = useTexts()
  return (
    <fieldset className="fieldGroup">
      <legend>{cut.name}</legend>
      <div className="fieldGrid">
        <TextField
          label={t('piecesOfCut')}
          value={cut.pieces}
          onChange={(pieces) => onType({ ...cut, pieces })}
          inputMode="numeric"
          isRequired
        />
        <TextField
          label={`${t('length')} (mm)`}
          value={cut.lengthMm}
          onChange={(lengthMm) => onType({ ...cut, lengthMm })}
          fault={fault}
          isRequired
        />
      </div>
      <div>
        <Button kind="quiet" onPress={onRemove}>
          {t('remove')}
        </Button>
      </div>
    </fieldset>
  )
}

/** The lines that are offered at once. A longer search text finds the others. */
const offered = 8

interface LinePickerProps {
  readonly onPick: (order: Order, line: Order['lineItems'][number]) => void
}

/** Find a line by its order or customer, and add a piece of it. */
function LinePicker({ onPick }: LinePickerProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { rows } = useList(
    'listOrders',
    { params: { companyId }, query: { q, status: ['Open', 'In Progress'], limit: offered } },
    { enabled: q !== '', every: false },
  )
  const offers = (q === '' ? [] : (rows ?? []))
    .flatMap((order) => order.lineItems.map((line) => ({ order, line })))
    .filter(({ line }) => !line.cancelled && line.status !== 'Completed')
    .slice(0, offered)
  return (
    <>
      <TextField
        label={t('addPieces')}
        value={typed}
        onChange={setTyped}
        type="search"
        placeholder={t('searchOrders')}
      />
      {offers.length > 0 && (
        <ul className="offers">
          {offers.map(({ order, line }) => (
            <li key={line.lineItemId}>
              <Button onPress={() => onPick(order, line)}>
                {[
                  order.orderNumber,
                  t('line', { n: number(line.lineNumber) }),
                  line.profile ?? line.description,
                  line.grade,
                  line.pieceMark,
                  t('pieces', { n: number(line.quantity), length: number(line.lengthMm) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {q !== '' && rows && offers.length === 0 && <p className="muted">{t('nothingFound')}</p>}
    </>
  )
}

function Drawing({ bar }: Pick<BarFieldsProps, 'bar'>) {
  const { t, number } = useTexts()
  const [newBar] = newBars([{ ...bar, count: '1' }])
  const { stockLengthMm, cuts } = newBar!
  const usedMm = cuts.reduce((sum, { lengthMm }) => sum + lengthMm, 0)
  // A text that is no number yet stays as it was typed.
  if (!Number.isFinite(stockLengthMm) || !Number.isFinite(usedMm) || usedMm === 0) return null
  const remnantMm = stockLengthMm - usedMm
  const numbered = cuts.map((cut, index) => ({
    ...cut,
    pieceMark: cut.pieceMark ?? null,
    cutId: String(index),
  }))
  return (
    <>
      <CutDiagram
        bar={{ stockLengthMm, remnantMm, cuts: numbered }}
        longestMm={Math.max(stockLengthMm, usedMm)}
      />
      <p className={remnantMm < 0 ? 'fault' : 'muted'} role="status">
        {remnantMm < 0
          ? t('overfull', { length: number(-remnantMm) })
          : `${t('remnant')} ${number(remnantMm)} mm`}
      </p>
    </>
  )
}
