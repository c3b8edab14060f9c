import { createHash } from 'node:crypto'
import { type Fault, invalid, Refusal } from '../../../domain/kernel/refusal.ts'
import { contentOf, type Decision } from '../../../imports/content.ts'
import type { ImportKind } from '../../../imports/read.ts'
import type { NotTaken } from '../../../imports/readRow.ts'
import { Unreadable } from '../../../imports/unreadable.ts'
import { maxListedFaults } from '../../../problems/requests.ts'
import type { Exchange } from '../../kit/routing/route.ts'
import type { Services } from '../../kit/services.ts'
import { importedCertificates } from './certificates.ts'
import { type BeginImportRun, byLines, byPlans, type ImportRun } from './importRuns.ts'
import { readKeptRows } from './keptRows.ts'
import { orderIntake } from './orders.ts'
import { propose } from './proposal.ts'

/** The rows of an import, and the proposal of what to record of them. */

export interface Import {
  readonly importId: string
  readonly kind: ImportKind
  readonly sha256: string
}

export const importRuns: Readonly<Record<ImportKind, BeginImportRun>> = {
  certificates: byLines(importedCertificates),
  orders: byLines(orderIntake),
  plans: byPlans,
}

export interface Proposed {
  /** Identifies the proposal. */
  readonly hash: string
  readonly rows: ReadonlySet<number>
  readonly notTaken: readonly NotTaken[]
}

/**
 * Propose what to record of the rows of an import.
 * @param keep takes the rows as JSON
 * @throws Refusal 422 `import-unreadable`; the errors of `keep`
 */
export async function proposalOf(
  { importId, kind, sha256 }: Import,
  exchange: Exchange,
  services: Services,
  keep: (rows: AsyncIterable<Buffer>) => Promise<void> = passOver,
): Promise<Proposed> {
  const run = importRuns[kind](exchange, services, true, sha256)
  const hash = createHash('sha256')
  const checked = { rows: new Set<number>(), notTaken: [] as NotTaken[] }
  const readRows = async function* () {
    for await (const row of readKeptRows(await services.documents.objects(), importId)) {
      checked.rows.add(row.row)
      checked.notTaken.push(...(row.notTaken ?? []))
      yield row
    }
  }
  try {
    await keep(propose(readRows(), run, hash))
    return { ...checked, hash: hash.digest('hex') }
  } catch (error) {
    throw refusalOf(error)
  } finally {
    run.end()
  }
}

/** @throws Refusal 400 for decisions about rows that the file does not have, and about fields that no record has */
export async function refuseUnknown(
  decisions: readonly Decision[],
  rows: ReadonlySet<number>,
  dryRun: ImportRun,
): Promise<void> {
  const isKnown = new Map<string, boolean>()
  const faults: Fault[] = []
  for (const [index, { row, field }] of decisions.entries()) {
    const path = `/decisions/${index}`
    if (!rows.has(row)) {
      const message = `must be one of the ${rows.size} rows of the file`
      faults.push({ path: `${path}/row`, code: 'out-of-bounds', message })
    }
    // All items of a list have the same fields.
    const name = field.replaceAll(/\.\d+/g, '.0')
    if (!isKnown.has(name)) isKnown.set(name, await hasField(dryRun, name))
    if (!isKnown.get(name))
      faults.push({ path: `${path}/field`, code: 'unknown-member', message: 'is no field of these records' })
    if (faults.length >= maxListedFaults) break
  }
  if (faults.length > 0) throw invalid(faults)
}

/** Try a record that has this field alone. */
async function hasField(dryRun: ImportRun, field: string): Promise<boolean> {
  const at = { line: 1, column: 1 }
  const row = { row: 1, at, values: [], undecided: [], faults: [] }
  const { answer } = await dryRun.carryOut(1, contentOf(row, [{ row: 1, field, value: '' }]))
  const pointer = `/${field.replaceAll('.', '/')}/`
  const { errors = [] } = answer
  return !errors.some(({ code, path }) => code === 'unknown-member' && pointer.startsWith(`${path}/`))
}

async function passOver(rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of rows);
}

/** Return the error as a caller gets it: a file that cannot be read is refused. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof Unreadable)) return error
  return new Refusal('import-unreadable', error.message, { reason: error.reason })
}
