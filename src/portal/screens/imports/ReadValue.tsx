import { useState } from 'react'
import type { ImportRow } from '../../api/generated.ts'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { pointingProps } from '../../kit/pointing.ts'
import { Value } from '../../kit/Value.tsx'
import { useTexts } from '../../texts/texts.ts'
import { conversionText, type DecidedField, typedText } from './decisions.ts'
import { useFieldName } from './fieldNames.ts'
import { ReadClip } from './ReadClip.tsx'
import { TypedField } from './TypedField.tsx'

interface ReadValueProps extends DecidedField {
  readonly read: ImportRow['values'][number]
  readonly file: Blob
  readonly onUndo: () => void
  readonly isPointed: boolean
  readonly onPoint: () => void
}

/** A value that was read from the file, and where. A person who reads something else there types it in its place. */
export function ReadValue({
  read: { field, value, conversion, at, confidence },
  file,
  place,
  isDecided,
  decided,
  onDecide,
  onUndo,
  isPointed,
  onPoint,
}: ReadValueProps) {
  const { t, language, number } = useTexts()
  const clip = <ReadClip {...{ file, at, label: useFieldName()(field) }} />
  const label = useFieldName()(field)
  const [typed, setTyped] = useState(typedText(isDecided ? decided : value, language))
  const [isCorrecting, setIsCorrecting] = useState(isDecided)
  // The button that ends the correction goes, and this one takes its focus.
  const [wasCorrecting, setWasCorrecting] = useState(false)
  if (!isCorrecting)
    return (
      <li className={isPointed ? 'readValue pointed' : 'readValue'} {...pointingProps(onPoint)}>
        {clip}
        <span>
          <span className="muted">{label}:</span>{' '}
          {conversion === undefined ? <Value value={value} /> : conversionText(conversion, language)}{' '}
          <span className="muted">
            ({place}
            {confidence !== undefined && ` · ${t('certainty', { n: number(Math.round(100 * confidence)) })}`})
          </span>
        </span>
        {(typeof value === 'string' || typeof value === 'number') && (
          <Button
            kind="quiet"
            label={t('correctValue', { name: label })}
            onPress={() => setIsCorrecting(true)}
            autoFocus={wasCorrecting}
          >
            {t('correct')}
          </Button>
        )}
      </li>
    )
  const undo = () => {
    onUndo()
    setTyped(typedText(value, language))
    setIsCorrecting(false)
    setWasCorrecting(true)
  }
  return (
    <li className={isPointed ? 'pointed' : ''} {...pointingProps(onPoint)}>
      {clip}
      <TypedField
        {...{ field, label, typed, decided, onDecide }}
        onType={setTyped}
        autoFocus={!isDecided}
        help={t('wasRead', { value: typedText(value, language), place })}
      />
      <p className="chips">
        {isDecided && decided !== value && <Mark tone="warn">{t('changedByYouOne')}</Mark>}
        <Button kind="quiet" label={t('asReadValue', { name: label })} onPress={undo}>
          {t('asRead')}
        </Button>
      </p>
    </li>
  )
}
