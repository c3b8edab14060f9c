import type { Readable } from 'node:stream'
import type { ObjectStore } from '../../documents/objects.ts'
import { bytesOfFile } from '../../documents/wholeFile.ts'
import { productionPlanBarKey, productionPlanBarStream } from '../../domain/bars/bar.ts'
import { millCertificateKey, millCertificateStream } from '../../domain/certificates/certificate.ts'
import { orderKey, orderStream } from '../../domain/orders/order.ts'
import { orderDispatchesKey, orderDispatchesStream } from '../../domain/orders/orderDispatches.ts'
import { inTurns } from '../../lib/inTurns.ts'
import type { Cell } from '../../lib/sheets/cells.ts'
import { csvLines } from '../../lib/sheets/csv.ts'
import { type Entry, type ListedFile, zipOf } from '../../lib/zip.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import type { Proofs } from '../signing/companyLog.ts'
import type { PublishedKey } from '../signing/signingKey.ts'
import { coverSheet } from './coverSheet.ts'
import type { PackContent } from './facts.ts'
import { inclusionLines, type PackedEvent, readHistory } from './history.ts'
import { findingsOn, missingFrom } from './summary.ts'

/** The pack of an order as a ZIP file. docs/order-packs.md describes its files. */

export interface PackParts {
  readonly content: PackContent
  /** The time of the last event that the pack shows. */
  readonly at: Date
  readonly proofs: Proofs
  readonly keys: readonly PublishedKey[]
  readonly eventStore: Pick<EventStore, 'readStream'>
  readonly objects: Pick<ObjectStore, 'get'>
  /** Called after each original and each part of the history, with the part that is done, from 0 to 1. */
  readonly onProgress: (progress: number) => void
}

/** The form of the pack, for programs that read it. */
const format = 'heatmark-order-pack/1'

/**
 * Write a pack. The same parts give the same bytes. Neither the originals nor the history are in memory as a whole.
 * @returns its bytes, with an error in place of an end: Failure `objects-unavailable` when an original is lost or has
 * changed; Refusal, StoreUnavailable or PostgresUnavailable when the proofs cannot be made
 */
export function writePack(parts: PackParts): Readable {
  return zipOf(entriesOf(parts), (files) => manifestOf(parts, files))
}

async function* entriesOf(parts: PackParts): AsyncIterable<Entry> {
  const { content, at, proofs, keys, eventStore, objects, onProgress } = parts
  const { size, root, note } = proofs.checkpoint
  const checkpoint = { size, root: root.toString('base64') }
  yield {
    path: 'cover.pdf',
    content: await inTurns(coverSheet(content, { at, checkpoint })),
    isCompressed: true,
  }

  const wholeBytes = content.originals.reduce((sum, { bytes }) => sum + bytes, 1)
  let bytes = 0
  for (const original of content.originals) {
    yield {
      path: original.path,
      content: bytesOfFile(objects, { companyId: content.companyId, ...original }),
      isCompressed: true,
    }
    bytes += original.bytes
    onProgress((originalsShare * bytes) / wholeBytes)
  }

  yield { path: 'data/order.json', content: `${JSON.stringify(orderOf(content), null, 2)}\n` }
  yield { path: 'data/certificates.ndjson', content: linesOf(certificatesOf(content)) }
  yield { path: 'data/certificates.csv', content: csvLines(certificateRows(content)) }
  yield { path: 'data/cuts.ndjson', content: linesOf(cutsOf(content)) }
  yield { path: 'data/cuts.csv', content: csvLines(cutRows(content)) }

  const events: Pick<PackedEvent, 'eventId' | 'entry'>[] = []
  const { position, orderId } = content
  async function* readParts() {
    for await (const { eventId, entry, line } of readHistory(eventStore, streamsOf(content), {
      position,
      orderId,
    })) {
      events.push({ eventId, entry })
      if (line !== undefined) yield `${line}\n`
    }
  }
  yield { path: 'data/history.ndjson', content: readParts() }
  onProgress(originalsShare + (1 - originalsShare) / 2)

  yield { path: 'proof/checkpoint', content: note }
  yield { path: 'proof/keys.json', content: `${JSON.stringify({ keys })}\n` }
  yield { path: 'proof/inclusion.ndjson', content: inclusionLines(proofs, events) }
  yield { path: 'proof/streams.json', content: `${JSON.stringify(revisionsOf(events), null, 2)}\n` }
  yield { path: 'README.txt', content: readme }
}

/** The originals are most of the work. */
const originalsShare = 0.7

