import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { attachFile } from '../../../commands/documents/certificateDocuments.ts'
import { storeDocument, type UploadedObject } from '../../../commands/documents/documents.ts'
import { runWorkflow } from '../../../commands/executor/workflow.ts'
import { importKey, importPagesKey, objectKey } from '../../../documents/objects.ts'
import { plainName } from '../../../documents/plainName.ts'
import { typedName } from '../../../documents/typedName.ts'
import { documentIdOf, type UploadType } from '../../../domain/documents/document.ts'
import type { SomePages } from '../../../imports/read.ts'
import { Failure } from '../../../lib/failure.ts'
import { problemOf } from '../../kit/problem.ts'
import { waitUntilShown } from '../../kit/routing/commandAnswer.ts'
import { authorOf } from '../../kit/routing/commandContext.ts'
import type { Exchange } from '../../kit/routing/route.ts'
import type { Services } from '../../kit/services.ts'
import { refusalOf } from './proposedImport.ts'
import { refuseWithoutRoom } from './room.ts'

/**
 * The PDF or scan that a certificate was imported from is its original. It becomes a document of the company and is
 * attached to the certificate, by the same commands as single requests. Everyone who may register certificates may do
 * that. If a file holds several certificates, each gets its own pages, and the whole file is a document that is attached to
 * none of them.
 */

/** The file of an import. */
interface ImportedOriginal {
  readonly companyId: string
  readonly importId: string
  readonly sha256: string
  readonly mediaType: UploadType
  /** The size of the file. */
  readonly bytes: number
  /** The pages of the certificate, in a file of several certificates. */
  readonly part?: SomePages | undefined
}

/** The keys that the object of an import may have: an original moves to the place of its document. */
export function keysOfImport({
  companyId,
  importId,
  sha256,
  part,
}: Pick<ImportedOriginal, 'companyId' | 'importId' | 'sha256' | 'part'>): readonly [string, string] {
  const imported = part ? importPagesKey(importId, part.pages) : importKey(importId)
  return [imported, objectKey({ companyId, sha256, uploadId: importId })]
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
  imported: ImportedOriginal,
  { millCertificationId, certificateNumber }: OfCertificate,
  exchange: Exchange,
  services: Services,
): Promise<AttachedOriginal & { readonly position?: number; readonly isShown?: boolean }> {
  let documentId = documentIdOf(imported.companyId, imported.sha256)
  try {
    const file = imported.part
      ? await keepPages(imported, imported.part, certificateNumber, exchange, services)
      : imported
    const facts = factsOf(file, certificateNumber)
    documentId = facts.documentId
    const { companyId, bytes } = file
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
    const { status, code, message } = problemOf(refusalOf(error))
    return { documentId, status, code, detail: message }
  }
}

function factsOf({ companyId, importId, sha256, bytes, mediaType }: ImportedOriginal, name: string) {
  const documentId = documentIdOf(companyId, sha256)
  const fileName = typedName(plainName(name), mediaType)
  return { companyId, documentId, sha256, bytes, fileName, uploadId: importId, mediaType }
}

/** Record the whole file of several certificates as a document, under the number of the first of them. */
async function storeWhole(
  file: ImportedOriginal,
  name: string,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const facts = factsOf(file, name)
  await refuseWithoutRoom(services, { companyId: file.companyId, file: facts })
  const tools = { ...services.executor, newId: services.newId }
  const context = { actor: authorOf(exchange), correlationId: exchange.traceId }
  await runWorkflow(storeDocument(facts, await objectOf(file, services)), tools, context)
}

/**
 * Return the pages as a file of their own, which is kept with the import: a repeat must attach the same bytes.
 * @throws Failure `objects-unavailable`, `unreadable`
 */
async function keepPages(
  file: ImportedOriginal,
  part: SomePages,
  name: string,
  exchange: Exchange,
  services: Services,
): Promise<ImportedOriginal> {
  const { documents, importReader } = services
  const objects = await documents.objects()
  const key = importPagesKey(file.importId, part.pages)
  const stored = await objects.get(key)
  let bytes = stored && (await buffer(stored.content))
  if (!bytes) {
    const { part: _, ...whole } = file
    await storeWhole(whole, name, exchange, services)
    bytes = Buffer.from(
      await importReader.pages(file.companyId, part, async () => {
        const opened = await objects.get(importKey(file.importId))
        if (!opened)
          throw new Failure('objects-unavailable', `the file of the import ${file.importId} is missing`)
        return opened.content
      }),
    )
    // Each parting gives other bytes. Of two confirmations at once, both attach those that were kept first.
    if (!(await objects.putNew(key, bytes))) bytes = await buffer((await objects.get(key))!.content)
  }
  return { ...file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
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
    // If this fails, the object goes with the import, and so do its pages: a repeat needs them.
    async forgetImport() {
      if (isKept && !file.part) await objects.delete(imported).catch(() => {})
    },
  }
}
