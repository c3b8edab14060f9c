import { lazy, Suspense, useState } from 'react'
import { asSeen } from '../../api/client.ts'
import type { Certificate } from '../../api/generated.ts'
import { type Item, useCommand, useFile, useUpload } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Confirm } from '../../kit/Dialog.tsx'
import { FileDrop } from '../../kit/FileDrop.tsx'
import { FormError } from '../../kit/Form.tsx'
import { useFileSize } from '../../kit/fileSize.ts'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { SaveButton } from '../../kit/SaveButton.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'

const PdfPages = lazy(async () => ({ default: (await import('../../kit/PdfPages.tsx')).PdfPages }))

/** The files of a certificate, such as the mill's original: beside the values that were taken from them. */

type Attached = Pick<Item<'listDocuments'>, 'documentId' | 'fileName' | 'bytes' | 'mediaType' | 'sha256'>

interface DocumentsProps {
  readonly certificate: Certificate & { readonly documents: readonly Attached[] }
}

export function Documents({ certificate }: DocumentsProps) {
  const { documents } = certificate
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const [chosen, setChosen] = useState<string>()
  const shownDocument = documents.find(({ documentId }) => documentId === chosen) ?? documents[0]
  return (
    <Section title={t('documents')}>
      {documents.length === 0 && <p className="muted">{t('noDocuments')}</p>}
      {documents.length > 0 && (
        <ul className="lines">
          {documents.map((document) => (
            <Line
              key={document.documentId}
              {...{ document, certificate }}
              isShown={document === shownDocument}
              onShow={() => setChosen(document.documentId)}
            />
          ))}
        </ul>
      )}
      {shownDocument && <Preview key={shownDocument.documentId} {...shownDocument} />}
      {may('attachDocument') && <Attach certificate={certificate} />}
    </Section>
  )
}

interface LineProps {
  readonly document: Attached
  readonly certificate: Certificate
  readonly isShown: boolean
  readonly onShow: () => void
}

function Line({ document, certificate, isShown, onShow }: LineProps) {
  const { t } = useTexts()
  const sizeOf = useFileSize()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [isAsking, setIsAsking] = useState(false)
  const { documentId, fileName, bytes } = document
  return (
    <li>
      <strong className="fileName">{fileName}</strong>
      <span className="muted noWrap">{sizeOf(bytes)}</span>
      <span className="end actions">
        {!isShown && <Button onPress={onShow}>{t('showDocument')}</Button>}
        <SaveButton operation="getDocumentContent" input={{ params: { companyId, documentId } }}>
          {t('saveDocument')}
        </SaveButton>
        {may('detachDocument') && <Button onPress={() => setIsAsking(true)}>{t('detach')}</Button>}
      </span>
      {isAsking && <Detach {...{ document, certificate }} onClose={() => setIsAsking(false)} />}
    </li>
  )
}

interface DetachProps extends Pick<LineProps, 'document' | 'certificate'> {
  readonly onClose: () => void
}

function Detach({ document: { documentId, fileName }, certificate, onClose }: DetachProps) {
  const { t } = useTexts()
  const { millCertificationId } = certificate
  const params = { companyId: useCompanyId(), millCertificationId, documentId }
  const { mutate, isPending, error } = useCommand('detachDocument')
  return (
    <Confirm
      title={t('detachTitle', { name: fileName })}
      action={t('detach')}
      onConfirm={() => mutate({ params, ...asSeen(certificate) }, { onSuccess: onClose })}
      {...{ onClose, isPending, error }}
    >
      <p>{t('detachText')}</p>
    </Confirm>
  )
}

/** Draw the file, if browsers can draw its kind. */
function Preview({ documentId, fileName, mediaType }: Attached) {
  const { t } = useTexts()
  const isPdf = mediaType === 'application/pdf'
  const isPicture = mediaType === 'image/png' || mediaType === 'image/jpeg'
  if (!isPdf && !isPicture) return <p className="muted small">{t('notDrawn')}</p>
  return <Drawn {...{ documentId, fileName, isPdf }} />
}

interface DrawnProps extends Pick<Attached, 'documentId' | 'fileName'> {
  readonly isPdf: boolean
}

function Drawn({ documentId, fileName, isPdf }: DrawnProps) {
  const params = { companyId: useCompanyId(), documentId }
  const { data, error, refetch } = useFile('getDocumentContent', { params })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={4} />
  return isPdf ? (
    <Suspense fallback={<Loading lines={4} />}>
      <PdfPages file={data} name={fileName} />
    </Suspense>
  ) : (
    <Picture file={data} name={fileName} />
  )
}

function Picture({ file, name }: { readonly file: Blob; readonly name: string }) {
  const [address] = useState(() => URL.createObjectURL(file))
  return <img className="documentPage" src={address} alt={name} onLoad={() => URL.revokeObjectURL(address)} />
}

/** Take files that are dropped or chosen, and attach each of them. */
function Attach({ certificate }: Pick<LineProps, 'certificate'>) {
  const { millCertificationId } = certificate
  const { t } = useTexts()
  const companyId = useCompanyId()
  const store = useUpload('storeDocument')
  const attach = useCommand('attachDocument')
  const take = async (files: readonly File[]) => {
    let seen: { readonly ifMatch?: string | undefined } = asSeen(certificate)
    for (const file of files) {
      const input = { params: { companyId }, query: { fileName: file.name } }
      const { data } = await store.mutateAsync({ input, file })
      const params = { companyId, millCertificationId, documentId: data.documentId }
      const { etag } = await attach.mutateAsync({ params, ...seen })
      seen = { ifMatch: etag }
      tell(t('documentAttached', { name: file.name }))
    }
  }
  return (
    <>
      <FileDrop
        label={t('dropDocuments')}
        operation="storeDocument"
        isPending={store.isPending || attach.isPending}
        // The mutations keep their errors, which are shown below.
        onFiles={(files) => void take(files).catch(() => {})}
      />
      <FormError error={store.error ?? attach.error} />
    </>
  )
}