/** The streams of the facts that a pack shows, in the order of its tables. */
function streamsOf({ companyId, orderId, lines, certificates }: PackContent): readonly string[] {
  const barIds = new Set(lines.flatMap(({ cuts }) => cuts.map(({ barId }) => barId)))
  return [
    orderStream(orderKey(companyId, orderId)),
    orderDispatchesStream(orderDispatchesKey(companyId, orderId)),
    ...certificates.map(({ millCertificationId }) =>
      millCertificateStream(millCertificateKey(companyId, millCertificationId)),
    ),
    ...[...barIds].map((barId) => productionPlanBarStream(productionPlanBarKey(companyId, barId))),
  ]
}

function orderOf(content: PackContent): object {
  const { order, lines, overrides, complete, cleared, judgedBy, rulePacks } = content
  const shown = lines.map(({ cuts, ...line }) => ({ ...line, cutIds: cuts.map(({ cutId }) => cutId) }))
  const { lineItems: _, ...facts } = order
  const findings = findingsOn(content)
  return {
    ...facts,
    complete,
    cleared,
    judgedBy,
    rulePacks,
    missing: missingFrom(content),
    lineItems: shown,
    overrides,
    findings,
  }
}

function certificatesOf({ certificates, originals }: PackContent): readonly object[] {
  const pathOf = new Map(originals.map(({ documentId, path }) => [documentId, path]))
  return certificates.map(({ documents, ...certificate }) => ({
    ...certificate,
    documents: documents.map(({ uploadId: _, isKept: __, ...document }) => ({
      ...document,
      path: pathOf.get(document.documentId),
    })),
  }))
}

function cutsOf({ lines }: PackContent): readonly object[] {
  return lines.flatMap(({ lineNumber, lineItemId, cuts }) =>
    cuts.map((cut) => ({ lineNumber, lineItemId, ...cut })),
  )
}

function certificateRows({ certificates, originals }: PackContent): readonly (readonly Cell[])[] {
  const pathOf = new Map(originals.map(({ documentId, path }) => [documentId, path]))
  return [
    [
      'certificateNumber',
      'heatNumber',
      'item',
      'standard',
      'grade',
      'deliveryCondition',
      'profile',
      'productForm',
      'thicknessMm',
      'inspectionDocument',
      'manufacturer',
      'issuedOn',
      'status',
      'originals',
      'millCertificationId',
    ],
    ...certificates.map((one) => [
      one.certificateNumber,
      one.heatNumber,
      one.item,
      one.standard,
      one.grade,
      one.deliveryCondition,
      one.profile,
      one.productForm,
      one.thicknessMm,
      one.inspectionDocument,
      one.manufacturer,
      one.issuedOn,
      one.status,
      one.documents.flatMap(({ documentId }) => pathOf.get(documentId) ?? []).join(' '),
      one.millCertificationId,
    ]),
  ]
}

function cutRows({ lines }: PackContent): readonly (readonly Cell[])[] {
  return [
    [
      'lineNumber',
      'pieceMark',
      'lengthMm',
      'barStatus',
      'heatNumber',
      'certificateNumber',
      'findings',
      'cutId',
      'barId',
      'millCertificationId',
    ],
    ...lines.flatMap(({ lineNumber, cuts }) =>
      cuts.map((cut) => [
        lineNumber,
        cut.pieceMark,
        cut.lengthMm,
        cut.barStatus,
        cut.heatNumber,
        cut.certificateNumber,
        cut.findings.map(({ severity, code }) => `${severity} ${code}`).join('; '),
        cut.cutId,
        cut.barId,
        cut.millCertificationId,
      ]),
    ),
  ]
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** The last revision of each stream. */
function revisionsOf(events: readonly Pick<PackedEvent, 'entry'>[]): object {
  const entries = events.map(({ entry }) => JSON.parse(entry) as { stream: string; revision: number })
  return Object.fromEntries(entries.map(({ stream, revision }) => [stream, revision]))
}

function manifestOf({ content, at, proofs }: PackParts, files: readonly ListedFile[]): Entry {
  const { companyId, companyName, orderId, order, cutIds, position, cleared } = content
  const { size, root } = proofs.checkpoint
  const manifest = {
    format,
    companyId,
    companyName,
    orderId,
    orderNumber: order.orderNumber,
    cutIds,
    position,
    at: at.toISOString(),
    checkpoint: { size, root: root.toString('base64') },
    cleared,
    missing: missingFrom(content),
    files,
  }
  return { path: 'manifest.json', content: `${JSON.stringify(manifest, null, 2)}\n` }
}

const readme = `This is the pack of one order: the steel that its pieces were cut from, and the papers of that steel.

cover.pdf       the sheet to read first
certificates/   the originals of the mill certificates, as they were received
data/           the order, its certificates and its pieces as CSV and JSON; history.ndjson has the events behind them
proof/          the signed checkpoint of the log of the company, and the proofs that it covers every event
manifest.json   the SHA-256 of every file

A bar may be cut for several orders. Events that name another order are not in history.ndjson; proof/ has their hashes.
docs/order-packs.md of Heatmark says how to check a pack, and what a check cannot show.
`
