import { createHash } from 'node:crypto'
import { ObjectsUnavailable } from '../../../documents/objects.ts'
import { invalid, Refusal } from '../../../domain/kernel/refusal.ts'
import type { Decision } from '../../../imports/content.ts'
import type { ImportFormat, ImportKind } from '../../../imports/read.ts'
import type { ReadRow } from '../../../imports/readRow.ts'
import { Unreadable } from '../../../imports/unreadable.ts'
import type { Exchange } from '../../kit/routing/route.ts'
import type { Services } from '../../kit/services.ts'
import { certificateIntake } from './certificates.ts'
import { type BeginImportRun, byLines, byPlans } from './importRuns.ts'
import { orderIntake } from './orders.ts'
import { propose } from './proposal.ts'

/** A file that was uploaded for an import: its records, and the proposal of what to record. */

export interface ImportedFile {
  /** Its object has one of these keys. */
  readonly keys: readonly string[]
  readonly kind: ImportKind
  readonly format: ImportFormat
  readonly sha256: string
}

export const importRuns: Readonly<Record<ImportKind, BeginImportRun>> = {
  certificates: byLines(certificateIntake),
  orders: byLines(orderIntake),
  plans: byPlans,
}

/**
 * Return the hash of the proposal.
 * @param keep takes the rows as JSON
 * @throws Refusal 422 `import-unreadable`; the errors of `keep`
 */
export async function proposalOf(
  file: ImportedFile,
  exchange: Exchange,
  services: Services,
  keep: (rows: AsyncIterable<Buffer>) => Promise<void> = passOver,
  seen: (row: number) => void = () => {},
): Promise<string> {
  const run = importRuns[file.kind](exchange, services, true, file.sha256)
  const hash = createHash('sha256')
  try {
    await keep(propose(seenOf(rowsOf(file, exchange, services), seen), run, hash))
    return hash.digest('hex')
  } catch (error) {
    throw refusalOf(error)
  } finally {
    run.end()
  }
}

async function* seenOf(rows: AsyncIterable<ReadRow>, seen: (row: number) => void): AsyncIterable<ReadRow> {
  for await (const read of rows) {
    seen(read.row)
    yield read
  }
}

/** @throws Refusal 400 for decisions about rows that the file does not have */
export function refuseUnknownRows(decisions: readonly Decision[], rows: ReadonlySet<number>): void {
  const faults = decisions.flatMap(({ row }, index) =>
    rows.has(row)
      ? []
      : [
          {
            path: `/decisions/${index}/row`,
            code: 'out-of-bounds' as const,
            message: `must be one of the ${rows.size} rows of the file`,
          },
        ],
  )
  if (faults.length > 0) throw invalid(faults)
}

async function passOver(rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of rows);
}

/** Return the error as a caller gets it: a file that cannot be read is refused. */
export function refusalOf(error: unknown): unknown {
  return error instanceof Unreadable ? new Refusal('import-unreadable', error.message) : error
}

/** Read the records of a file. @throws Unreadable; Refusal 503; ObjectsUnavailable */
export function rowsOf({ keys, kind, format }: ImportedFile, { params }: Exchange, services: Services) {
  return services.importReader.read(params.companyId!, { kind, format }, async () => {
    const objects = await services.documents.objects()
    for (const key of keys) {
      const opened = await objects.get(key)
      if (opened) return opened.content
    }
    throw new ObjectsUnavailable(`the object ${keys[0]} is missing`)
  })
}
