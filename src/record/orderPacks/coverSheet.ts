import { type JudgedBy, judgedByText } from '../../domain/verdict/judgedBy.ts'
import { verdictWords, wordOf } from '../../domain/verdict/verdictWord.ts'
import { features, margin, openPdf, type Pdf, printable } from '../../lib/pdf/page.ts'
import { hairline, ink, quiet, startOnPage, writingTable } from '../../lib/pdf/table.ts'
import type { PackContent, PackedCertificate, PackedLine } from './facts.ts'
import { type CountedFinding, findingsOn, hasNoOriginal, missingFrom } from './summary.ts'

/** The first file of a pack: the sheet that a person reads and files. */

export interface CoverFacts {
  /** The time of the last event that the pack shows. */
  readonly at: Date
  /** The number of events of the company that the checkpoint covers, and the head of their tree in base64. */
  readonly checkpoint: { readonly size: number; readonly root: string }
}

const brand = '#1f4e79'

/**
 * Write the sheet. The same content always gives the same bytes. A large order takes seconds, so this is work for `inTurns`.
 */
export function* coverSheet(content: PackContent, facts: CoverFacts): Generator<void, Pdf> {
  const { orderNumber } = content.order
  const pdf = openPdf({ title: `Order pack ${orderNumber}`, author: content.companyName, at: facts.at })
  pdf.addPage()
  writeHead(pdf, content)
  writeClearance(pdf, content)
  writeFacts(pdf, content, facts)
  yield* writeMissing(pdf, missingFrom(content))
  yield* writeLines(pdf, content.lines)
  yield* writeCertificates(pdf, content)
  yield* writePieces(pdf, content.lines)
  yield* writeFindings(pdf, findingsOn(content), content.judgedBy)
  yield* writeRulePacks(pdf, content)
  yield* writeOverrides(pdf, content)
  writeProof(pdf, facts)
  numberPages(pdf, `${content.companyName} · Order pack ${orderNumber}`)
  pdf.end()
  return pdf
}

function writeHead(pdf: Pdf, { companyName, order }: PackContent): void {
  pdf.rect(0, 0, pdf.page.width, 8).fill(brand)
  pdf.font('bold', 11).fillColor(brand).text(printable(companyName), margin, 40)
  pdf.font('regular', 9).fillColor(quiet).text('Order pack: the steel of an order, and where it came from')
  pdf.moveDown(1.2)
  pdf
    .font('bold', 22)
    .fillColor(ink)
    .text(`Order ${printable(order.orderNumber)}`, { features })
  if (order.customer !== null)
    pdf
      .font('regular', 11)
      .fillColor(ink)
      .text(`for ${printable(order.customer)}`)
  pdf.moveDown(0.8)
}

function writeClearance(pdf: Pdf, { cleared, cutIds }: PackContent): void {
  const [heading, text, fill, colour] = cleared
    ? ([
        'Cleared',
        'Every piece is cut from a bar with a mill certificate, and no finding stops the order.',
        '#e7f4ec',
        '#14633a',
      ] as const)
    : ([
        'Not cleared',
        'The order is not complete, or a finding stops it. The next sections say what is missing.',
        '#fbeaea',
        '#9c1c1c',
      ] as const)
  const top = pdf.y
  const width = pdf.page.width - 2 * margin
  pdf.roundedRect(margin, top, width, 46, 4).fill(fill)
  pdf.rect(margin, top, 4, 46).fill(colour)
  pdf
    .font('bold', 13)
    .fillColor(colour)
    .text(heading, margin + 16, top + 8)
  pdf
    .font('regular', 9)
    .fillColor(ink)
    .text(text, margin + 16, top + 26)
  pdf.x = margin
  pdf.y = top + 58
  if (cutIds) {
    pdf.font('regular', 9).fillColor(quiet)
    pdf.text(`This pack is limited to some pieces of the order. “${heading}” refers to the whole order.`)
    pdf.moveDown(0.6)
  }
}

function writeFacts(pdf: Pdf, content: PackContent, { at }: CoverFacts): void {
  const { order, lines, certificates, originals } = content
  const pieces = cutOf(lines.filter(({ cancelled }) => !cancelled))
  const heats = new Set(certificates.map(({ heatNumber }) => heatNumber)).size
  const facts = [
    ['Execution class (EN 1090-2)', order.executionClass ?? 'not stated'],
    ['Inspection document (EN 10204)', order.requiredInspectionDocument ?? 'not stated'],
    ['State of', `${timeOf(at)}`],
    ['Lines', String(lines.length)],
    ['Pieces cut', pieces],
    ['Heats', String(heats)],
    ['Certificates', String(certificates.length)],
    ['Originals enclosed', String(originals.length)],
    ['Certificates without original', String(certificates.filter(hasNoOriginal).length)],
  ] as const
  const top = pdf.y
  const width = (pdf.page.width - 2 * margin) / 3
  for (const [index, [name, value]] of facts.entries()) {
    const x = margin + (index % 3) * width
    const y = top + Math.floor(index / 3) * 34
    pdf.font('regular', 8).fillColor(quiet).text(name, x, y, { width })
    pdf
      .font('bold', 11)
      .fillColor(ink)
      .text(value, x, y + 11, { width, features })
  }
  pdf.x = margin
  pdf.y = top + 3 * 34 + 4
}

