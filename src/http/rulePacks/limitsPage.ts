import { bandsKey } from '../../rulePacks/language.ts'
import type { RulePackDocument, Table } from '../../rulePacks/rulePack.ts'
import { list, page, table, text } from '../kit/serviceRoutes/htmlPage.ts'

/** The page that lists every limit of the shipped rule packs, for a person to compare with a licensed copy. */
export function limitsPage(documents: readonly RulePackDocument[]): string {
  return page('The limits of the rule packs', [intro, ...documents.map(sectionOf)].join('\n'))
}

const confidences = [
  ['A', 'two or more independent transcriptions agree'],
  ['B', 'one source, and it fits the pattern of an older edition'],
  ['C', 'one source only'],
  ['K', 'own knowledge only'],
  ['X', 'the sources conflict; the meaning says how they differ'],
]

const intro = `<p>This page lists every figure that the newest versions of the rule packs judge by. The figures are restated, as
each table says. Before you rely on them, have them compared once with licensed copies of the standards.</p>
${table(['Confidence', 'Meaning'], confidences)}
<p>A letter in brackets is the confidence of that figure alone. The column "Confidence" holds for the others in the row.
The columns of a table by thickness are bands: each begins above the end of the band before it, and includes its own end.
"–" means that the table has no figure: there is no limit, or the pack does not cover that thickness. Rows with the same
figures are joined.</p>`

function sectionOf(document: RulePackDocument): string {
  const { id, name, version, edition, restated, covers, doesNotCover, tables = {} } = document
  const steps = (tables.steps?.values ?? {}) as Readonly<Record<string, number>>
  const [wide, narrow] = [true, false].map((wanted) =>
    Object.entries(tables).filter(([, one]) => hasColumns(one) === wanted),
  )
  return [
    `<h2>${text(name)}</h2>`,
    `<p><code>${id}</code>, version ${version}. ${text(edition)}</p>`,
    `<p>Restated: ${text(restated + ownStatements(restated, tables))}</p>`,
    `<p>It covers:</p>\n${list(covers.map(text))}`,
    `<p>It does not cover:</p>\n${list(doesNotCover.map(text))}`,
    table(
      ['Figures', 'Meaning', 'Value', 'Confidence', 'Source'],
      narrow!.map(([table, content]) => figuresOf(table, content, steps).map(text)),
    ),
    ...wide!.map(([table, content]) => tableOf(table, content, steps)),
  ].join('\n')
}

/** List the tables that somebody else restated than the other tables, and say who. */
function ownStatements(usual: string, tables: Readonly<Record<string, Table>>): string {
  const own = Object.entries(tables).filter(([, { restated = usual }]) => restated !== usual)
  const byStatement = Map.groupBy(own, ([, { restated }]) => restated)
  return [...byStatement]
    .map(([statement, of]) => ` ${of.map(([name]) => `\`${name}\``).join(', ')}: ${statement}`)
    .join('')
}

/** Return how the figures of a table are printed, and how sure they are. */
function printerOf(name: string, { of, confidence }: Table, steps: Readonly<Record<string, number>>) {
  const print = (value: unknown, column: string): string => {
    if (typeof value !== 'number') return value === null || value === undefined ? '–' : String(value)
    const step = steps[column] ?? steps[of ?? '']
    // Only temperatures are negative, and N is a quality there, not nitrogen.
    const isPlain = step === undefined || name === 'steps' || value < 0
    return isPlain ? String(value) : value.toFixed(decimalsOf(step))
  }
  const sure = (row: string, column = '') =>
    confidence
      ? (confidence[`${row} ${column}`] ?? confidence[`* ${column}`] ?? ofRow(confidence, row) ?? '')
      : ''
  return { print, sure }
}

/** Return the line of a table without columns: a figure, a list, or a figure for each name. */
function figuresOf(name: string, table: Table, steps: Readonly<Record<string, number>>): string[] {
  const { about, source = '', confidence, values } = table
  const { print, sure } = printerOf(name, table, steps)
  const line = (figures: string, usual: string) => [`\`${name}\``, about, figures, usual, source]
  if (typeof values === 'number') return line(print(values, ''), sure('all'))
  if (Array.isArray(values)) return line(values.join(', '), '')
  const rows = Object.entries(values)
  const usual = confidence?.['*'] ?? sure(rows[0]![0])
  const figures = rows.map(([row, value]) => {
    const letter = sure(row)
    return `${row} ${print(value, row)}${letter === usual ? '' : ` (${letter})`}`
  })
  return line(figures.join(', '), usual)
}

function tableOf(name: string, content: Table, steps: Readonly<Record<string, number>>): string {
  const { print, sure } = printerOf(name, content, steps)
  const mark = (value: unknown, row: string, column: string) => {
    const own = sure(row, column)
    return print(value, column) + (own && own !== sure(row) && value !== undefined ? ` (${own})` : '')
  }
  const { columns, lines } = linesOf(content.values as object, mark)
  const rows = joinLines(lines.map(([row, ...cells]) => [row!, ...cells, sure(row!)]))
  return [
    `<h3><code>${name}</code></h3>`,
    `<p>${text(content.about)}${content.source ? ` Source: ${text(content.source)}` : ''}</p>`,
    table(
      ['Row', ...columns, 'Confidence'],
      rows.map((cells) => cells.map(text)),
    ),
  ].join('\n')
}

function hasColumns({ values }: Table): boolean {
  return (
    typeof values === 'object' &&
    !Array.isArray(values) &&
    Object.values(values).some((row) => typeof row === 'object')
  )
}

/** Join the rows that have the same figures, of the same confidence. */
function joinLines(lines: readonly string[][]): string[][] {
  const rows = new Map<string, string[]>()
  for (const [row, ...cells] of lines) {
    const same = rows.get(cells.join())
    if (same) same[0] += `, ${row}`
    else rows.set(cells.join(), [row!, ...cells])
  }
  return [...rows.values()]
}

/** Return the confidence of a row, or of the rows that begin like it, such as `S460` for S460J2. */
function ofRow(confidence: Readonly<Record<string, string>>, row: string): string | undefined {
  const beginning = Object.keys(confidence).find((key) => key !== '*' && row.startsWith(key))
  return confidence[row] ?? (beginning === undefined ? confidence['*'] : confidence[beginning])
}

function linesOf(values: object, mark: (value: unknown, row: string, column: string) => string) {
  const { [bandsKey]: ends, ...rows } = values as Readonly<Record<string, unknown>>
  const entries = Object.entries(rows) as [string, Record<string, unknown>][]
  const bands = (ends ?? []) as readonly number[]
  const keys = ends
    ? bands.map((_, band) => String(band))
    : [...new Set(entries.flatMap(([, row]) => Object.keys(row)))]
  return {
    columns: ends ? bands.map((end) => `≤ ${end} mm`) : keys,
    lines: entries.map(([row, limits]) => [
      row,
      ...keys.map((key, at) => mark(limits[key], row, ends ? String(bands[at]) : key)),
    ]),
  }
}

function decimalsOf(step: number): number {
  return String(step).split('.')[1]?.length ?? 0
}
