import { objectKey } from '../../../documents/objects.ts'
import { ownerOf } from '../../../documents/owner.ts'
import { type DocumentsPlace, openObjects } from '../../../documents/place.ts'
import { type FoundFile, listNewestFiles } from '../../../projections/documents/documentQueries.ts'
import { documents } from '../../../projections/documents/documents.ts'
import { createLookUp } from '../../../projections/engine/reading/lookUp.ts'
import type { ReadModels } from '../../../projections/engine/schema/readModels.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Check that the files of documents can be read, belong to this event store, and are there. */

const check = 'documents'

/** The documents whose files are looked for. A lost bucket or folder shows in the newest of them. */
const newest = 100

/** @param place undefined when no place is named */
export async function checkDocuments(
  postgres: Pick<Postgres, 'query'>,
  readModels: ReadModels,
  place: DocumentsPlace | undefined,
): Promise<Finding> {
  if (!place)
    return warning(
      check,
      'there is no place for files, so requests for them are answered 503',
      'set DOCUMENTS_URL to a bucket, and restart the service',
    )
  const objects = await openObjects(place)
  try {
    const owner = await ownerOf(objects)
    if (owner === undefined) return ok(check, 'no service has stored any yet')
    // The schema of the read models has the id without its hyphens.
    if (owner.replaceAll('-', '') !== readModels.storeId)
      return problem(
        check,
        `the files belong to the event store ${owner}, and not to this one`,
        'give each event store a bucket or a prefix of its own (DOCUMENTS_URL)',
      )
    const files = await createLookUp(
      postgres,
      readModels,
      documents,
    )<FoundFile>((reading) => listNewestFiles(reading, newest))
    const missing: FoundFile[] = []
    for (const file of files) if (!(await objects.head(objectKey(file)))) missing.push(file)
    const [first] = missing
    if (!first) return ok(check, `the files of the last ${files.length} are there`)
    return problem(
      check,
      `${missing.length} of the last ${files.length} files are missing, such as that of document ${first.documentId} of company ${first.companyId}`,
      'run "heatmark documents verify", which names them all, and restore them from a backup',
    )
  } finally {
    objects.close()
  }
}
