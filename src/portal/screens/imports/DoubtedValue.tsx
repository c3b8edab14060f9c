import { useState } from 'react'
import { doubtIn } from '../../../domain/certificates/readingDoubts.ts'
import type { ImportRow } from '../../api/generated.ts'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type DecidedField, typedText } from './decisions.ts'
import { useFieldName } from './fieldNames.ts'
import { ReadClip } from './ReadClip.tsx'
import { TypedField } from './TypedField.tsx'

interface DoubtedValueProps extends DecidedField {
  readonly open: ImportRow['undecided'][number]
  readonly file: Blob
  readonly onUndo: () => void
}

/** A value that was read with doubt, beside its picture: a person confirms or corrects it. */
export function DoubtedValue({ open, file, place, isDecided, decided, onDecide, onUndo }: DoubtedValueProps) {
  const { t, language } = useTexts()
  const { field, candidates, at, doubt } = open
  const [read] = candidates
  const label = useFieldName()(field)
  const [typed, setTyped] = useState(typedText(isDecided ? decided : read, language))
  const [isCorrecting, setIsCorrecting] = useState(isDecided && decided !== read)
  const undo = () => {
    onUndo()
    setIsCorrecting(false)
    setTyped(typedText(read, language))
  }
  return (
    <div className="doubted">
      <ReadClip {...{ file, at, label }} />
      <p>
        <span className="muted">{label}:</span> <strong>{typedText(read, language)}</strong>{' '}
        <Mark tone={isDecided ? 'good' : 'warn'}>{t(isDecided ? 'confirmedByYou' : 'toConfirm')}</Mark>
        <br />
        {doubt && doubtIn(language, doubt)} <span className="muted">({place})</span>
      </p>
      {isCorrecting && (
        <TypedField
          {...{ field, label, typed, decided, onDecide }}
          onType={setTyped}
          help={t('typeOrLeaveOut')}
          autoFocus={!isDecided}
        />
      )}
      <p className="chips">
        {isDecided || isCorrecting ? (
          <Button kind="quiet" label={t('asReadValue', { name: label })} onPress={undo}>
            {t('asRead')}
          </Button>
        ) : (
          <>
            <Button label={t('confirmValue', { name: label })} onPress={() => onDecide(read)}>
              {t('confirmRead')}
            </Button>
            <Button
              kind="quiet"
              label={t('correctValue', { name: label })}
              onPress={() => setIsCorrecting(true)}
            >
              {t('correct')}
            </Button>
          </>
        )}
      </p>
    </div>
  )
}
