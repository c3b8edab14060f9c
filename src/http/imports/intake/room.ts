import { conflict } from '../../../domain/kernel/refusal.ts'
import { refusals } from '../../../problems/catalogue.ts'
import { type FoundRoom, findRoom } from '../../../projections/documents/documentQueries.ts'
import { documents } from '../../../projections/documents/documents.ts'
import type { Services } from '../../kit/services.ts'

/** The bound on the bytes of all documents of a company. */

interface WantedRoom {
  readonly companyId: string
  /** The document that may be stored already; undefined: the size of the file is not known yet. */
  readonly file?: { readonly documentId: string; readonly bytes: number }
}

/**
 * Refuse a file for which the documents of the company leave no room. Requests at the same moment may exceed the bound
 * by their own files, because the read models show a document only after it was stored.
 * @throws Refusal 409 `too-many-stored-bytes`; PostgresUnavailable
 */
export async function refuseWithoutRoom(
  { reader, documents: { bytesOfCompany: limit } }: Pick<Services, 'reader' | 'documents'>,
  { companyId, file }: WantedRoom,
): Promise<void> {
  const { value } = await reader.read([documents], (reading) =>
    reading.query<FoundRoom>(findRoom(reading, companyId, file?.documentId ?? null)),
  )
  const { bytes, isStored } = value[0]!
  if (isStored || bytes + (file?.bytes ?? 1) <= limit) return
  throw conflict(
    'too-many-stored-bytes',
    `The documents of the company take ${bytes} of ${limit} bytes, so this file does not fit and was not stored. Delete documents that nobody needs, or ask the operator for more room.`,
    { bytes, limit },
  )
}
refuseWithoutRoom.refuses = refusals('too-many-stored-bytes')
