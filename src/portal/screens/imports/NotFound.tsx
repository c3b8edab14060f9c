import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import type { DecidedField } from './decisions.ts'
import { useFieldName } from './fieldNames.ts'
import { TypedField } from './TypedField.tsx'

interface NotFoundProps {
  readonly fields: readonly string[]
  readonly decisionOn: (field: string) => Omit<DecidedField, 'place'>
}

/** The fields that were expected and not found. A person may type their values. */
export function NotFound({ fields, decisionOn }: NotFoundProps) {
  const { t } = useTexts()
  const fieldName = useFieldName()
  return (
    <details>
      <summary>{t('notFoundFields', { names: fields.map(fieldName).join(', ') })}</summary>
      {fields.map((field) => (
        <MissingField key={field} {...{ field, ...decisionOn(field) }} />
      ))}
    </details>
  )
}

function MissingField({
  field,
  isDecided,
  decided,
  onDecide,
}: Omit<DecidedField, 'place'> & { readonly field: string }) {
  const { t } = useTexts()
  const label = useFieldName()(field)
  const [typed, setTyped] = useState(isDecided ? String(decided ?? '') : '')
  return (
    <TypedField
      {...{ field, label, typed, decided, onDecide }}
      onType={setTyped}
      help={t('typeOrLeaveOut')}
    />
  )
}
