import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font as FontOfFile } from 'fontkit'
import PDFDocument from 'pdfkit'

/** PDF files on A4. The same content always gives the same bytes. */

export type Pdf = InstanceType<typeof PDFDocument>

/** All measures are points: 1/72 inch. */
export const margin = 48

interface PdfFacts {
  readonly title: string
  readonly author: string
  /** The file says that it was made then, whenever it is written. */
  readonly at: Date
}

/** Open a file without pages. Read it as a stream while it is written, and end it. */
export function openPdf({ title, author, at }: PdfFacts): Pdf {
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    autoFirstPage: false,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: author, Producer: 'Heatmark', Creator: 'Heatmark', CreationDate: at },
  })
  // The types of pdfkit do not know that it takes a font of fontkit.
  for (const [name, file] of Object.entries(fontFiles)) pdf.registerFont(name, fontOf(file) as never)
  return pdf.font('regular')
}

/** A font of our own is in every file, because those that every reader has lack letters such as "Ł" and "ő". */
const fontFiles = { regular: '400Regular/Inter_400Regular.ttf', bold: '600SemiBold/Inter_600SemiBold.ttf' }
export type Font = keyof typeof fontFiles

interface FontFile {
  readonly bytes: Buffer
  /** The tables that fontkit has decoded so far: decoding takes longer than the rest of a small PDF. */
  readonly tables: object
}
const fonts = new Map<string, FontFile>()

/**
 * Each PDF has a font object of its own. The object remembers the first character that each glyph was used for, and the
 * PDF shows it.
 */
function fontOf(file: string): FontOfFile {
  const { bytes, tables } = fonts.get(file) ?? readFont(file)
  return Object.assign(create(bytes) as FontOfFile, { _tables: tables })
}

function readFont(file: string): FontFile {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${file}`))
  const font = { bytes, tables: {} }
  fonts.set(file, font)
  return font
}

/** Without kerning, because "3.1" must not look like "31". The types know only features that are turned on. */
export const features = { kern: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[]

/** Characters that the font does not have, and those that would turn the direction of the text, are shown as "?". */
export function toPrintable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Mn}]/gu, '?')
}
