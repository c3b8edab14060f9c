import { showHidden } from '../../lib/hiddenCharacters.ts'
import type { Output as Stream } from '../progress.ts'

/** The output of a command: text for people, or JSON for programs (`--json`). */
export interface Output {
  readonly json: boolean
  /** Where the progress of long work is shown: standard error. */
  readonly progress: Stream
  /** Print one record: a line of JSON, or the text. */
  record(value: unknown, text: string): void
  /** Print records in columns, or as one JSON array. */
  table(rows: readonly object[]): void
  /** Print more text for people only: programs have the same in the records. */
  remark(text: string): void
  /** Print a notice to standard error, also with `--json`. */
  note(text: string): void
}

/** Hidden characters are escaped in every text: in a name, they could clear or imitate lines of a terminal. */
export function createOutput(json: boolean, stdout: Stream, stderr: Stream): Output {
  const write = (line: string) => stdout.write(`${showHidden(line)}\n`)
  return {
    json,
    progress: stderr,
    record: (value, text) => void write(json ? JSON.stringify(value) : text),
    table: (rows) => {
      if (json) write(JSON.stringify(rows))
      else if (rows.length > 0) for (const line of columnsOf(rows)) write(line)
      else write('none')
    },
    remark: (text) => {
      if (!json) write(text)
    },
    note: (text) => void stderr.write(`heatmark: ${showHidden(text)}\n`),
  }
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  // A cell is one line, and its width is that of the text as it is printed.
  return showHidden(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll('\n', '\\n')
}

function columnsOf(records: readonly object[]): string[] {
  const rows = records as readonly Readonly<Record<string, unknown>>[]
  const names = Object.keys(rows[0] ?? {})
  const width = (name: string) => Math.max(name.length, ...rows.map((row) => formatCell(row[name]).length))
  const widths = names.map(width)
  const line = (values: readonly string[]) =>
    values
      .map((value, n) => value.padEnd(widths[n]!))
      .join('  ')
      .trimEnd()
  return [line(names), ...rows.map((row) => line(names.map((name) => formatCell(row[name]))))]
}
