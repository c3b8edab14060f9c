import { useState } from 'react'
import type { ApiKey } from '../../../api/generated.ts'
import { useCommand } from '../../../api/queries.ts'
import { Dialog } from '../../../kit/Dialog.tsx'
import { Form, Select } from '../../../kit/Form.tsx'
import { useTexts } from '../../../texts/texts.ts'

interface RollOneProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  /** The key is null when the service answers a repeated request. */
  readonly onRolled: (key: string | null) => void
}

/** Replace one key, which goes on for some time, so that its program can take the new one. */
export function RollOne({ apiKey: { keyId, label }, onClose, onRolled }: RollOneProps) {
  const { t } = useTexts()
  const [hours, setHours] = useState('24')
  const { mutate, isPending, error } = useCommand('rollApiKey')
  const roll = () =>
    mutate(
      { params: { keyId }, body: { overlapHours: Number(hours) } },
      { onSuccess: ({ data }) => onRolled(data.key) },
    )
  return (
    <Dialog title={t('rollOneTitle', { name: label })} onClose={onClose} role="alertdialog">
      <p className="dialogBody">{t('rollOneText')}</p>
      <Form onSubmit={roll} onCancel={onClose} submit={t('rollOne')} {...{ isPending, error }}>
        <Select
          label={t('overlap')}
          value={hours}
          onChange={setHours}
          options={[
            { value: '0', text: t('atOnce') },
            ...[1, 24].map((n) => ({ value: String(n), text: t('hours', { n }) })),
            ...[3, 7].map((n) => ({ value: String(24 * n), text: t('days', { n }) })),
          ]}
        />
      </Form>
    </Dialog>
  )
}
