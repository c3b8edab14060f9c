import { Select, TextField } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type DecidedField, typedText, typedValues } from './decisions.ts'

interface TypedFieldProps extends Pick<DecidedField, 'decided' | 'onDecide'> {
  readonly field: string
  readonly label: string
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly help: string
  readonly autoFocus?: boolean
}

/**
 * A field in which a person types a value. If a number can be read in two ways, the person is asked which one is meant.
 * Until one is chosen, the decision is the typed text, which the service refuses.
 */
export function TypedField({
  field,
  label,
  typed,
  onType,
  decided,
  onDecide,
  help,
  autoFocus = false,
}: TypedFieldProps) {
  const { t, language } = useTexts()
  const readings = typedValues(typed, field)
  return (
    <>
      <TextField
        {...{ label, help, autoFocus }}
        value={typed}
        onChange={(now) => {
          const [value, ...others] = typedValues(now, field)
          onType(now)
          onDecide(others.length === 0 ? value : now.trim())
        }}
      />
      {readings.length > 1 && (
        <Select
          label={t('whichNumber', { text: typed.trim() })}
          value={readings.includes(decided) ? String(decided) : ''}
          onChange={(chosen) => onDecide(chosen === '' ? typed.trim() : Number(chosen))}
          options={[
            { value: '', text: t('decide') },
            ...readings.map((value) => ({ value: String(value), text: typedText(value, language) })),
          ]}
        />
      )}
    </>
  )
}
