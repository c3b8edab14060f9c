import { attachDocument, detachDocument } from '../../commands/documents/certificateDocuments.ts'
import { presentDecided, singleCertificate } from '../certificates/singleCertificate.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import type { Route } from '../kit/routing/route.ts'

/** The documents of a mill certificate. */

const path = '/api/company/{companyId}/millcert/certificates/{millCertificationId}/documents/{documentId}'
const writing = { tag: 'Documents', access: { company: 'document' }, path } as const

export const certificateDocumentRoutes: Route[] = [
  commandRoute({
    ...writing,
    method: 'put',
    operationId: 'attachDocument',
    summary: 'Attach a document to a mill certificate',
    description:
      'A certificate has at most 20 documents, and a document may be attached to any number of certificates. If-Match takes the ETag of the certificate.',
    command: ({ params }) => attachDocument(params),
    record: singleCertificate,
    present: presentDecided,
    conditional: true,
    problems: attachDocument.refuses,
  }),
  commandRoute({
    ...writing,
    method: 'delete',
    operationId: 'detachDocument',
    summary: 'Detach a document from a mill certificate',
    description:
      'The document stays among those of the company. The history of the certificate says who has attached and detached it. If-Match takes the ETag of the certificate.',
    command: ({ params }) => detachDocument(params),
    conditional: true,
    problems: detachDocument.refuses,
  }),
]