function* writeMissing(pdf: Pdf, missing: readonly string[]): Generator<void, void> {
  if (missing.length === 0) return
  writeHeading(pdf, `What is missing (${missing.length})`)
  yield* writingTable(
    pdf,
    [{ heading: 'Before the order can be handed over with all its papers', share: 1, text: withShortIds }],
    missing,
  )
}

function* writeLines(pdf: Pdf, lines: readonly PackedLine[]): Generator<void, void> {
  writeHeading(pdf, 'Lines of the order')
  yield* writingTable(
    pdf,
    [
      { heading: 'Line', share: 0.7, font: 'bold', text: ({ lineNumber }) => String(lineNumber) },
      { heading: 'Description', share: 3.6, text: ({ description }) => description ?? '' },
      {
        heading: 'Steel',
        share: 2,
        text: ({ standard, grade }) => [standard, grade].filter(Boolean).join(' ') || 'not stated',
      },
      { heading: 'Profile', share: 1.2, text: ({ profile }) => profile ?? '' },
      { heading: 'mm', share: 1.1, align: 'right', text: ({ lengthMm }) => String(lengthMm) },
      {
        heading: 'Cut',
        share: 1.1,
        align: 'right',
        text: (line) => cutOf([line]),
      },
      {
        heading: 'Status',
        share: 1.3,
        text: ({ cancelled, status }) => (cancelled ? 'Cancelled' : status),
      },
    ],
    lines,
  )
}

/** "14 of 16": the pieces on Completed bars, of those that the lines require. */
function cutOf(lines: readonly PackedLine[]): string {
  const cut = lines.flatMap(({ cuts }) => cuts).filter(({ barStatus }) => barStatus === 'Completed')
  return `${cut.length} of ${lines.reduce((sum, { quantity }) => sum + quantity, 0)}`
}

function* writeCertificates(pdf: Pdf, { certificates, originals }: PackContent): Generator<void, void> {
  if (certificates.length === 0) return
  writeHeading(pdf, 'Mill certificates')
  const numberOf = new Map(originals.map(({ documentId, path }) => [documentId, path.slice(13, 16)]))
  const enclosed = ({ documents }: PackedCertificate) =>
    documents.flatMap(({ documentId }) => numberOf.get(documentId) ?? []).join(', ') || 'missing'
  yield* writingTable(
    pdf,
    [
      { heading: 'Certificate', share: 2, font: 'bold', text: ({ certificateNumber }) => certificateNumber },
      { heading: 'Heat', share: 1.3, font: 'bold', text: ({ heatNumber }) => heatNumber },
      {
        heading: 'Steel',
        share: 2.2,
        text: ({ standard, grade }) => [standard, grade].filter(Boolean).join(' '),
      },
      { heading: 'Type', share: 0.6, text: ({ inspectionDocument }) => inspectionDocument },
      { heading: 'Manufacturer', share: 2.2, text: ({ manufacturer }) => manufacturer ?? '' },
      { heading: 'Status', share: 1, text: ({ status }) => status },
      { heading: 'Original', share: 0.9, align: 'right', text: enclosed },
    ],
    certificates,
  )
  writeNote(pdf, 'The number under "Original" is the beginning of the file name in the folder certificates.')
}

function* writePieces(pdf: Pdf, lines: readonly PackedLine[]): Generator<void, void> {
  const pieces = lines.flatMap(({ lineNumber, cuts }) => cuts.map((cut) => ({ lineNumber, ...cut })))
  if (pieces.length === 0) return
  writeHeading(pdf, 'Pieces and their heats')
  yield* writingTable(
    pdf,
    [
      { heading: 'Line', share: 0.8, text: ({ lineNumber }) => String(lineNumber) },
      { heading: 'Bar', share: 1.8, text: barName },
      { heading: 'Piece', share: 1.2, text: pieceName },
      { heading: 'mm', share: 0.9, align: 'right', text: ({ lengthMm }) => String(lengthMm) },
      { heading: 'State', share: 1.5, text: ({ barStatus }) => barStatus },
      { heading: 'Heat', share: 1.2, font: 'bold', text: ({ heatNumber }) => heatNumber ?? 'missing' },
      { heading: 'Certificate', share: 1.6, text: ({ certificateNumber }) => certificateNumber ?? 'missing' },
      { heading: 'Mark', share: 1.6, text: ({ markTransferred }) => (markTransferred ? 'transferred' : '–') },
      { heading: 'Verdict', share: 1.7, text: verdictOf },
    ],
    pieces,
  )
}

type PackedCut = PackedLine['cuts'][number]

/** "Week 17 · 3", as the portal names a bar. */
function barName({ planName, barOrdinal }: Pick<PackedCut, 'planName' | 'barOrdinal'>): string {
  return `${planName} · ${barOrdinal}`
}

