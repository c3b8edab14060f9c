import { useState } from 'react'
import type { RulePackWithDocument } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Form, faultOf, TextField } from '../../kit/Form.tsx'
import { Section } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'

interface PackValidationProps {
  readonly pack: RulePackWithDocument
  readonly onSaved: () => void
}

/** The person who has compared the figures of the pack with its standard, and when. */
export function PackValidation({ pack, onSaved }: PackValidationProps) {
  const { t, date } = useTexts()
  const may = useMay(useCompanyId())('validateRulePack')
  const [isOpen, setIsOpen] = useState(false)
  const { validation } = pack
  return (
    <Section title={t('validation')}>
      <p>
        {validation
          ? t('validatedBy', { ...validation, date: date(validation.date), note: validation.note ?? '' })
          : t('notValidated')}
      </p>
      {may && !isOpen && <Button onPress={() => setIsOpen(true)}>{t('validate')}</Button>}
      {isOpen && (
        <ValidationForm
          pack={pack}
          onSaved={() => {
            setIsOpen(false)
            onSaved()
          }}
          onCancel={() => setIsOpen(false)}
        />
      )}
    </Section>
  )
}

function ValidationForm({
  pack,
  onSaved,
  onCancel,
}: PackValidationProps & { readonly onCancel: () => void }) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), rulePackId: pack.rulePackId }
  const [by, setBy] = useState('')
  const [edition, setEdition] = useState('')
  const [date, setDate] = useState(new Date().toISOString().slice(0, 10))
  const [note, setNote] = useState('')
  const { mutate, isPending, error } = useCommand('validateRulePack')
  const validate = () =>
    mutate({ params, body: { by, edition, date, note: note.trim() || null } }, { onSuccess: onSaved })
  return (
    <Form onSubmit={validate} onCancel={onCancel} submit={t('save')} {...{ isPending, error }}>
      <TextField label={t('validator')} value={by} onChange={setBy} fault={faultOf(error, 'by')} isRequired />
      <TextField
        label={t('edition')}
        value={edition}
        onChange={setEdition}
        fault={faultOf(error, 'edition')}
        isRequired
      />
      <TextField
        label={t('validationDate')}
        value={date}
        onChange={setDate}
        fault={faultOf(error, 'date')}
        isRequired
      />
      <TextField label={t('note')} value={note} onChange={setNote} fault={faultOf(error, 'note')} isLong />
    </Form>
  )
}
