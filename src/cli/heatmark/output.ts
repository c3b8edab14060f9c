/** How commands show what they found: for people as text, for machines (`--json`) as JSON. */
export interface Output {
  readonly json: boolean
  /** One record: a line of JSON, or the text. */
  record(value: unknown, text: string): void
  /** Records in columns, or as one JSON array. */
  table(rows: readonly object[]): void
  /** More for people alone: machines have it in the records. */
  remark(text: string): void
  /** What is no answer but should not be missed: to standard error, for machines, too. */
  note(text: string): void
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function columnsOf(records: readonly object[]): string[] {
  const rows = records as readonly Readonly<Record<string, unknown>>[]
  const names = Object.keys(rows[0] ?? {})
  const width = (name: string) => Math.max(name.length, ...rows.map((row) => cell(row[name]).length))
  const widths = names.map(width)
  const line = (values: readonly string[]) =>
    values
      .map((value, n) => value.padEnd(widths[n]!))
      .join('  ')
      .trimEnd()
  return [line(names), ...rows.map((row) => line(names.map((name) => cell(row[name]))))]
}

export function createOutput(
  json: boolean,
  write: (line: string) => void,
  note: (line: string) => void,
): Output {
  return {
    json,
    record: (value, text) => write(json ? JSON.stringify(value) : text),
    table: (rows) => {
      if (json) write(JSON.stringify(rows))
      else if (rows.length > 0) for (const line of columnsOf(rows)) write(line)
      else write('none')
    },
    remark: (text) => {
      if (!json) write(text)
    },
    note: (text) => note(`heatmark: ${text}`),
  }
}
