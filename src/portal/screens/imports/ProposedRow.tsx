import { useState } from 'react'
import type { ImportRow } from '../../api/generated.ts'
import { Mark, type Tone } from '../../kit/Chip.tsx'
import { Select } from '../../kit/Form.tsx'
import { pointingProps } from '../../kit/pointing.ts'
import { Value } from '../../kit/Value.tsx'
import { faultText } from '../../texts/faults.ts'
import { type TextName, useTexts } from '../../texts/texts.ts'
import { DoubtedValue } from './DoubtedValue.tsx'
import {
  type DecidedField,
  type Deciding,
  isDoubted,
  isRefused,
  keyOf,
  lacksOf,
  typedText,
} from './decisions.ts'
import { useFieldName } from './fieldNames.ts'
import { NotFound } from './NotFound.tsx'
import { ReadClip } from './ReadClip.tsx'
import { ReadValue } from './ReadValue.tsx'
import type { Pointing } from './readPlaces.ts'
import { TypedField } from './TypedField.tsx'

/** One record of a proposal: its faults, the values that the file leaves open, and those that were read from it. */

const actionTexts = {
  create: ['importCreate', 'good'],
  update: ['importUpdate', 'info'],
  unchanged: ['importUnchanged', 'calm'],
  refused: ['importRefused', 'bad'],
  undecided: ['importUndecided', 'warn'],
} as const satisfies Record<ImportRow['action'] | 'undecided', readonly [TextName, Tone]>

/** How much the row needs a person. */
export function needOf({ undecided, faults }: ImportRow): number {
  return faults.length > 0 ? 2 : undecided.length > 0 ? 1 : 0
}

/** Up to this many questions that may stay open are shown at once. */
const shownOptional = 3

interface ProposedRowProps extends Deciding, Pointing {
  readonly one: ImportRow
  readonly file: Blob
}

export function ProposedRow({ one, file, decisions, onDecide, onUndo, pointed, onPoint }: ProposedRowProps) {
  const { t, number } = useTexts()
  const { row, action, values, undecided, faults, changes, notFound = [], onPages } = one
  const lacks = lacksOf(one, decisions)
  const placeOf = usePlace()
  const lacking = isRefused(one, decisions) ? 'refused' : 'undecided'
  // The decisions may save a row that was refused.
  const [text, tone] = actionTexts[lacks.length > 0 ? lacking : action === 'refused' ? 'create' : action]
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
  const question = (open: ImportRow['undecided'][number]) => {
    const { field, at } = open
    const deciding = { open, place: placeOf(at), file, ...decisionOn(field) }
    return (
      <div
        key={field}
        className={keyOf(row, field) === pointed ? 'readPlace pointed' : 'readPlace'}
        {...pointingProps(() => onPoint(keyOf(row, field)))}
      >
        {isDoubted(one, field) ? <DoubtedValue {...deciding} /> : <Decision {...deciding} />}
      </div>
    )
  }
  const isNeeded = ({ field, required }: ImportRow['undecided'][number]) => required || isDoubted(one, field)
  const neededFields = undecided.filter(isNeeded)
  const optional = undecided.filter((open) => !isNeeded(open))
  const presentValue = ({ field, value }: ImportRow['values'][number]) => {
    const { isDecided, decided } = decisionOn(field)
    return isDecided ? decided : value
  }
  const changed = values.filter((read) => presentValue(read) !== read.value).length
  return (
    <li className="card">
      <h3>
        {t('importRow', { n: row })} <Mark tone={tone}>{t(text)}</Mark>{' '}
        {changed > 0 && <Mark tone="warn">{t('changedByYou', { n: number(changed) })}</Mark>}{' '}
        {onPages && <span className="muted">{t('onPages', { pages: onPages.join(', ') })}</span>}
      </h3>
      <p className="small">
        {values
          .filter(({ field }) => !field.includes('.'))
          .slice(0, 4)
          .map((read) => String(presentValue(read) ?? '–'))
          .join(' · ')}
      </p>
      <Faults faults={faults} />
      <Changes changes={changes} />
      {neededFields.map(question)}
      {optional.length > 0 && (
        <details open={optional.length <= shownOptional}>
          <summary>{t('optionalQuestions', { n: number(optional.length) })}</summary>
          {optional.map(question)}
        </details>
      )}
      {notFound.length > 0 && <NotFound fields={notFound} decisionOn={decisionOn} />}
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{t('seenValues')}</summary>
        {isOpen && (
          <ul className="changes">
            {values.map((read) => (
              <ReadValue
                key={read.field}
                read={read}
                file={file}
                place={placeOf(read.at)}
                isPointed={keyOf(row, read.field) === pointed}
                onPoint={() => onPoint(keyOf(row, read.field))}
                {...decisionOn(read.field)}
              />
            ))}
          </ul>
        )}
      </details>
    </li>
  )
}

function Faults({ faults }: Pick<ImportRow, 'faults'>) {
  const { language } = useTexts()
  const fieldName = useFieldName()
  const placeOf = usePlace()
  const shownFaults = faults.filter(({ code }) => code !== 'unconfirmed')
  // Messages of the API name the field by its path.
  const textOf = ({ field, code, message }: ImportRow['faults'][number]) => {
    if (field === undefined) return faultText({ code, message }, language)
    const about = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message
    return `${fieldName(field)}: ${faultText({ code, message: about }, language)}`
  }
  return (
    <ul className="plainList">
      {shownFaults.map((fault) => (
        <li key={`${fault.code} ${fault.message}`}>
          {textOf(fault)} <span className="muted">({placeOf(fault.at)})</span>
        </li>
      ))}
    </ul>
  )
}

function Changes({ changes }: Pick<ImportRow, 'changes'>) {
  const fieldName = useFieldName()
  if (changes.length === 0) return null
  return (
    <ul className="changes">
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          <span className="muted">{fieldName(field)}:</span> <Value value={from} nameOf={fieldName} /> →{' '}
          <Value value={to} nameOf={fieldName} />
        </li>
      ))}
    </ul>
  )
}

interface DecisionProps extends DecidedField {
  readonly open: ImportRow['undecided'][number]
  readonly file: Blob
}

/** Ask for a value that the file leaves open: one of those that it allows, or else whatever the person reads there. */
function Decision({ open, file, place, isDecided, decided, onDecide }: DecisionProps) {
  const { field, candidates, text, at, required } = open
  const { t, language } = useTexts()
  // The decided value is a number as soon as "1," is typed, so the field keeps the typed text itself.
  const [typed, setTyped] = useState(isDecided ? String(decided ?? '') : '')
  const label = useFieldName()(field)
  const help = [required && t('neededToImport'), text && `“${text}”`, place].filter(Boolean).join(' · ')
  const isRead = candidates.length > 0 || text !== undefined
  if (candidates.length === 0)
    return (
      <>
        {isRead && <ReadClip {...{ file, at, label }} />}
        <TypedField
          {...{ field, label, typed, decided, onDecide }}
          onType={setTyped}
          help={`${help} · ${t('typeOrLeaveOut')}`}
        />
      </>
    )
  return (
    <>
      <ReadClip {...{ file, at, label }} />
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
    </>
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
