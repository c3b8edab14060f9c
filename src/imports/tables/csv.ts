import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { parse as parseAll } from 'csv-parse/sync'
import { unreadable } from '../unreadable.ts'
import { countKnown, type Recognise, rowsBeforeData } from './findHeadings.ts'
import { mostColumns, type Table, type TableRow } from './table.ts'

/** CSV as spreadsheets of any locale write it: the encoding and the separator are found in the file. */

/** The bytes that are decoded at a time. */
const portionBytes = 65_536
/** The characters in which the separator is looked for. */
const sampleLength = 16_384
const longestRow = 1_048_576

/** @param recognise recognises the headings, which tell the separator */
export function readCsv(bytes: Uint8Array, recognise: Recognise): Table {
  return { isSpreadsheet: false, rows: rowsOf(bytes, recognise) }
}

/** People write quotes within a cell, such as those of 5" or "Nord", without doubling them. */
const lenient = { relax_column_count: true, relax_quotes: true } as const

async function* rowsOf(bytes: Uint8Array, recognise: Recognise): AsyncIterable<TableRow> {
  const encoding = encodingOf(bytes)
  const sample = new TextDecoder(encoding).decode(bytes.subarray(0, sampleLength))
  if (sample.includes('\0'))
    throw unreadable('damaged', 'This file is not text, so it cannot be read as CSV.')
  const parser = Readable.from(decode(bytes, encoding)).compose(
    parse({
      ...lenient,
      delimiter: separatorOf(sample, recognise),
      info: true,
      max_record_size: longestRow,
    }),
  )
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (record.length > mostColumns)
        throw unreadable('too-large', `Line ${info.lines} has more than ${mostColumns} columns.`)
      yield { line: info.lines, cells: record.map(withoutFormula) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw unreadable(
      'damaged',
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
    for (const _ of decode(bytes, 'utf-8', true));
    return true
  } catch {
    return false
  }
}

/** Decode a portion at a time, so that a text of 25 MiB is never whole in memory. */
function* decode(bytes: Uint8Array, encoding: string, fatal = false): Iterable<string> {
  const decoder = new TextDecoder(encoding, { fatal })
  for (let start = 0; start < bytes.length; start += portionBytes)
    yield decoder.decode(bytes.subarray(start, start + portionBytes), { stream: true })
  yield decoder.decode()
}

const separators = [';', ',', '\t', '|']

/**
 * Return the separator with which a row of the sample has the most known headings. Counting separators would mislead,
 * because decimal commas and free texts may hold any of them as often.
 */
function separatorOf(sample: string, recognise: Recognise): string {
  const counts = separators.map((separator) =>
    Math.max(0, ...firstRows(sample, separator).map((cells) => countKnown(cells, recognise))),
  )
  return separators[counts.indexOf(Math.max(...counts))]!
}

/** The last row may be cut off within quotes. */
function firstRows(sample: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  const on_record = (row: string[]) => void rows.push(row)
  try {
    parseAll(sample, { ...lenient, delimiter, to: rowsBeforeData, on_record })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return rows
}

/** Programs write ="00123" so that a spreadsheet keeps the zeros. Return the text of such a cell. */
function withoutFormula(cell: string): string {
  const quoted = /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]
  return quoted === undefined ? cell : quoted.replaceAll('""', '"')
}
