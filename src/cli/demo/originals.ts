import { HeatmarkError } from '../../../packages/client/src/index.ts'
import { type Caller, countNew, loadEach } from './caller.ts'
import type { ExampleCertificate, ExampleOriginal } from './examples.ts'
import { originalPdf } from './originalPdf.ts'
import { certificateKey, type Subjects } from './subjects.ts'

/**
 * Attach an original to each certificate that has no document yet, except to those that must be without one. Go on
 * without originals when the service has no store of documents.
 */
export async function attachOriginals(
  caller: Caller,
  certificates: readonly ExampleOriginal[],
  withoutOriginal: readonly ExampleCertificate[],
  { certificateIds }: Subjects,
): Promise<void> {
  try {
    await attachEach(caller, certificates, withoutOriginal, certificateIds)
  } catch (error) {
    if (!(error instanceof HeatmarkError && error.code === 'documents-unavailable')) throw error
    caller.output.write(`The demo goes on without originals: ${error.message}\n`)
  }
}

async function attachEach(
  caller: Caller,
  certificates: readonly ExampleOriginal[],
  withoutOriginal: readonly ExampleCertificate[],
  certificateIds: Subjects['certificateIds'],
): Promise<void> {
  const { company, planner } = caller
  const left = new Set(withoutOriginal.map(certificateKey))
  const wanted = certificates.filter((one) => !left.has(certificateKey(one)))
  await loadEach(
    caller,
    'originals',
    wanted,
    async (example) => {
      const certificate = `${company}/millcert/certificates/${certificateIds.get(certificateKey(example))}`
      const { body } = await planner<{ documents: readonly unknown[] }>('GET', certificate)
      if (body.documents.length > 0) return { isNew: false }
      const file = new Blob([new Uint8Array(await originalPdf(example))], { type: 'application/pdf' })
      const name = encodeURIComponent(`${fileNameOf(example.certificateNumber)}.pdf`)
      const stored = await planner<{ documentId: string }>(
        'POST',
        `${company}/documents?fileName=${name}`,
        file,
      )
      await planner('PUT', `${certificate}/documents/${stored.body.documentId}`)
      return { isNew: true }
    },
    countNew,
  )
}

/** Numbers of certificates may hold characters that names of files must not have. */
function fileNameOf(certificateNumber: string): string {
  return certificateNumber.replace(/[^\w.-]+/g, '-')
}