function pieceName({ pieceMark, cutOrdinal }: PackedCut): string {
  return [pieceMark, `piece ${cutOrdinal}`].filter(Boolean).join(', ')
}

function verdictOf({ findings, millCertificationId, barStatus }: PackedCut): string {
  const hasCertificate = millCertificationId !== null
  return verdictWords[wordOf({ findings, hasCertificate, isStarted: barStatus === 'Started' })]
}

function* writeFindings(
  pdf: Pdf,
  findings: readonly CountedFinding[],
  judgedBy: JudgedBy,
): Generator<void, void> {
  if (findings.length === 0) return
  writeHeading(pdf, 'Findings of the verdict')
  yield* writingTable(
    pdf,
    [
      { heading: 'Severity', share: 0.9, font: 'bold', text: ({ severity }) => severity },
      { heading: 'Finding', share: 6, text: ({ message }) => message },
      { heading: 'Pieces', share: 0.8, align: 'right', text: ({ pieces }) => String(pieces) },
      { heading: 'Override', share: 1, text: ({ override }) => (override ? 'yes' : '') },
    ],
    findings,
  )
  writeNote(
    pdf,
    `Judged from the facts above by ${judgedByText(judgedBy)}. data/history.ndjson has the findings that were recorded with each approval.`,
  )
}

function* writeRulePacks(pdf: Pdf, { rulePacks }: PackContent): Generator<void, void> {
  if (rulePacks.length === 0) return
  writeHeading(pdf, 'Rule packs that judge the certificates')
  yield* writingTable(
    pdf,
    [
      {
        heading: 'Rule pack',
        share: 3,
        font: 'bold',
        text: ({ name, version }) => `${name}, version ${version}`,
      },
      {
        heading: 'Compared with',
        share: 2,
        text: ({ validation }) =>
          validation ? `${validation.edition} (version ${validation.version})` : 'nobody has compared it',
      },
      { heading: 'By', share: 1.6, text: ({ validation }) => validation?.by ?? '' },
      { heading: 'On', share: 1, text: ({ validation }) => validation?.date ?? '' },
      { heading: 'Note', share: 2, text: ({ validation }) => validation?.note ?? '' },
    ],
    rulePacks,
  )
}

function* writeOverrides(pdf: Pdf, { overrides, lines }: PackContent): Generator<void, void> {
  if (overrides.length === 0) return
  const nameOf = new Map(lines.flatMap(({ cuts }) => cuts.map((cut) => [cut.barId, barName(cut)])))
  writeHeading(pdf, 'Overrides')
  yield* writingTable(
    pdf,
    [
      { heading: 'Bar', share: 1.6, text: ({ barId }) => nameOf.get(barId) ?? shortId(barId) },
      { heading: 'By', share: 1.8, font: 'bold', text: ({ name }) => name },
      { heading: 'At', share: 1.8, text: ({ at }) => timeOf(new Date(at)) },
      { heading: 'Reason', share: 4, text: ({ reason }) => reason },
      { heading: 'Reference', share: 1.4, text: ({ reference }) => reference ?? '' },
    ],
    overrides,
  )
}

function writeProof(pdf: Pdf, { checkpoint: { size, root } }: CoverFacts): void {
  startOnPage(pdf, 95)
  writeHeading(pdf, 'How to check this pack')
  pdf.font('regular', 9).fillColor(ink)
  pdf.text(
    'manifest.json lists every file of this pack with its SHA-256. proof/ shows that the events in data/history.ndjson are in the signed log of the company, unchanged and without a gap in any of their streams. The events name each original by its SHA-256.',
    margin,
    pdf.y,
    { width: pdf.page.width - 2 * margin, features },
  )
  pdf.moveDown(0.5)
  pdf.fillColor(quiet).text(`Checkpoint of ${size} events, head ${root}`, { features })
}

function writeHeading(pdf: Pdf, text: string): void {
  startOnPage(pdf, 80)
  pdf.moveDown(1.2)
  pdf.font('bold', 11).fillColor(brand).text(text, margin)
  pdf.moveDown(0.2)
}

function writeNote(pdf: Pdf, text: string): void {
  pdf.moveDown(0.3)
  pdf.font('regular', 8).fillColor(quiet).text(text, margin)
}

function numberPages(pdf: Pdf, name: string): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page)
    const y = pdf.page.height - margin + 4
    const width = pdf.page.width - 2 * margin
    // Text below the margin would begin a new page.
    pdf.page.margins.bottom = 0
    pdf
      .moveTo(margin, y - 6)
      .lineTo(margin + width, y - 6)
      .lineWidth(0.5)
      .strokeColor(hairline)
      .stroke()
    pdf.font('regular', 8).fillColor(quiet)
    pdf.text(printable(name), margin, y, { width: width - 80, lineBreak: false })
    pdf.text(`Page ${page + 1} of ${count}`, margin + width - 80, y, { width: 80, align: 'right' })
  }
}

/** The beginning of an id tells the pieces of an order apart. The data has the whole id. */
function shortId(id: string): string {
  return id.slice(0, 8)
}

function withShortIds(text: string): string {
  return text.replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, shortId)
}

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
