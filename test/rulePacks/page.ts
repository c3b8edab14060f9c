import { bandsKey } from '../../src/rulePacks/language.ts'
import type { ShippedRulePack } from '../../src/rulePacks/load.ts'
import type { RulePackDocument, Table } from '../../src/rulePacks/rulePack.ts'

/** The page that lists every limit of the shipped rule packs, for a person to compare with a licensed copy. */
export function pageOf(packs: readonly ShippedRulePack[]): string {
  const newest = new Map(packs.map(({ document }) => [document.id, document]))
  return `${[intro, ...[...newest.values()].map(sectionOf)].join('\n\n')}\n`
}

const intro = `# The limits of the rule packs

This page lists every figure that the newest versions of the rule packs judge by. The figures are restated from secondary sources. Before you rely on them, have them compared once with licensed copies of the standards.

| Confidence | Meaning |
|---|---|
| A | two or more independent transcriptions agree |
| B | one source, and it fits the pattern of an older edition |
| C | one source only |
| K | own knowledge only |
| X | the sources conflict; the text above the table says how they differ |

A letter in brackets is the confidence of that figure alone, where it differs from the confidence of its row. The columns of a table by thickness are bands: each begins above the end of the band before it, and includes its own end. "–" means that the table has no figure: there is no limit, or the pack does not cover that thickness. A single figure is in the row "all", and "yes" means that the list has this entry.

This page is generated from the packs. After a change of the packs, run \`npx vitest run test/rulePacks/page.unit.spec.ts -u\`.`

function sectionOf({
  id,
  name,
  version,
  edition,
  covers,
  doesNotCover,
  tables = {},
}: RulePackDocument): string {
  const list = (sentences: readonly string[]) => sentences.map((sentence) => `- ${sentence}`).join('\n')
  const steps = (tables.steps?.values ?? {}) as Readonly<Record<string, number>>
  return [
    `## ${name}`,
    `\`${id}\`, version ${version}. ${edition}`,
    `It covers:\n\n${list(covers)}`,
    `It does not cover:\n\n${list(doesNotCover)}`,
    ...Object.entries(tables).map(([table, content]) => tableOf(table, content, steps)),
  ].join('\n\n')
}

function tableOf(
  name: string,
  { about, of, source, confidence, values }: Table,
  steps: Record<string, number>,
) {
  const print = (value: unknown, column: string): string => {
    if (typeof value !== 'number') return value === null || value === undefined ? '–' : String(value)
    const step = steps[column] ?? steps[of ?? '']
    return step === undefined || name === 'steps' ? String(value) : value.toFixed(decimalsOf(step))
  }
  const sure = (row: string, column = '') =>
    confidence ? (confidence[`${row} ${column}`] ?? ofRow(confidence, row) ?? '') : ''
  const mark = (value: unknown, row: string, column: string) => {
    const own = sure(row, column)
    return print(value, column) + (own && own !== sure(row) && value !== undefined ? ` (${own})` : '')
  }
  const lines = linesOf(values, mark).map(([row, ...cells]) => [row, ...cells, sure(row!)])
  const columns = columnsOf(values)
  return [
    `### \`${name}\`\n\n${about}${source ? ` Source: ${source}` : ''}`,
    [['Row', ...columns, 'Confidence'], ['', ...columns, ''].map(() => '---'), ...lines]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n'),
  ].join('\n\n')
}

/** Return the confidence of a row, or of the rows that begin like it, such as `S460` for S460J2. */
function ofRow(confidence: Readonly<Record<string, string>>, row: string): string | undefined {
  const beginning = Object.keys(confidence).find((key) => key !== '*' && row.startsWith(key))
  return confidence[row] ?? (beginning === undefined ? confidence['*'] : confidence[beginning])
}

function columnsOf(values: Table['values']): string[] {
  if (typeof values === 'number' || Array.isArray(values)) return ['Value']
  const rows = Object.entries(values)
  const bands = rows.find(([row]) => row === bandsKey)?.[1]
  if (Array.isArray(bands)) return bands.map((end) => `≤ ${end} mm`)
  return rows.some(([, row]) => typeof row === 'object') ? elementsOf(rows) : ['Value']
}

function elementsOf(rows: readonly (readonly [string, unknown])[]): string[] {
  return [...new Set(rows.flatMap(([, row]) => Object.keys(row as object)))]
}

function linesOf(
  values: Table['values'],
  mark: (value: unknown, row: string, column: string) => string,
): string[][] {
  if (typeof values === 'number') return [['all', mark(values, 'all', '')]]
  if (Array.isArray(values)) return values.map((value) => [value, 'yes'])
  const { [bandsKey]: ends, ...rows } = values as Readonly<Record<string, unknown>>
  const entries = Object.entries(rows)
  if (Array.isArray(ends))
    return entries.map(([row, limits]) => [
      row,
      ...(limits as unknown[]).map((limit, band) => mark(limit, row, String(ends[band]))),
    ])
  const elements = entries.some(([, row]) => typeof row === 'object') ? elementsOf(entries) : undefined
  return entries.map(([row, value]) =>
    elements
      ? [row, ...elements.map((element) => mark((value as Record<string, unknown>)[element], row, element))]
      : [row, mark(value, row, row)],
  )
}

function decimalsOf(step: number): number {
  return String(step).split('.')[1]?.length ?? 0
}
