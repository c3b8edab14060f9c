import { attachFile } from '../../../commands/documents/certificateDocuments.ts'
import type { UploadedObject } from '../../../commands/documents/documents.ts'
import { runWorkflow } from '../../../commands/executor/workflow.ts'
import { importKey, objectKey } from '../../../documents/objects.ts'
import { plainName } from '../../../documents/plainName.ts'
import { typedName } from '../../../documents/typedName.ts'
import { documentIdOf, type UploadType } from '../../../domain/documents/document.ts'
import { Failure } from '../../../lib/failure.ts'
import { problemOf } from '../../kit/problem.ts'
import { waitUntilShown } from '../../kit/routing/commandAnswer.ts'
import { authorOf } from '../../kit/routing/commandContext.ts'
import type { Exchange } from '../../kit/routing/route.ts'
import type { Services } from '../../kit/services.ts'
import { refuseWithoutRoom } from './room.ts'

/**
 * The PDF or scan that a certificate was imported from is its original. It becomes a document of the company and is
 * attached to the certificate, by the same commands as single requests. Everyone who may register certificates may do
 * that.
 */

/** The file of an import. */
export interface ImportedOriginal {
  readonly companyId: string
  readonly importId: string
  readonly sha256: string
  readonly mediaType: UploadType
}

/** The keys that the object of an import may have: an original moves to the place of its document. */
export function keysOfImport({
  companyId,
  importId,
  sha256,
}: Omit<ImportedOriginal, 'mediaType'>): readonly [string, string] {
  return [importKey(importId), objectKey({ companyId, sha256, uploadId: importId })]
}

/** The original in the answer to a row. */
export interface AttachedOriginal {
  readonly documentId: string
  readonly status: number
  readonly code?: string
  readonly detail?: string
}

interface OfCertificate {
  readonly millCertificationId: string
  readonly certificateNumber: string
}

/**
 * Attach the file of an import to a certificate. An error becomes the answer, because the certificate is recorded
 * already. A repeat goes on where it broke off.
 */
export async function attachOriginal(
  file: ImportedOriginal & { readonly bytes: number },
  { millCertificationId, certificateNumber }: OfCertificate,
  exchange: Exchange,
  services: Services,
): Promise<AttachedOriginal & { readonly position?: number; readonly isShown?: boolean }> {
  const { companyId, importId, sha256, bytes, mediaType } = file
  const documentId = documentIdOf(companyId, sha256)
  const fileName = typedName(plainName(certificateNumber), mediaType)
  const facts = { companyId, documentId, sha256, bytes, fileName, uploadId: importId, mediaType }
  try {
    await refuseWithoutRoom(services, { companyId, file: { documentId, bytes } })
    const object = await objectOf(file, services)
    const useCase = attachFile(facts, object, millCertificationId)
    const tools = { ...services.executor, newId: services.newId }
    const context = { actor: authorOf(exchange), correlationId: exchange.traceId }
    const outcome = await runWorkflow(useCase, tools, context)
    await object.forgetImport()
    const isShown = await waitUntilShown(useCase, outcome, services)
    return {
      documentId,
      status: outcome.recorded.length > 0 ? 201 : 200,
      position: outcome.position,
      isShown,
    }
  } catch (error) {
    const { status, code, message } = problemOf(error)
    return { documentId, status, code, detail: message }
  }
}

/** @throws Failure `objects-unavailable` */
async function objectOf(
  file: ImportedOriginal,
  { documents }: Services,
): Promise<UploadedObject & { forgetImport(): Promise<void> }> {
  const objects = await documents.objects()
  const [imported, original] = keysOfImport(file)
  let isKept = false
  return {
    // An earlier attempt may have left an old copy, which a sweep could take for an orphan before the event names it. A
    // new copy is too young for a sweep. If the object of the import is gone, an event names the copy already.
    async keep() {
      isKept = true
      const opened = await objects.get(imported)
      if (opened) await objects.put(original, opened.content)
      else if ((await objects.head(original)) === undefined)
        throw new Failure('objects-unavailable', `the object ${imported} is missing`)
    },
    // The company has the file already, as another object. The copy is left to a sweep, because an event of the same
    // confirmation at the same moment may name it.
    async drop() {
      isKept = false
    },
    // If this fails, the object goes with the import.
    async forgetImport() {
      if (isKept) await objects.delete(imported).catch(() => {})
    },
  }
}
