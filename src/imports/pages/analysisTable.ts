import { elementSymbols } from '../../domain/certificates/elements.ts'
import { type Analysed, readAnalysis } from '../certificates/analysis.ts'
import { numbersIn } from '../numbers.ts'
import type { Draft } from '../readRow.ts'
import { type Line, placeOf } from './lines.ts'
import type { Box, Run } from './page.ts'

/** The chemical analysis as a table: a line of symbols, and values below them. */

const symbols = new Set([...elementSymbols, ...elementSymbols.map((symbol) => symbol.toUpperCase())])
/** Carbon equivalents and other formulas, gases, and aluminium by its solubility. */
const formulas = /^(?:[HNO]2|CEV|CE|CET|CEQ|PCM|F\d|Al[-_.]?(?:sol|tot|s|t)\.?)$/i
/** Names of lines that say what the analysis must be. */
const limits = /\b(?:min|max|spec|soll|limit|req|grenz|nominal|von|bis)/i
const unit = /^[[(]?(?:%|ppm|Gew\.?-?%|wt\.?-?%|mass-?%)[\])]?$/i
/** "% x 100": what the value is multiplied by is not certain. */
const factor = /[x×*·]\s*10|\b10\s*[-−^⁻]|1\/10/i
const operators = /^(?:[<>≤≥]=?|=)/
/** The values are within this many lines below the symbols, and no gap is wider than this many sizes of the letters. */
const linesBelow = 8
const widestGap = 3

type Word = Pick<Run, 'text' | 'box'>

interface Table {
  /** The words before the first symbol, such as "Symbol". */
  readonly name: string
  readonly columns: readonly Word[]
}

/** Read every analysis on a page. Several analyses that differ leave their values open. */
export function readAnalyses(draft: Draft, lines: readonly Line[]): void {
  const names = new Set<string>()
  for (const [index, line] of lines.entries()) {
    const table = tableAt(line, names)
    if (!table) continue
    if (table.name !== '') names.add(table.name)
    const below = lines.slice(index + 1, index + 1 + linesBelow)
    const next = below.findIndex((other) => tableAt(other, names))
    readTable(draft, table, line, next < 0 ? below : below.slice(0, next))
  }
}

/** Return the table whose symbols are on this line. A long analysis goes on below, where few symbols are enough. */
function tableAt(line: Line, names: ReadonlySet<string>): Table | undefined {
  const words = line.runs.flatMap(wordsOf)
  const first = words.findIndex(({ text }) => isSymbol(text))
  if (first < 0) return undefined
  const name = words
    .slice(0, first)
    .map(({ text }) => text)
    .join(' ')
  const columns = words.slice(first).filter(({ text }) => isSymbol(text))
  const isPure = columns.length === words.length - first
  return isPure && (columns.length >= 3 || names.has(name)) ? { name, columns } : undefined
}

function isSymbol(text: string): boolean {
  return symbols.has(text) || formulas.test(text)
}

/** Return the words of a run, each with its approximate place. */
function wordsOf({ text, box: [left, bottom, right, top] }: Run): readonly Word[] {
  const step = (right - left) / text.length
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const end = left + (index + word.length) * step
    return { text: word, box: [inTenths(left + index * step), bottom, inTenths(end), top] }
  })
}

function inTenths(points: number): number {
  return Math.round(points * 10) / 10
}

function readTable(draft: Draft, { columns }: Table, heading: Line, below: readonly Line[]): void {
  const start = columns[0]!.box[0]
  const units = new Map<Word, string>()
  let hasFactor = heading.runs.some(({ text }) => factor.test(text))
  const rows: { line: Line; values: readonly Word[]; unit: string | undefined }[] = []
  let bottom = heading.bottom
  for (const line of below) {
    if (bottom - line.bottom > widestGap * heading.runs[0]!.size) break
    bottom = line.bottom
    const words = line.runs.flatMap(wordsOf)
    const name = words.filter(({ box }) => box[2] <= start)
    const values = words.filter(({ box }) => box[2] > start)
    const nameText = name.map(({ text }) => text).join(' ')
    hasFactor ||= words.some(({ text }) => factor.test(text)) || factor.test(nameText)
    if (limits.test(nameText)) continue
    if (values.length > 0 && values.every(({ text }) => unit.test(text)))
      for (const word of values) units.set(findNearest(columns, word), bareText(word.text))
    else if (values.length > 0 && values.every(({ text }) => isValue(text)))
      rows.push({ line, values, unit: name.map(({ text }) => text).find((text) => unit.test(text)) })
    else break
  }
  for (const { line, values, unit: ofRow } of rows)
    readAnalysis(
      draft,
      columnOfEach(columns, values).map(([column, { text, box }]): Analysed => {
        const operator = operators.exec(text)?.[0] ?? (hasFactor ? 'x' : undefined)
        const numbers = numbersIn(text.replace(operators, ''))
        const ofColumn = column && (units.get(column) ?? (ofRow && bareText(ofRow)))
        return {
          symbol: column?.text ?? '?',
          numbers,
          text,
          unit: ofColumn,
          operator,
          formula: undefined,
          at: placeOf(line, { box }),
        }
      }),
    )
}

function bareText(text: string): string {
  return text.replaceAll(/[[\]()]/g, '')
}

function isValue(text: string): boolean {
  return numbersIn(text.replace(operators, '')).length > 0
}

/** Assign each value to its column: the nearest one, or by their order if there are as many of them. */
function columnOfEach(
  columns: readonly Word[],
  values: readonly Word[],
): readonly (readonly [Word | undefined, Word])[] {
  if (values.length === columns.length) return values.map((value, index) => [columns[index], value])
  const byPlace = values.map((value) => [findNearest(columns, value), value] as const)
  const isClear = new Set(byPlace.map(([column]) => column)).size === values.length
  return isClear ? byPlace : values.map((value) => [undefined, value])
}

function findNearest(columns: readonly Word[], word: Word): Word {
  const distance = ({ box }: Word) => Math.abs(centreOf(box) - centreOf(word.box))
  return columns.reduce((best, column) => (distance(column) < distance(best) ? column : best))
}

function centreOf([left, , right]: Box): number {
  return (left + right) / 2
}
