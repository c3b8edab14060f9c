import type { Row } from '../rows/rows.ts'

const special = /[\\\n\r\t]/g
const escaped: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const chunkLength = 65_536

/** Rows in COPY's text format, in chunks of some 64 KiB. */
export function* copyLines(
  rows: Iterable<Row>,
  encodeRow: (row: Row) => readonly unknown[],
): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${encodeRow(row).map(copyField).join('\t')}\n`
    if (chunk.length >= chunkLength) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk) yield chunk
}

function copyField(value: unknown): string {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return value.search(special) < 0 ? value : value.replace(special, (character) => escaped[character]!)
}
