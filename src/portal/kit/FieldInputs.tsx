import { useFieldName } from '../screens/imports/fieldNames.ts'
import { isText, useTexts } from '../texts/texts.ts'
import type { FieldInput, Typed } from './declaredFields.ts'
import { Choices, faultAt, Select, TextField } from './Form.tsx'
import { pointingProps } from './pointing.ts'

interface FieldInputsProps {
  readonly inputs: readonly FieldInput[]
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  readonly error: Error | null
  /** The place of these fields in the body, such as `/lineItems/0`. */
  readonly within?: string
  /** Called when the person points at a field. */
  readonly onPoint?: (path: string) => void
  /** The path of the field at which the person points elsewhere, such as on a page. */
  readonly pointed?: string | undefined
}

/** The inputs for declared fields. */
export function FieldInputs(props: FieldInputsProps) {
  const { inputs, onPoint, pointed } = props
  return (
    <div className="fieldGrid">
      {inputs.map((input) => (
        <div
          key={input.path}
          className={input.path === pointed ? 'pointed' : ''}
          {...pointingProps(() => onPoint?.(input.path))}
        >
          <OneInput input={input} {...props} />
        </div>
      ))}
    </div>
  )
}

function OneInput({
  input: { path, kind, isRequired },
  typed,
  onType,
  error,
  within = '',
}: FieldInputsProps & { readonly input: FieldInput }) {
  const { t } = useTexts()
  const label = useFieldName()(path)
  const value = typed[path] ?? ''
  const onChange = (text: string) => onType({ ...typed, [path]: text })
  const fault = faultAt(error, `${within}/${path.replaceAll('.', '/')}`)?.message
  if (kind.is === 'flag')
    return (
      <Choices
        label={label}
        chosen={value === '' ? [] : [value]}
        onChange={([chosen = '']) => onChange(chosen)}
        options={[{ value: 'yes', text: t('yes') }]}
      />
    )
  if (kind.is === 'oneOf') {
    const textOf = (one: string) => {
      const name = [`form${one}`, one].find(isText)
      return name === undefined ? one : t(name)
    }
    return (
      <Select
        {...{ label, value, onChange, fault, isRequired }}
        options={['', ...kind.values].map((one) => ({
          value: one,
          text: one !== '' ? textOf(one) : isRequired ? '–' : t('none'),
        }))}
      />
    )
  }
  const isBare = !('unit' in kind) || path.startsWith('chemistry.') || kind.unit === 'MPa/MPa'
  return (
    <TextField
      {...{ value, onChange, fault, isRequired }}
      label={isBare ? label : `${label} (${kind.unit})`}
      {...(kind.is === 'date' && { type: 'date' })}
    />
  )
}
