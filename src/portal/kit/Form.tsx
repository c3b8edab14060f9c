import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react'
import { TextField as AriaTextField, FieldError, Input, Label, Text, TextArea } from 'react-aria-components'
import { ApiProblem } from '../api/problem.ts'
import { faultText } from '../texts/faults.ts'
import { currentLanguage, useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { useFailure } from './Notice.tsx'

/** The one form kit: fields with label, help and fault; the form shows the faults that the service finds. */

export interface FormProps {
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly submit: string
  readonly isPending: boolean
  readonly error: Error | null
  /** False: the form can be read, but not be sent, because the record has changed. */
  readonly isPossible?: boolean
  readonly children: ReactNode
}

export function Form({
  onSubmit,
  onCancel,
  submit,
  isPending,
  error,
  isPossible = true,
  children,
}: FormProps) {
  const { t } = useTexts()
  const form = useRef<HTMLFormElement>(null)
  // In a long form, the fault may be far above the button.
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return (
    <form
      ref={form}
      className="form"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        if (isPossible && !isPending) onSubmit()
      }}
    >
      {children}
      <FormError error={error} />
      <div className="dialogActions">
        <Button onPress={onCancel}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" isPending={isPending || !isPossible}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** Say why the service refused, beside the faults of single fields. */
export function FormError({ error }: { readonly error: Error | null }) {
  return error ? <ShownError error={error} /> : null
}

function ShownError({ error }: { readonly error: Error }) {
  const { t } = useTexts()
  const { title, text, trace } = useFailure(error)
  return (
    <div className="formError" role="alert">
      <strong>{title}</strong>
      {!hasFindings(error) && <span>{text}</span>}
      {trace !== undefined && <span className="small">{t('trace', { id: trace })}</span>}
    </div>
  )
}

/** Whether the error has findings. They are shown one by one beside it, and its detail would repeat them. */
function hasFindings(error: Error): boolean {
  return (
    error instanceof ApiProblem && Array.isArray(error.problem.findings) && error.problem.findings.length > 0
  )
}

/** Return the fault that the service found in a member of the body. */
export function faultOf(error: Error | null, member: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  const fault = error.problem.errors?.find(({ pointer }) => pointer?.split('/')[1] === member)
  return fault && faultText(fault, currentLanguage())
}

/** Return the fault that the service found at this place of the body. */
export function faultAt(error: Error | null, place: string) {
  if (!(error instanceof ApiProblem)) return undefined
  const fault = error.problem.errors?.find(({ pointer }) => pointer === `#${place}`)
  return fault && { ...fault, message: faultText(fault, currentLanguage()) }
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: string | undefined
  readonly fault?: string | undefined
}

interface TextFieldProps extends FieldProps {
  readonly isRequired?: boolean
  readonly isLong?: boolean
  readonly type?: 'text' | 'search' | 'number' | 'date' | 'datetime-local'
  readonly placeholder?: string | undefined
  readonly autoFocus?: boolean
  readonly inputMode?: 'numeric'
}

export function TextField({
  label,
  value,
  onChange,
  help,
  fault,
  isRequired = false,
  isLong = false,
  type = 'text',
  placeholder,
  autoFocus = false,
  inputMode,
}: TextFieldProps) {
  const { t } = useTexts()
  // For an empty field, the service would name the least number of characters.
  const shownFault = fault !== undefined && isRequired && value.trim() === '' ? t('enterValue') : fault
  return (
    <AriaTextField
      className="field"
      {...{ value, onChange, isRequired, type, autoFocus }}
      isInvalid={fault !== undefined}
      validationBehavior="aria"
    >
      <Label>{label}</Label>
      {isLong ? (
        <TextArea rows={4} className="input" />
      ) : (
        <Input
          className="input"
          required={isRequired}
          // A scanner that has read nothing sends only Enter, which must not send the form.
          onKeyDown={(event) => {
            if (event.key === 'Enter' && value.trim() === '') event.preventDefault()
          }}
          {...(placeholder && { placeholder })}
          {...(inputMode && { inputMode })}
          // Show seconds, too.
          {...(type === 'datetime-local' && { step: 1 })}
        />
      )}
      {help !== undefined && (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <FieldError className="fault">{shownFault}</FieldError>
    </AriaTextField>
  )
}

interface SelectProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly isCompact?: boolean
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
}

/** The browser's own list: it suits every screen, finger and reader. */
export function Select({
  label,
  value,
  onChange,
  help,
  fault,
  options,
  isCompact = false,
  isDisabled = false,
  isRequired = false,
}: SelectProps) {
  const id = useId()
  return (
    <div className={isCompact ? 'field compact' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input"
        value={value}
        disabled={isDisabled}
        required={isRequired}
        aria-invalid={fault !== undefined}
        {...(fault !== undefined && { 'aria-describedby': `${id}-fault` })}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {help !== undefined && <span className="help">{help}</span>}
      {fault !== undefined && (
        <span id={`${id}-fault`} className="fault">
          {fault}
        </span>
      )}
    </div>
  )
}

export function ColourField({ label, value, onChange, fault }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="colourField">
        <input
          id={id}
          type="color"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          aria-describedby={`${id}-value`}
        />
        <code id={`${id}-value`}>{value}</code>
      </div>
      {fault !== undefined && <span className="fault">{fault}</span>}
    </div>
  )
}

interface ChoicesProps {
  readonly label: string
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
  readonly options: readonly { readonly value: string; readonly text: ReactNode }[]
  readonly fault?: string | undefined
  readonly isDisabled?: boolean
}

/** Several of some choices. */
export function Choices({ label, chosen, onChange, options, fault, isDisabled = false }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset
      className="choices"
      disabled={isDisabled}
      aria-describedby={fault === undefined ? undefined : id}
    >
      <legend>{label}</legend>
      {options.map(({ value, text }) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          <span>{text}</span>
        </label>
      ))}
      {fault !== undefined && (
        <span id={id} className="fault">
          {fault}
        </span>
      )}
    </fieldset>
  )
}

interface OneOfProps {
  readonly label: string
  readonly chosen: string
  readonly onChange: (chosen: string) => void
  readonly options: ChoicesProps['options']
}

/** A choice of one option, where an option is more than a word. */
export function OneOf({ label, chosen, onChange, options }: OneOfProps) {
  const name = useId()
  return (
    <fieldset className="choices oneOf">
      <legend>{label}</legend>
      {options.map(({ value, text }) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChange(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
