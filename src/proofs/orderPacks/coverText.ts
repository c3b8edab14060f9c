import { margin, type Pdf } from '../../lib/pdf/page.ts'
import { quiet, startOnPage } from '../../lib/pdf/table.ts'
import type { PackedLine } from './facts.ts'

/** The texts that the parts of the cover sheet share. */

export const brand = '#1f4e79'

export function writeHeading(pdf: Pdf, text: string): void {
  startOnPage(pdf, 80)
  pdf.moveDown(1.2)
  pdf.font('bold', 11).fillColor(brand).text(text, margin)
  pdf.moveDown(0.2)
}

export function writeNote(pdf: Pdf, text: string): void {
  pdf.moveDown(0.3)
  pdf.font('regular', 8).fillColor(quiet).text(text, margin)
}

/** "14 of 16": the pieces on Completed bars, of those that the lines require. */
export function cutOf(lines: readonly PackedLine[]): string {
  const cut = lines.flatMap(({ cuts }) => cuts).filter(({ barStatus }) => barStatus === 'Completed')
  return `${cut.length} of ${lines.reduce((sum, { quantity }) => sum + quantity, 0)}`
}

export function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
