import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { type Failure, isFailure } from '../../lib/failure.ts'
import { type Box, type Page, type Run, roundPoints } from '../pages/page.ts'
import { unreadable } from '../unreadable.ts'

/** Read the text layer of a PDF. This runs in a process of its own, because a hostile file may take long. */

/** The most pages of a certificate. */
export const mostPages = 100
/** The most characters on all pages. 100 full pages have half of them. */
export const mostCharacters = 500_000
/** A scan may have a stamp of the scanner, or a page number. */
const fewestCharacters = 50

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type PageProxy = Awaited<ReturnType<Document['getPage']>>

/** Load pdf.js, which otherwise happens with the first file. */
export async function loadPdfJs(): Promise<void> {
  await getResolvedPDFJS()
}

/**
 * Return the pages of a PDF; undefined if it is a scan, which has no text layer, or one without words.
 * @throws Failure `unreadable` when the file is encrypted, damaged or too long
 */
export async function readTextLayer(bytes: Uint8Array): Promise<readonly Page[] | undefined> {
  const document = await openDocument(bytes)
  if (document.numPages > mostPages)
    throw unreadable(
      'too-large',
      `The PDF has ${document.numPages} pages, which is more than ${mostPages}. Send the pages of the certificate alone.`,
    )
  const pages: Page[] = []
  let charactersLeft = mostCharacters
  for (let page = 1; page <= document.numPages; page += 1) {
    const content = await readPage(document, page, charactersLeft)
    charactersLeft -= content.text.length
    pages.push(content)
  }
  return mostCharacters - charactersLeft < fewestCharacters || isNonsense(pages) ? undefined : pages
}

/** Return a PDF of some pages, from 1. Its bytes differ each time. @throws Failure `unreadable` */
export async function extractPages(bytes: Uint8Array, pages: readonly number[]): Promise<Uint8Array> {
  const document = await openDocument(bytes)
  try {
    return await document.extractPages([{ document: null, includePages: pages.map((page) => page - 1) }])
  } catch {
    throw damagedPdf()
  }
}

/**
 * A text layer without its character map has signs in place of letters: fewer than this share are letters and digits.
 */
const fewestLetters = 0.5

function isNonsense(pages: readonly Page[]): boolean {
  const signs = pages.map(({ text }) => text.replaceAll(/\s/g, '')).join('')
  return signs.replaceAll(/[^\p{Script=Latin}\p{Nd}]/gu, '').length < fewestLetters * signs.length
}

async function openDocument(bytes: Uint8Array): Promise<Document> {
  try {
    // Fonts and character maps come from the file alone, and its programs never run.
    const none = { cMapUrl: undefined, standardFontDataUrl: undefined, useSystemFonts: false }
    return await getDocumentProxy(new Uint8Array(bytes), { ...none, isEvalSupported: false, verbosity: 0 })
  } catch (error) {
    throw (error as Error).name === 'PasswordException'
      ? unreadable('encrypted', 'The PDF is encrypted. Save it without a password.')
      : damagedPdf()
  }
}

function damagedPdf(): Failure {
  return unreadable('damaged', 'This file is not a PDF, or it is damaged. Ask for it again.')
}

async function readPage(document: Document, page: number, mostLeft: number): Promise<Page> {
  const runs: Run[] = []
  const lines: string[] = []
  let line = ''
  let length = 0
  try {
    const proxy = await document.getPage(page)
    const viewport = proxy.getViewport({ scale: 1 })
    for await (const item of textsOf(proxy)) {
      length += item.str.length + 1
      if (length > mostLeft) throw tooLong()
      line += item.str
      if (item.hasEOL) lines.push(line)
      if (item.hasEOL) line = ''
      const run = runOf(item, viewport)
      if (run) runs.push(run)
    }
    proxy.cleanup()
    const box: Box = [0, 0, roundPoints(viewport.width), roundPoints(viewport.height)]
    return { page, box, runs, text: [...lines, line].join('\n').toWellFormed(), levelRules: [] }
  } catch (error) {
    throw isFailure(error, 'unreadable') ? error : damagedPdf()
  }
}

function tooLong(): Failure {
  return unreadable(
    'too-large',
    `The PDF has more than ${mostCharacters} characters. Send the pages of the certificate alone.`,
  )
}

interface TextItem {
  readonly str: string
  readonly transform: readonly number[]
  readonly width: number
  readonly fontName: string
  readonly hasEOL: boolean
}

/** Yield the texts of a page as they are read, so that an endless page can be left. */
async function* textsOf(page: PageProxy): AsyncIterable<TextItem> {
  const reader = page.streamTextContent().getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      for (const item of (value as { items: object[] }).items) if ('str' in item) yield item as TextItem
    }
  } finally {
    await reader.cancel(new Error('no more is read')).catch(() => {})
  }
}

/** Return the run of a horizontal text; undefined for any other, and for white space. */
function runOf(
  { str, transform, width, fontName }: TextItem,
  { transform: shown, height }: ReturnType<PageProxy['getViewport']>,
): Run | undefined {
  const [a, b, , d, x, y] = multiply(shown, transform)
  const size = Math.abs(d)
  const isUpright = Math.abs(b) < Math.abs(a) / 20 && a > 0
  const text = str.toWellFormed().replaceAll(/\s+/g, ' ').trim()
  if (!isUpright || text === '' || ![x, y, width, size].every(Number.isFinite)) return undefined
  const bottom = height - y
  const box: Box = [roundPoints(x), roundPoints(bottom), roundPoints(x + width), roundPoints(bottom + size)]
  return { text, box, size, font: fontName }
}

type Matrix = [number, number, number, number, number, number]

function multiply(one: readonly number[], other: readonly number[]): Matrix {
  const [a, b, c, d, e, f] = one as Matrix
  const [g, h, i, j, k, l] = other as Matrix
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
