import { lazy, Suspense, useState } from 'react'
import { certificateFields } from '../../../domain/certificates/certificateContent.ts'
import type { CertificateWithFindings } from '../../api/generated.ts'
import { useCommand, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { ConflictDialog } from '../../kit/ConflictDialog.tsx'
import { isConflict } from '../../kit/conflict.ts'
import type { FieldInput } from '../../kit/declaredFields.ts'
import { FieldInputs } from '../../kit/FieldInputs.tsx'
import { Form } from '../../kit/Form.tsx'
import { Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { useFieldsForm } from '../../kit/useFieldsForm.ts'
import { useTexts } from '../../texts/texts.ts'
import { Documents } from './Documents.tsx'

const MarkedOriginal = lazy(async () => ({ default: (await import('./MarkedOriginal.tsx')).MarkedOriginal }))

interface CorrectCertificateProps {
  readonly certificate: CertificateWithFindings
  readonly onClose: () => void
}

/** Correct the values of a certificate beside its original. */
export function CorrectCertificate({ certificate, onClose }: CorrectCertificateProps) {
  const { millCertificationId } = certificate
  const params = { companyId: useCompanyId(), millCertificationId }
  const { seen, ifMatch, isReading } = useSeen('getCertificate', { params })
  if (isReading) return <Loading />
  return <Values certificate={seen ?? certificate} {...{ ifMatch, onClose }} />
}

interface ValuesProps extends CorrectCertificateProps {
  readonly ifMatch: string | undefined
}

function Values({ certificate, ifMatch, onClose }: ValuesProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), millCertificationId: certificate.millCertificationId }
  const { mutate, isPending, error, reset } = useCommand('patchCertificate')
  const form = useFieldsForm(certificateFields, certificate)
  const [start] = useState(ifMatch)
  const [pointed, setPointed] = useState<string>()
  const { changed, undone } = form
  const undo = useUndo('patchCertificate')
  const save = (newest = start) =>
    mutate(
      { params, ifMatch: newest, body: changed },
      tellAndClose(t('corrected'), onClose, (etag) =>
        undo([{ params, ifMatch: etag, body: undone }], t('undone')),
      ),
    )
  const original = certificate.documents.find(({ mediaType }) => mediaType === 'application/pdf')
  const isPart = (name: string) => (input: FieldInput) => input.path.startsWith(`${name}.`)
  const parts = [
    { title: t('record'), inputs: form.inputs.filter(({ path }) => !path.includes('.')) },
    { title: t('chemistry'), inputs: form.inputs.filter(isPart('chemistry')) },
    { title: t('mechanical'), inputs: form.inputs.filter(isPart('mechanical')) },
  ]
  return (
    <div className="beside">
      <Form
        onSubmit={() => (Object.keys(changed).length === 0 ? onClose() : save())}
        onCancel={onClose}
        submit={t('save')}
        error={isConflict(error) ? null : error}
        {...{ isPending }}
      >
        {parts.map(({ title, inputs }) => (
          <Section key={title} title={title}>
            <FieldInputs
              {...{ inputs, error, pointed }}
              typed={form.typed}
              onType={form.onType}
              onPoint={setPointed}
            />
          </Section>
        ))}
      </Form>
      <div className="besideOriginal">
        {original ? (
          <Suspense fallback={<Loading />}>
            <MarkedOriginal
              documentId={original.documentId}
              name={original.fileName}
              wanted={form.inputs.map(({ path }) => ({
                path,
                value: form.typed[path] ?? '',
                ...(path.startsWith('chemistry.') && { heading: path.split('.')[1]! }),
              }))}
              pointed={pointed}
              onPoint={setPointed}
            />
          </Suspense>
        ) : (
          <Documents certificate={certificate} />
        )}
      </div>
      {isConflict(error) && (
        <ConflictDialog
          id="getCertificate"
          input={{ params }}
          compare={form.compare}
          onSaveMine={save}
          onTakeTheirs={onClose}
          onClose={reset}
        />
      )}
    </div>
  )
}
