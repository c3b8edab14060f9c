import { useState } from 'react'
import type { Input } from '../api/client.ts'
import { useDownload } from '../api/queries.ts'
import { useCompanyId } from '../app/company.tsx'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form, OneOf, TextField } from './Form.tsx'

type Query = NonNullable<Input<'getLabels'>['query']>

/** The record that gets labels: the heat of a certificate, or the bars of a plan. */
type Labelled = Pick<Query, 'millCertificationId' | 'planId' | 'barId'>

export function LabelsButton({ of }: { readonly of: Labelled }) {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t('labels')}</Button>
      {isOpen && <LabelsDialog of={of} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface LabelsDialogProps {
  readonly of: Labelled
  readonly onClose: () => void
}

/** Labels as a PDF file, for the paper that the printer has. */
export function LabelsDialog({ of, onClose }: LabelsDialogProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const [kind, setKind] = useState<NonNullable<Query['of']>>('bars')
  const [paper, setPaper] = useState<NonNullable<Query['paper']>>('A4')
  const [copies, setCopies] = useState('1')
  const { mutate, isPending, error } = useDownload('getLabels')
  const isOfBars = of.millCertificationId === undefined
  const query = { ...of, ...(isOfBars && { of: kind }), paper, copies: Number(copies) }
  return (
    <Dialog title={t('labels')} onClose={onClose}>
      <Form
        onSubmit={() => mutate({ input: { params, query } }, { onSuccess: onClose })}
        onCancel={onClose}
        submit={t('saveLabels')}
        {...{ isPending, error }}
      >
        {isOfBars && (
          <OneOf
            label={t('labelsOf')}
            chosen={kind}
            onChange={(chosen) => setKind(chosen as typeof kind)}
            options={[
              { value: 'bars', text: t('bars') },
              { value: 'pieces', text: t('piecesOfItem') },
            ]}
          />
        )}
        <OneOf
          label={t('paper')}
          chosen={paper}
          onChange={(chosen) => setPaper(chosen as typeof paper)}
          options={[
            { value: 'A4', text: t('paperA4') },
            { value: 'roll62', text: t('paperRoll') },
          ]}
        />
        <TextField label={t('copies')} value={copies} onChange={setCopies} isRequired type="number" />
      </Form>
    </Dialog>
  )
}
