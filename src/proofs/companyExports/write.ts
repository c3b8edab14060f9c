import { exportKey, exportPrefix, type ObjectStore } from '../../documents/objects.ts'
import type { Documents } from '../../documents/place.ts'
import { putWritten } from '../../documents/putWritten.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { documents as documentRows } from '../../projections/documents/documents.ts'
import { asOf } from '../../projections/engine/reading/asOf.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { Positions } from '../../projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../../projections/engine/schema/readModels.ts'
import type { Exports } from '../signing/exports.ts'
import { type List, writeArchive } from './archive.ts'
import { type CompanyExport, exportDays, type FoundExport, findNewestExport } from './rows.ts'
import { type CompanyTable, csvOfTable, type InSnapshot } from './tables.ts'

/** Export everything that a company has: sign its history, and write the ZIP file as a new object. */

interface ExportOptions {
  readonly reader: Reader
  readonly readModels: ReadModels
  readonly exports: Pick<Exports, 'sign'>
  readonly documents: Pick<Documents, 'objects'>
  readonly positions: Pick<Positions, 'waitFor'>
  readonly tables: readonly CompanyTable[]
  readonly newId: () => string
  readonly now: () => Date
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
}

/** How long the run waits until the read models show the last event of the history. */
const shownWithinMs = 60_000
/** Younger objects stay, because the run of an export that was written a moment ago may not name it yet. */
const youngForMs = 10 * 60_000

/**
 * @throws Refusal 409 `history-diverged`, 503; Failure `objects-unavailable`, `objects-full`; StoreUnavailable,
 * PostgresUnavailable; the reason of `signal`
 */
export async function writeCompanyExport(
  options: ExportOptions,
  companyId: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: number) => void },
): Promise<CompanyExport> {
  const objects = await options.documents.objects()
  await removeOlder(options, objects, companyId)
  const history = await options.exports.sign(companyId)
  const { position, size } = history.checkpoint
  const lists = await listsAt(options, companyId, position)
  const zip = writeArchive({ companyId, history, lists, objects, onProgress })
  const exportId = options.newId()
  const file = await putWritten(objects, exportKey({ companyId, exportId }), zip, signal)
  const fileName = `heatmark-${companyId}-${options.now().toISOString().slice(0, 10)}.zip`
  return { exportId, ...file, fileName, events: size, position }
}

/** Remove the exports that nobody can download any more, and what interrupted runs have left. */
async function removeOlder(
  { reader, now }: Pick<ExportOptions, 'reader' | 'now'>,
  objects: ObjectStore,
  companyId: string,
): Promise<void> {
  const { value } = await reader.read([documentRows], (reading) =>
    reading.query<FoundExport>(findNewestExport(reading.storeId, companyId)),
  )
  const [newest] = value
  const at = now().getTime()
  for await (const { key, storedAt } of objects.list(`${exportPrefix}${companyId}/`)) {
    const ageMs = at - storedAt.getTime()
    const isNewest = newest !== undefined && key === exportKey(newest)
    if (ageMs > (isNewest ? exportDays * 86_400_000 : youngForMs)) await objects.delete(key)
  }
}

/**
 * Return the tables as of the last event of the history. A table without former rows shows the present.
 * @throws Refusal 503 `read-model-behind`
 */
async function listsAt(
  { reader, readModels, positions, tables, clock }: ExportOptions,
  companyId: string,
  position: number,
): Promise<readonly List[]> {
  const reads = [...new Set(tables.flatMap((table) => table.reads))]
  if (!(await positions.waitFor(reads, position, shownWithinMs)))
    throw new Refusal(
      'read-model-behind',
      'The lists do not show the last events yet, so no export was written. Try again later.',
    )
  return tables.map((table) => ({
    name: table.name,
    csv() {
      const inSnapshot: InSnapshot = async (work) => {
        const { value } = await reader.read(table.reads, (reading) => {
          const past = table.hasAsOf ? asOf(reading, readModels, position) : reading
          return work((after) => table.portions(past, companyId, after))
        })
        return value
      }
      return csvOfTable(table.heading(), inSnapshot, clock)
    },
  }))
}
