import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'

/** PDF files on A4. The same content always gives the same bytes. */

export type Pdf = InstanceType<typeof PDFDocument>

/** All measures are points: 1/72 inch. */
export const margin = 48

export interface PdfFacts {
  readonly title: string
  readonly author: string
  /** The file says that it was made then, whenever it is written. */
  readonly at: Date
}

/** Open a file without pages. Read it as a stream while it is written, and end it. */
export function openPdf({ title, author, at }: PdfFacts): Pdf {
  const pdf = new PDFDocument({
    ...{ size: 'A4', margin, autoFirstPage: false, bufferPages: true, lang: 'en', displayTitle: true },
    info: { Title: title, Author: author, Producer: 'Heatmark', Creator: 'Heatmark', CreationDate: at },
  })
  for (const [name, file] of Object.entries(fontFiles)) pdf.registerFont(name, fontOf(file))
  return pdf.font('regular')
}

/** A font of our own is in every file, because those that every reader has lack letters such as "Ł" and "ő". */
const fontFiles = {
  regular: '400Regular/Inter_400Regular.ttf',
  bold: '600SemiBold/Inter_600SemiBold.ttf',
}
export type Font = keyof typeof fontFiles

const fonts = new Map<string, Buffer>()

function fontOf(file: string): Buffer {
  const known = fonts.get(file)
  if (known) return known
  const bytes = readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${file}`))
  fonts.set(file, bytes)
  return bytes
}

/** Without kerning, because "3.1" must not look like "31". The types know only features that are turned on. */
export const features = { kern: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[]

/** Characters that the font does not have, and those that would turn the direction of the text, are shown as "?". */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Mn}]/gu, '?')
}
