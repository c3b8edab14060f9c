import { useState } from 'react'
import type { ImportRow } from '../../api/generated.ts'
import { Mark, type Tone } from '../../kit/Chip.tsx'
import { Select } from '../../kit/Form.tsx'
import { Value } from '../../kit/Timeline.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { type DecidedField, type Deciding, keyOf, typedText } from './decisions.ts'
import { useFieldName } from './fieldNames.ts'
import { ReadValue } from './ReadValue.tsx'
import { TypedField } from './TypedField.tsx'

/** One record of a proposal: its faults, the values that the file leaves open, and those that were read from it. */

const actionTexts = {
  create: ['importCreate', 'good'],
  update: ['importUpdate', 'info'],
  unchanged: ['importUnchanged', 'calm'],
  refused: ['importRefused', 'bad'],
} as const satisfies Record<ImportRow['action'], readonly [TextName, Tone]>

/** How much the row needs a person. */
export function needOf({ undecided, faults }: ImportRow): number {
  return faults.length > 0 ? 2 : undecided.length > 0 ? 1 : 0
}

export function ProposedRow({ one, decisions, onDecide, onUndo }: Deciding & { readonly one: ImportRow }) {
  const { t, number } = useTexts()
  const { row, action, values, undecided, faults, changes } = one
  const fieldName = useFieldName()
  const placeOf = usePlace()
  const [text, tone] = actionTexts[action]
  const [isOpen, setIsOpen] = useState(false)
  const decisionOn = (field: string) => {
    const key = keyOf(row, field)
    return {
      isDecided: decisions.has(key),
      decided: decisions.get(key),
      onDecide: (value: unknown) => onDecide(key, value),
      onUndo: () => onUndo(key),
    }
  }
  const presentValue = ({ field, value }: ImportRow['values'][number]) => {
    const { isDecided, decided } = decisionOn(field)
    return isDecided ? decided : value
  }
  const changed = values.filter((read) => presentValue(read) !== read.value).length
  return (
    <li className="card">
      <h3>
        {t('importRow', { n: row })} <Mark tone={tone}>{t(text)}</Mark>{' '}
        {changed > 0 && <Mark tone="warn">{t('changedByYou', { n: number(changed) })}</Mark>}
      </h3>
      <p className="small">
        {values
          .slice(0, 4)
          .map((read) => String(presentValue(read) ?? '–'))
          .join(' · ')}
      </p>
      <ul className="plainList">
        {faults.map(({ at, code, message }) => (
          <li key={`${code} ${message}`}>
            <span lang="en">{message}</span> <span className="muted">({placeOf(at)})</span>
          </li>
        ))}
      </ul>
      {changes.length > 0 && (
        <ul className="changes">
          {changes.map(({ field, from, to }) => (
            <li key={field}>
              <span className="muted">{fieldName(field)}:</span> <Value value={from} /> → <Value value={to} />
            </li>
          ))}
        </ul>
      )}
      {undecided.map((open) => (
        <Decision key={open.field} open={open} place={placeOf(open.at)} {...decisionOn(open.field)} />
      ))}
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{t('seenValues')}</summary>
        {isOpen && (
          <ul className="changes">
            {values.map((read) => (
              <ReadValue key={read.field} read={read} place={placeOf(read.at)} {...decisionOn(read.field)} />
            ))}
          </ul>
        )}
      </details>
    </li>
  )
}

interface DecisionProps extends DecidedField {
  readonly open: ImportRow['undecided'][number]
}

/** Ask for a value that the file leaves open: one of those that it allows, or else whatever the person reads there. */
function Decision({ open: { field, candidates, text }, place, isDecided, decided, onDecide }: DecisionProps) {
  const { t, language } = useTexts()
  // The decided value is a number as soon as "1," is typed, so the field keeps the typed text itself.
  const [typed, setTyped] = useState(isDecided ? String(decided ?? '') : '')
  const label = useFieldName()(field)
  const help = [text && `“${text}”`, place].filter(Boolean).join(' · ')
  if (candidates.length === 0)
    return (
      <TypedField
        {...{ field, label, typed, decided, onDecide }}
        onType={setTyped}
        help={`${help} · ${t('typeOrLeaveOut')}`}
      />
    )
  return (
    <Select
      label={label}
      value={isDecided ? JSON.stringify(decided) : ''}
      onChange={(value) => value !== '' && onDecide(JSON.parse(value))}
      help={help}
      options={[
        { value: '', text: t('decide') },
        ...candidates.map((value) => ({ value: JSON.stringify(value), text: typedText(value, language) })),
        { value: 'null', text: t('leaveOut') },
      ]}
    />
  )
}

type At = ImportRow['values'][number]['at']

/** Return a function that says where in the file something was read. */
function usePlace(): (at: At) => string {
  const { t } = useTexts()
  return (at) => {
    if ('pointer' in at) return at.pointer
    if ('page' in at) return t('pageNumber', { n: at.page })
    return at.cell ?? t('lineColumn', { line: at.line, column: at.column })
  }
}
