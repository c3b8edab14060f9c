import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** A measured figure, with the peer that it is compared with. */
export interface Figure {
  readonly section: string
  readonly what: string
  readonly value: number
  readonly unit: string
  /** `value` divided by the peer's value in the same run. */
  readonly ratio?: {
    readonly to: string
    readonly value: number
    /** The least that it should be. */
    readonly aim?: number
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 0 ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[middle]!
}

/** Return the value that `fraction` of the values do not exceed. */
export function percentile(values: readonly number[], fraction: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * fraction))]!
}

/** Name the commit and the machine: figures of two machines cannot be compared. */
export function circumstances() {
  return {
    date: new Date().toISOString(),
    commit: commitOf(process.cwd()),
    node: process.version,
    cpus: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  }
}

export function commitOf(checkout: string): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: checkout, encoding: 'utf8' }).trim()
}

/** Format a figure with three significant digits. */
export function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

/** Write the figures to a file as JSON, and print them as a table or as the same JSON. */
export function publish(file: string, figures: readonly Figure[], asJson = false): void {
  const where = circumstances()
  const json = JSON.stringify({ ...where, figures }, null, 2)
  writeFileSync(file, `${json}\n`)
  const head = `${where.date}, commit ${where.commit}, Node ${where.node}, ${where.cpus}, ${where.memoryGiB} GiB`
  console.log(asJson ? json : `${head}\n\n${asTable(figures)}`)
}

/** Format a Markdown table for `RESULTS.md`. */
function asTable(figures: readonly Figure[]): string {
  return [
    '| section | what | figure | ratio |',
    '|---|---|---|---|',
    ...figures.map(
      (figure) =>
        `| ${figure.section} | ${figure.what} | ${short(figure.value)} ${figure.unit} | ${ratioText(figure)} |`,
    ),
  ].join('\n')
}

function ratioText({ ratio }: Figure): string {
  if (!ratio) return ''
  const { to, value, aim } = ratio
  const said = aim === undefined ? '' : ` (aim ≥ ${aim}: ${value >= aim ? 'met' : 'missed'})`
  return `${value.toPrecision(3)} × ${to}${said}`
}
