import { elementSymbols } from '../../domain/certificates/elements.ts'
import type { At, Draft } from '../readRow.ts'
import { type InUnit, inUnit } from '../units.ts'

/** The chemical analysis: symbols as mills write them, and percent by mass. */

/** One value of an analysis. */
export interface Analysed {
  readonly symbol: string
  /** The numbers that the text may state: several for an ambiguous text, none for a text without a number. */
  readonly numbers: readonly number[]
  /** The value as it stands in the file. */
  readonly text: string
  /** Undefined: percent. */
  readonly unit: string | undefined
  /** A comparison sign marks the value as a limit, not as a result. */
  readonly operator: string | undefined
  readonly formula: string | undefined
  readonly at: At
}

/** Mills in America write Cb, for columbium, in place of Nb. */
const elementOf = new Map([
  ...elementSymbols.map((symbol) => [symbol.toUpperCase(), symbol] as const),
  ['CB', 'Nb'] as const,
])

/** Gases, as the analyser reports them. */
const gases: Readonly<Record<string, string>> = { H2: 'H', N2: 'N', O2: 'O' }

const rareEarths = /^(?:La|Pr|Nd|Sm|Y)$/i

/** The carbon equivalent of the International Institute of Welding, which EN 10025 uses. */
const cevFormula = 'C+MN/6+(CR+MO+V)/5+(NI+CU)/15'

/** Names of carbon equivalents and other formulas that a certificate does not keep. */
const otherFormulas = /^(?:CET|CEN|PCM|PSR|F\d+|J|X)$/

const solubleAluminium = /^(?:AL[-_ ]?(?:SOL|S|SOLUBLE)|SOL[-._ ]*AL)\.?$/
const totalAluminium = /^AL[-_ ]?(?:TOT|T|TOTAL)\.?$/

/** Propose the values of one analysis. `CE`, `CEV` and `Ce` are never read as cerium. */
export function readAnalysis(draft: Draft, analysed: readonly Analysed[]): void {
  const hasRareEarths = analysed.some(({ symbol }) => rareEarths.test(symbol.trim()))
  for (const one of analysed) {
    const { fields, isSure } = meaningOf(one, hasRareEarths)
    const { values, conversion, isLimit } = resultOf(one)
    for (const field of fields)
      if (isSure && values.length === 1 && !isLimit) draft.propose(field, values[0], one.at, conversion)
      else draft.leaveOpen(field, values, one.at, quoteOf(one))
  }
}

interface Meaning {
  /** The fields that the value may belong to. */
  readonly fields: readonly string[]
  readonly isSure: boolean
}

const nothing: Meaning = { fields: [], isSure: true }

function meaningOf({ symbol, formula }: Analysed, hasRareEarths: boolean): Meaning {
  const symbolText = symbol.trim()
  const upper = symbolText.toUpperCase()
  if (upper === 'CEV') return { fields: ['statedCev'], isSure: formula === undefined || isCev(formula) }
  if (/^CE(?:Q\.?)?$/.test(upper)) {
    const fields = symbolText === 'Ce' && hasRareEarths ? ['statedCev', 'chemistry.Ce'] : ['statedCev']
    return { fields, isSure: formula !== undefined && isCev(formula) }
  }
  if (formula !== undefined) return isCev(formula) ? { fields: ['statedCev'], isSure: true } : nothing
  if (otherFormulas.test(upper)) return nothing
  if (solubleAluminium.test(upper)) return { fields: ['solubleAluminium'], isSure: true }
  const element = totalAluminium.test(upper) ? 'Al' : (gases[upper] ?? elementOf.get(upper))
  if (element === undefined) return { fields: ['chemistry'], isSure: false }
  return { fields: [`chemistry.${element}`], isSure: true }
}

/** Return what the file says about a value, with the unit of its column. */
function quoteOf({ symbol, text, unit }: Analysed): string {
  return unit === undefined || text.endsWith(unit) ? `${symbol} ${text}` : `${symbol} ${text} ${unit}`
}

/** Return the possible values in percent, and whether they are a limit. A percentage has no thousands: 1,250 is 1.25. */
function resultOf({ numbers, unit, operator }: Analysed): InUnit & { readonly isLimit: boolean } {
  const isLimit = operator !== undefined && operator.trim() !== '='
  const mayHaveThousands = /^\s*ppm\s*$/i.test(unit ?? '')
  const inPercent = inUnit(mayHaveThousands ? numbers : numbers.slice(0, 1), '%', unit)
  return { values: [], conversion: undefined, ...inPercent, isLimit }
}

function isCev(formula: string): boolean {
  return formula.replaceAll(/\s/g, '').toUpperCase() === cevFormula
}
