import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { unreadable } from '../unreadable.ts'
import { mostColumns, mostRows, type TableCell, type TableRow } from './table.ts'

/** Read the first sheet of an XLSX file. This runs in a process of its own, because a hostile file may take long. */

/** The most bytes of the unpacked parts that are read. */
export const mostUnpackedBytes = 67_108_864

/** Rows above the headings are not counted as rows of the import. */
const roomForHeadings = 50

/** @throws Failure `unreadable` */
export async function readXlsx(bytes: Uint8Array): Promise<readonly TableRow[]> {
  const sheet = await sheetOf(repack(bytes))
  if (sheet.length > mostRows + roomForHeadings)
    throw unreadable('too-large', `The sheet has more than ${mostRows} rows.`)
  const rows = sheet.map((cells, index) => ({ line: index + 1, cells: cells as readonly TableCell[] }))
  const wide = rows.find(({ cells }) => cells.length > mostColumns)
  if (wide) throw unreadable('too-large', `Row ${wide.line} has more than ${mostColumns} columns.`)
  return rows
}

/**
 * Unpack the parts that are needed, within the bound, and pack them again without compression. The reader then meets no
 * more bytes than were counted here, whatever the file says about itself.
 */
function repack(bytes: Uint8Array): Uint8Array {
  let total = 0
  let isTooLarge = false
  const names = new Set<string>()
  let isDoubled = false
  const parts = unpack(bytes, ({ name, size, originalSize }) => {
    if (!/^[^\0]*\.xml(?:\.rels)?$/.test(name) || name.includes('..')) return false
    // Spreadsheet programs find a part by its name in any case.
    isDoubled ||= names.size === names.add(name.toLowerCase()).size
    // A part that is stored without compression is as large as it is packed, whatever size it states.
    total += Math.max(size, originalSize)
    isTooLarge ||= total > mostUnpackedBytes
    return !isTooLarge
  })
  if (isTooLarge)
    throw unreadable(
      'too-large',
      `The spreadsheet unpacks to more than ${mostUnpackedBytes} bytes. Split it into smaller files.`,
    )
  if (isDoubled)
    throw unreadable(
      'damaged',
      'The spreadsheet has two parts with the same name, so another program may show other rows. Save it again as XLSX.',
    )
  if (!('xl/workbook.xml' in parts))
    throw unreadable('damaged', 'This file is not an XLSX spreadsheet. Save it as XLSX.')
  const declared = Object.values(parts).some(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).includes('<!DOCTYPE'),
  )
  if (declared)
    throw unreadable(
      'damaged',
      'The spreadsheet declares XML entities, so it was not read. Save it again with a spreadsheet program.',
    )
  return zipSync(parts, { level: 0 })
}

function unpack(bytes: Uint8Array, filter: (file: UnzipFileInfo) => boolean) {
  try {
    return unzipSync(bytes, { filter })
  } catch {
    throw unreadable(
      'damaged',
      'This file is not an XLSX spreadsheet, or it is damaged. Save it again as XLSX.',
    )
  }
}

async function sheetOf(bytes: Uint8Array) {
  try {
    return await readSheet(Buffer.from(bytes), { trim: false })
  } catch {
    throw unreadable(
      'damaged',
      'The first sheet of this spreadsheet cannot be read. Save it again as XLSX, or as CSV.',
    )
  }
}
