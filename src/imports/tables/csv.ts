import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Unreadable } from '../unreadable.ts'
import { mostColumns, type Table, type TableRow } from './table.ts'

/** CSV as spreadsheets of any locale write it: the encoding and the separator are found in the file. */

/** The bytes that are decoded at a time. */
const portionBytes = 65_536
/** The characters in which the separator is looked for. */
const sampleLength = 16_384
const longestRow = 1_048_576

export function readCsv(bytes: Uint8Array): Table {
  return { isSpreadsheet: false, rows: rowsOf(bytes) }
}

async function* rowsOf(bytes: Uint8Array): AsyncIterable<TableRow> {
  const encoding = encodingOf(bytes)
  const sample = new TextDecoder(encoding).decode(bytes.subarray(0, sampleLength))
  if (sample.includes('\0')) throw new Unreadable('This file is not text, so it cannot be read as CSV.')
  const parser = Readable.from(decoded(bytes, encoding)).compose(
    parse({
      delimiter: separatorOf(sample),
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: longestRow,
    }),
  )
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (record.length > mostColumns)
        throw new Unreadable(`Line ${info.lines} has more than ${mostColumns} columns.`)
      yield { line: info.lines, cells: record }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new Unreadable(
      `Line ${error.lines ?? '?'} cannot be read as CSV: a quote is open, or the line is too long.`,
    )
  }
}

/** A byte order mark tells the encoding. Without one a text that is no UTF-8 is taken for Windows-1252. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    for (const _ of decoded(bytes, 'utf-8', true));
    return true
  } catch {
    return false
  }
}

/** Decode a portion at a time, so that a text of 25 MiB is never whole in memory. */
function* decoded(bytes: Uint8Array, encoding: string, fatal = false): Iterable<string> {
  const decoder = new TextDecoder(encoding, { fatal })
  for (let start = 0; start < bytes.length; start += portionBytes)
    yield decoder.decode(bytes.subarray(start, start + portionBytes), { stream: true })
  yield decoder.decode()
}

const separators = [';', ',', '\t', '|']

/** Return the separator that the first lines have most often outside quotes, and about equally often. */
function separatorOf(sample: string): string {
  const lines = sample
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .slice(0, 20)
    .filter((line) => line.trim() !== '')
  const counts = separators.map((separator) => {
    const each = lines.map((line) => line.split(separator).length - 1)
    const often = Math.max(0, ...each)
    return { separator, often, agreeing: each.filter((count) => count === often).length }
  })
  // A decimal comma is in some cells of a line, and a separator between all of them.
  const best = counts.reduce((one, other) =>
    other.often * other.agreeing > one.often * one.agreeing ? other : one,
  )
  return best.separator
}
