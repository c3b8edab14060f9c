import { countText } from '../../lib/countText.ts'
import { features, margin, openPdf, type Pdf, toPrintable } from '../../lib/pdf/page.ts'
import { hairline, ink, quiet, startOnPage } from '../../lib/pdf/table.ts'
import { writeTables } from './coverTables.ts'
import { brand, cutOf, timeOf, writeHeading } from './coverText.ts'
import type { PackContent } from './facts.ts'
import { hasNoOriginal } from './summary.ts'

/** The first file of a pack: the sheet that a person reads and files. */

interface CoverFacts {
  /** The time of the last event that the pack shows. */
  readonly at: Date
  /** The number of events of the company that the checkpoint covers, and the head of their tree in base64. */
  readonly checkpoint: { readonly size: number; readonly root: string }
}

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
  yield* writeTables(pdf, content)
  writeProof(pdf, facts)
  numberPages(pdf, `${content.companyName} · Order pack ${orderNumber}`)
  pdf.end()
  return pdf
}

function writeHead(pdf: Pdf, { companyName, order }: PackContent): void {
  pdf.rect(0, 0, pdf.page.width, 8).fill(brand)
  pdf.font('bold', 11).fillColor(brand).text(toPrintable(companyName), margin, 40)
  pdf.font('regular', 9).fillColor(quiet).text('Order pack: the steel of an order, and where it came from')
  pdf.moveDown(1.2)
  pdf
    .font('bold', 22)
    .fillColor(ink)
    .text(`Order ${toPrintable(order.orderNumber)}`, { features })
  if (order.customer !== null)
    pdf
      .font('regular', 11)
      .fillColor(ink)
      .text(`for ${toPrintable(order.customer)}`)
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
  pdf.fillColor(quiet).text(`Checkpoint of ${countText(size, 'event')}, head ${root}`, { features })
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
    pdf.text(toPrintable(name), margin, y, { width: width - 80, lineBreak: false })
    pdf.text(`Page ${page + 1} of ${count}`, margin + width - 80, y, { width: 80, align: 'right' })
  }
}
