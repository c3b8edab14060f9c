import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { UploadType } from '../../domain/documents/document.ts'
import { conflict, notFound, type Refusal } from '../../domain/kernel/refusal.ts'
import { contentOf, type Decision } from '../../imports/content.ts'
import type { ImportRow } from '../../imports/importRows.ts'
import { hasPages } from '../../imports/read.ts'
import type { ReadRow } from '../../imports/readRow.ts'
import { Failure } from '../../lib/failure.ts'
import { refuseKey } from '../kit/routing/bulkRoute.ts'
import { send } from '../kit/routing/respond.ts'
import type { Exchange } from '../kit/routing/route.ts'
import type { Services } from '../kit/services.ts'
import { readKeptRows } from './intake/keptRows.ts'
import { type AttachedOriginal, attachOriginal, keysOfImport } from './intake/original.ts'
import { carryOut, carryOutEach, type Done } from './intake/proposal.ts'
import { importRuns, proposalOf, refusalOf, refuseUnknown } from './intake/proposedImport.ts'
import { requireKind } from './kindAccess.ts'
import type { confirmation } from './schemas.ts'
import { isOriginal, mediaTypes } from './upload.ts'

/** The confirmation of an import, which records what was proposed. */

export async function answerConfirmation(exchange: Exchange, services: Services): Promise<void> {
  const { req, params, body, caller } = exchange
  const { companyId, importId } = params as { companyId: string; importId: string }
  refuseKey(req.headers)
  const { decisions = [], proposal: proposalHash } = body as z.output<typeof confirmation>
  const row = await services.imports.find(companyId, importId)
  if (!row) throw notFound('import-not-found', importId)
  await requireKind(exchange, row.kind)
  const asConfirmed = createHash('sha256')
    .update(JSON.stringify([proposalHash, decisions, caller!.id]))
    .digest('hex')
  // The same confirmation of the same caller goes on where it broke off: its own records have changed the proposal.
  if (row.confirmed !== asConfirmed) {
    const { hash, rows } = await proposalOf(row, exchange, services)
    if (hash !== proposalHash) throw hasChanged()
    const dryRun = importRuns[row.kind](exchange, services, true, row.sha256)
    await refuseUnknown(decisions, rows, dryRun).finally(dryRun.end)
    const noted = { before: row.confirmed, now: asConfirmed }
    if (!(await services.imports.confirm(companyId, importId, noted))) throw hasChanged()
  }
  const bytes = isOriginal(row.format) ? await sizeOfOriginal(companyId, row, services) : undefined
  await record({ row, bytes, decisions }, exchange, services)
}

/** @throws Failure `objects-unavailable` */
async function sizeOfOriginal(
  companyId: string,
  { importId, sha256 }: ImportRow,
  { documents }: Services,
): Promise<number> {
  const objects = await documents.objects()
  for (const key of keysOfImport({ companyId, importId, sha256 })) {
    const object = await objects.head(key)
    if (object) return object.bytes
  }
  throw new Failure('objects-unavailable', `the file of the import ${importId} is missing`)
}

function hasChanged(): Refusal {
  return conflict(
    'import-changed',
    'The file would be imported differently now, so nothing was recorded. Upload it again, and look at the new proposal.',
  )
}

interface Confirmed {
  readonly row: ImportRow
  /** The size of the original; undefined for a table or a digital certificate. */
  readonly bytes: number | undefined
  readonly decisions: readonly Decision[]
}

async function record(confirmed: Confirmed, exchange: Exchange, services: Services) {
  const { row, decisions } = confirmed
  const { importId, kind, sha256 } = row
  const { res } = exchange
  const decided = Map.groupBy(decisions, ({ row }) => row)
  const run = importRuns[kind](exchange, services, false, sha256)
  const rows: object[] = []
  const originals: Awaited<ReturnType<typeof attachOriginal>>[] = []
  const decisionsOn = ({ row }: ReadRow) => decided.get(row) ?? []
  try {
    const read = readKeptRows(await services.documents.objects(), importId)
    for await (const done of carryOutEach(read, (one) => carryOut(one, decisionsOn(one), run))) {
      const { line, ...answer } = done.outcome.answer
      const attached = await originalOf(done, decisionsOn(done.read), confirmed, exchange, services)
      if (attached) originals.push(attached)
      rows.push({ row: line, ...answer, ...(attached && { original: presentOriginal(attached) }) })
    }
    const isShown = (await run.waitUntilShown()) && originals.every(({ isShown = true }) => isShown)
    const position = Math.max(run.position(), ...originals.map(({ position = 0 }) => position))
    await send(res, {
      status: 200,
      headers: {
        'Cache-Control': 'no-store',
        'Commit-Position': position || undefined,
        'Projection-Status': isShown ? undefined : 'pending',
      },
      body: { importId, rows },
    })
  } catch (error) {
    throw refusalOf(error)
  } finally {
    run.end()
  }
}

/**
 * Attach the PDF or scan that a certificate was imported from; undefined for any other file, and for a row that was
 * refused.
 */
async function originalOf(
  { read, outcome }: Done,
  decisions: readonly Decision[],
  { row: { importId, format, sha256 }, bytes }: Confirmed,
  exchange: Exchange,
  services: Services,
) {
  const { status, id: millCertificationId } = outcome.answer
  if (bytes === undefined || status >= 400 || millCertificationId === undefined) return undefined
  const { certificateNumber } = contentOf(read, decisions) as { certificateNumber: string }
  const original = {
    companyId: exchange.params.companyId!,
    importId,
    sha256,
    bytes,
    mediaType: mediaTypes[format] as UploadType,
  }
  const { onPages: pages } = read
  const part = pages && hasPages(format) ? { format, pages } : undefined
  return attachOriginal({ ...original, part }, { millCertificationId, certificateNumber }, exchange, services)
}

function presentOriginal({ documentId, status, code, detail }: AttachedOriginal): AttachedOriginal {
  return { documentId, status, ...(code !== undefined && { code, detail: detail! }) }
}
