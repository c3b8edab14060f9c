import { useState } from 'react'
import { useCommand } from '../../../api/queries.ts'
import { Button } from '../../../kit/Button.tsx'
import { Copyable } from '../../../kit/Copyable.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { Form, faultOf, Select, TextField } from '../../../kit/Form.tsx'
import { useTexts } from '../../../texts/texts.ts'

interface NewKeyProps {
  readonly onClose: () => void
  /** The key is null when the service answers a repeated request. */
  readonly onCreated: (key: string | null) => void
}

export function NewKey({ onClose, onCreated }: NewKeyProps) {
  const { t } = useTexts()
  const [label, setLabel] = useState('')
  const [days, setDays] = useState('90')
  const { mutate, isPending, error } = useCommand('createApiKey')
  const create = () =>
    mutate(
      { body: { label: label.trim(), expiresInDays: days === '' ? null : Number(days) } },
      { onSuccess: ({ data }) => onCreated(data.key) },
    )
  return (
    <Dialog title={t('createKey')} onClose={onClose} shape="panel">
      <Form onSubmit={create} onCancel={onClose} submit={t('createKey')} {...{ isPending, error }}>
        <TextField
          label={t('label')}
          help={t('keyLabelHelp')}
          value={label}
          onChange={setLabel}
          fault={faultOf(error, 'label')}
          isRequired
          autoFocus
        />
        <Select
          label={t('expires')}
          value={days}
          onChange={setDays}
          fault={faultOf(error, 'expiresInDays')}
          options={[
            ...[7, 30, 90, 180].map((n) => ({ value: String(n), text: t('days', { n }) })),
            { value: '365', text: t('oneYear') },
            { value: '', text: t('never') },
          ]}
        />
      </Form>
    </Dialog>
  )
}

interface ShownSecretProps {
  readonly title: string
  readonly text: string
  readonly value: string
  readonly onClose: () => void
}

/** The secret is in this dialog alone, and is gone when it closes. */
export function ShownSecret({ title, text, value, onClose }: ShownSecretProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title} onClose={onClose} isPressing>
      <div className="dialogBody">
        <p>{text}</p>
        <Copyable text={value} />
      </div>
      <div className="dialogActions">
        <Button kind="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </div>
    </Dialog>
  )
}
