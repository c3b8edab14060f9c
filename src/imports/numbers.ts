/** Numbers as people and programs write them. */

/** Mills in America write `.18`. */
const plain = /^[+-]?(?:\d+(?:[.,]\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i
/** Thousands in groups of three. A single group is taken for a decimal fraction. */
const grouped = /^[+-]?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+|(?:[ \u00A0\u202F']\d{3})+(?:[.,]\d+)?)$/

/** Return the number that a text states, with a decimal point or comma; undefined when it states none. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim().replace('\u2212', '-')
  if (plain.test(trimmed)) return toFinite(trimmed.replace(',', '.'))
  if (!grouped.test(trimmed)) return undefined
  const decimal = Math.max(trimmed.lastIndexOf('.'), trimmed.lastIndexOf(','))
  const integerDigits = (decimal < 0 ? trimmed : trimmed.slice(0, decimal)).replaceAll(/[^\d+-]/g, '')
  return toFinite(decimal < 0 ? integerDigits : `${integerDigits}.${trimmed.slice(decimal + 1)}`)
}

/** One group of three digits may be a fraction or thousands. */
const ambiguous = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/** Return the numbers that a text may state, all of them or none: `6.000` is 6, or 6000 in groups of three digits. */
export function numbersIn(text: string): readonly number[] {
  const trimmed = text.trim().replace('\u2212', '-')
  const number = numberOf(trimmed)
  if (number === undefined) return []
  return ambiguous.test(trimmed) ? [number, Number(trimmed.replace(/[.,]/, ''))] : [number]
}

function toFinite(text: string): number | undefined {
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** Drop the digits that a product of two doubles adds. */
export function roundProduct(number: number): number {
  return Number(number.toPrecision(12))
}
