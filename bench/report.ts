import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** One figure that was measured, and what it is held against. */
export interface Figure {
  readonly section: string
  readonly what: string
  readonly value: number
  readonly unit: string
  /** Of `value` to the peer's value in the same run. */
  readonly ratio?: {
    readonly to: string
    readonly value: number
    /** The least that it should be, or the most. */
    readonly aim?: number
    readonly most?: number
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** `fraction` of the values are at most this. */
export const percentile = (values: readonly number[], fraction: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * fraction))]!

const short = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

const ratioText = ({ ratio }: Figure): string => {
  if (!ratio) return ''
  const { to, value, aim, most } = ratio
  const said = (bound: string, met: boolean) => ` (aim ${bound}: ${met ? 'met' : 'missed'})`
  const least = aim === undefined ? '' : said(`≥ ${aim}`, value >= aim)
  const greatest = most === undefined ? '' : said(`≤ ${most}`, value <= most)
  return `${value.toPrecision(3)} × ${to}${least}${greatest}`
}

const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()

/** Where and on what it was measured: figures of other machines mean nothing beside it. */
export const circumstances = () => ({
  date: new Date().toISOString(),
  commit: commit(),
  node: process.version,
  cpus: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
})

/** A Markdown table, as `RESULTS.md` keeps it. */
const asTable = (figures: readonly Figure[]): string =>
  [
    '| section | what | figure | ratio |',
    '|---|---|---|---|',
    ...figures.map(
      (figure) =>
        `| ${figure.section} | ${figure.what} | ${short(figure.value)} ${figure.unit} | ${ratioText(figure)} |`,
    ),
  ].join('\n')

/** Writes the figures to a file as JSON, and prints them as a table. */
export const publish = (file: string, figures: readonly Figure[]): void => {
  const where = circumstances()
  writeFileSync(file, `${JSON.stringify({ ...where, figures }, null, 2)}\n`)
  console.log(
    `${where.date}, commit ${where.commit}, Node ${where.node}, ${where.cpus}, ${where.memoryGiB} GiB\n\n${asTable(figures)}`,
  )
}
