import type { DeliveryCondition } from './steelKinds.ts'

/** The texts in which certificates and orders name steels, divided into parts that each say one thing. */

/** Return a text as two grades are compared when they cannot be read: without spaces, in capitals, with plain dashes. */
export function normalisedGrade(text: string): string {
  return toPlainText(text).replaceAll(/\s/g, '')
}

/** Compatibility forms become plain ones, every dash a hyphen, letters capitals. */
export function toPlainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll('\u00ad', '')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .toUpperCase()
    .trim()
}

/**
 * Whether a name has a condition of bright products (EN 10277): +C cold drawn, +SH peeled, +SL ground, +PL polished. The
 * limits of EN 10025 do not apply to them.
 */
export function isBrightProduct(name: string): boolean {
  return /\+ ?(?:C|SH|SL|PL)(?![A-Z0-9])/.test(name)
}

/** Conditions of delivery that certificates write in words, in English and German. Longer words come first. */
const conditionsInWords: readonly (readonly [words: RegExp, DeliveryCondition])[] = [
  [/\bQUENCHED (?:AND|&) TEMPERED\b|\bVERGÜTET/g, 'QT'],
  [/\bTHERMO-?MECHANICAL(?:LY)?(?: ROLLED)?\b|\bTHERMOMECHANISCH(?: GEWALZT)?\b|\bTMCP\b/g, 'M'],
  [/\bNORMALI[SZ](?:ED|ING)(?: ROLLED| ROLLING)?\b|\bNORMALISIER(?:T|END GEWALZT)\b|\bNORMALGEGLÜHT/g, 'N'],
  [/\bAS[- ]ROLLED\b|\bWALZZUSTAND\b/g, 'AR'],
]

/** Write conditions of delivery as signs: `+N` for "normalized". */
function withSigns(text: string): string {
  return conditionsInWords.reduce(
    (text, [words, condition]) => text.replaceAll(words, `+${condition}`),
    toPlainText(text),
  )
}

/** Return a stated condition as a name would carry it: `+N` for `N`, `+N` and "normalized". */
export function asSuffix(text: string): string {
  const condition = withSigns(text).replaceAll(/\s/g, '')
  return condition === '' || condition.startsWith('+') ? condition : `+${condition}`
}

const separator = /([/;,|&]|\bAND\b|\bOR\b|\bUND\b|\bODER\b)/
const alternatives: readonly (string | undefined)[] = ['/', '|', 'OR', 'ODER', undefined]

/** Return the parts of a text that each name one steel, with conditions of delivery as signs. */
export function partsOf(text: string): { readonly name: string; readonly isAlternative: boolean }[] {
  const parts = withSigns(text).split(separator)
  return parts
    .map((part, index) => ({
      name: part.trim().replaceAll(/\s+/g, ' '),
      isAlternative: alternatives.includes(parts[index - 1]),
    }))
    .filter(({ name }, index) => index % 2 === 0 && name !== '')
}
