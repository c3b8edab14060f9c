import { buffer } from 'node:stream/consumers'
import { features, margin, openPdf, type Pdf } from '../../lib/pdf/page.ts'
import { hairline, ink, quiet, writeTable } from '../../lib/pdf/table.ts'
import type { ExampleOriginal } from './examples.ts'

/** The sheet of an example certificate, as a mill would have sent it. */

/** The same example always gives the same bytes, so a repeated upload is the same document. */
export async function originalPdf(example: ExampleOriginal): Promise<Buffer> {
  const pdf = openPdf({
    title: `${example.inspectionDocument} ${example.certificateNumber}`,
    author: example.manufacturer ?? 'Unknown mill',
    at: new Date(`${example.issuedOn ?? '2026-01-01'}T08:00:00Z`),
  })
  const written = buffer(pdf)
  pdf.addPage()
  writeHead(pdf, example)
  writeFacts(pdf, example)
  writeChemistry(pdf, example)
  writeTests(pdf, example)
  writeStatement(pdf, example)
  pdf.end()
  return written
}

function writeHead(pdf: Pdf, { manufacturer, inspectionDocument, certificateNumber }: ExampleOriginal): void {
  const name = manufacturer ?? 'Unknown mill'
  pdf.rect(0, 0, pdf.page.width, 8).fill('#1f4e79')
  pdf.font('bold', 17).fillColor('#1f4e79').text(name, margin, margin)
  pdf.font('regular', 8.5).fillColor(quiet).text('Quality department')
  pdf.font('bold', 13).fillColor(ink)
  pdf.text(`${documentNames[inspectionDocument[0] ?? '']} ${inspectionDocument} to EN 10204`, margin, 112, {
    features,
  })
  pdf.font('regular', 10).text(`No. ${certificateNumber}`, { features })
  pdf.moveDown(1)
}

const documentNames: Readonly<Record<string, string>> = {
  '2': 'Test report',
  '3': 'Inspection certificate',
}

function writeFacts(pdf: Pdf, example: ExampleOriginal): void {
  const { heatNumber, standard, grade, productForm, profile, thicknessMm, issuedOn } = example
  const facts = [
    ['A02', 'Document', example.inspectionDocument],
    ['A03', 'Number', example.certificateNumber],
    ['B02', 'Steel', [standard, grade].filter(Boolean).join(' ')],
    ['B01', 'Product', [productForm, profile].filter(Boolean).join(', ') || '–'],
    ['B10', 'Thickness', thicknessMm === undefined ? '–' : `${thicknessMm} mm`],
    ['C00', 'Heat', heatNumber],
    ['Z02', 'Date of issue', issuedOn ?? '–'],
  ] as const
  writeTable(
    pdf,
    [
      { heading: 'EN 10168', share: 1, text: ([code]) => code },
      { heading: '', share: 2, text: ([, name]) => name },
      { heading: '', share: 5, font: 'bold', text: ([, , value]) => value },
    ],
    facts,
  )
}

function writeChemistry(pdf: Pdf, { chemistry }: ExampleOriginal): void {
  if (!chemistry) return
  writeHeading(pdf, 'C71–C92  Chemical composition, ladle analysis, % by mass')
  const columns = Object.entries(chemistry).map(([symbol, percent]) => ({
    heading: symbol,
    share: 1,
    text: () => String(percent),
  }))
  writeTable(pdf, columns, [chemistry])
}

function writeTests(pdf: Pdf, { mechanical }: ExampleOriginal): void {
  if (!mechanical) return
  writeHeading(pdf, 'C10–C43  Tensile and impact tests')
  const valueText = (value: number | undefined, unit: string) =>
    value === undefined ? '–' : `${value} ${unit}`
  writeTable(
    pdf,
    [
      { heading: 'ReH', share: 1, text: ({ reHMpa }) => valueText(reHMpa, 'MPa') },
      { heading: 'Rm', share: 1, text: ({ rmMpa }) => valueText(rmMpa, 'MPa') },
      { heading: 'A', share: 1, text: ({ a5Percent }) => valueText(a5Percent, '%') },
      { heading: 'KV2', share: 1, text: ({ kvJoule }) => valueText(kvJoule, 'J') },
      { heading: 'at', share: 1, text: ({ kvTemperatureC }) => valueText(kvTemperatureC, '°C') },
    ],
    [mechanical],
  )
}

function writeHeading(pdf: Pdf, text: string): void {
  pdf.moveDown(1.5)
  pdf.font('bold', 9.5).fillColor(ink).text(text, margin)
  pdf.moveDown(0.3)
}

function writeStatement(pdf: Pdf, { issuedOn, manufacturer }: ExampleOriginal): void {
  pdf.moveDown(2)
  pdf.font('regular', 9).fillColor(ink)
  pdf.text('We confirm that the products supplied comply with the order.', margin)
  pdf.moveDown(3)
  pdf
    .moveTo(margin, pdf.y)
    .lineTo(margin + 180, pdf.y)
    .lineWidth(0.5)
    .strokeColor(hairline)
    .stroke()
  pdf.moveDown(0.4)
  pdf.text(`Z01  Works inspector, ${manufacturer ?? 'unknown mill'}${issuedOn ? `, ${issuedOn}` : ''}`)
  const foot = 'An example of Heatmark. The mill, the heat and the values are invented.'
  pdf
    .font('regular', 8)
    .fillColor(quiet)
    .text(foot, margin, pdf.page.height - margin - 12)
}
