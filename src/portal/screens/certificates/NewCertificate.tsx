import { useLocation } from 'wouter'
import { certificateFields, certificateNumbers } from '../../../domain/certificates/certificateContent.ts'
import type { Input } from '../../api/client.ts'
import { useCommand } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { FieldInputs } from '../../kit/FieldInputs.tsx'
import { Form } from '../../kit/Form.tsx'
import { useFieldsForm } from '../../kit/useFieldsForm.ts'
import { useTexts } from '../../texts/texts.ts'

const fields = { ...certificateNumbers, ...certificateFields }

/** Enter a certificate that no file states. Its original is attached on its own page. */
export function NewCertificate({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const [, go] = useLocation()
  const { mutate, isPending, error } = useCommand('registerCertificate')
  const { changed, ...form } = useFieldsForm(fields, {})
  const body = changed as unknown as Input<'registerCertificate'>['body']
  const open = (id: string) => {
    onClose()
    go(pathIn(params.companyId, `/certificates/${id}`))
  }
  return (
    <Dialog title={t('newCertificate')} onClose={onClose} shape="panel">
      <Form
        onSubmit={() => mutate({ params, body }, { onSuccess: ({ data }) => open(data.millCertificationId) })}
        onCancel={onClose}
        submit={t('save')}
        {...{ isPending, error }}
      >
        <FieldInputs {...form} error={error} />
      </Form>
    </Dialog>
  )
}
