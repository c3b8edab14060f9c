import type { Readable } from 'node:stream'
import { type Entry, zipOf } from '../zip.ts'
import { asText, type Cell, cellName } from './cells.ts'

/**
 * Write a spreadsheet (ECMA-376, Office Open XML) of one sheet, row by row, so that a long list is never in memory as a
 * whole. Texts are in their cells, not in a table of shared strings, which would have to be complete first.
 */

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Return the bytes of a spreadsheet with these rows. An error of `rows` breaks the stream. */
export function xlsxOf(rows: AsyncIterable<Iterable<readonly Cell[]>>): Readable {
  return zipOf(partsOf(rows))
}

async function* partsOf(rows: AsyncIterable<Iterable<readonly Cell[]>>): AsyncIterable<Entry> {
  for (const [path, content] of Object.entries(fixedParts)) yield { path, content }
  yield { path: 'xl/worksheets/sheet1.xml', content: sheetOf(rows) }
}

async function* sheetOf(rows: AsyncIterable<Iterable<readonly Cell[]>>): AsyncIterable<string> {
  yield `${declaration}<worksheet xmlns="${spreadsheet}/main"><sheetData>`
  let line = 0
  for await (const portion of rows) {
    let text = ''
    for (const row of portion) {
      line += 1
      text += `<row r="${line}">${row.map((cell, index) => cellXml(cell, cellName(line, index + 1))).join('')}</row>`
    }
    yield text
  }
  yield '</sheetData></worksheet>'
}

function cellXml(cell: Cell, name: string): string {
  if (cell === null || cell === undefined || cell === '') return ''
  if (typeof cell === 'number') return `<c r="${name}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${name}" t="b"><v>${cell ? 1 : 0}</v></c>`
  return `<c r="${name}" t="inlineStr"><is><t xml:space="preserve">${xmlText(asText(cell))}</t></is></c>`
}

/** The most characters of a cell. Spreadsheet programs call a file with more of them damaged. */
const longestCell = 32_767

/** Return the text that a cell can hold. Half a text could be taken for a whole one. */
function cutToFit(text: string): string {
  if (text.length <= longestCell) return text
  return `(${text.length} characters, more than a spreadsheet can hold: get this list as CSV or JSON)`
}

/** XML 1.0 cannot hold control characters; a spreadsheet writes them as _x0001_, and a text like that as _x005F_x0001_. */
function xmlText(text: string): string {
  return (
    cutToFit(text)
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to write differently
      .replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, (character) => `_x${toHex(character)}_`)
  )
}

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const openXml = 'http://schemas.openxmlformats.org'
const spreadsheet = `${openXml}/spreadsheetml/2006`
const relationships = `${openXml}/officeDocument/2006/relationships`
const packaged = `${openXml}/package/2006`
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const fixedParts = {
  '[Content_Types].xml': `${declaration}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': `${declaration}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${declaration}<workbook xmlns="${spreadsheet}/main" xmlns:r="${relationships}"><sheets><sheet name="Heatmark" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}
