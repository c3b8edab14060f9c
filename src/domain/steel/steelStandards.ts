import { normalisedGrade, toPlainText } from './steelText.ts'

/** The standards that texts name beside a steel. */

const body = '(?:BS|DIN|NF|UNI|SS|PN|SFS|NEN|NBN|STN|CSN)'
const edition = '(?:[:-](?:19|20)\\d{2})?(?: ?\\+ ?A\\d(?::20\\d{2})?)?'
export const standardInName = new RegExp(
  `(?:\\b${body} )*\\b(?:EN ?(?<en>10025|10149|10210|10219|10080)|(?<national>BS ?4449|DIN ?488))(?:[- ](?<part>\\d))?${edition}\\b`,
)

export interface Standards {
  readonly number: string
  readonly part: string | undefined
  /** Such as `EN 10025-2`. */
  readonly name: string
}

const ofReinforcement = ['10080', '4449', '488']

/** Return the standard that a text names, or undefined when it names none that the reader knows. */
export function readStandard(text: string): Standards | undefined {
  const { en, national, part } = standardInName.exec(toPlainText(text))?.groups ?? {}
  if (en === undefined && national === undefined) return undefined
  const [, body = 'EN', number = en!] = /^([A-Z]+) ?(\d+)$/.exec(national ?? '') ?? []
  return { number, part, name: `${body} ${number}${part === undefined ? '' : `-${part}`}` }
}

/** Whether a text names a standard that the reader knows. */
export function readsStandard(text: string): boolean {
  return readStandard(text) !== undefined
}

/** Write a standard as the reader knows it: `EN 10025-2` for `EN-10025-2` and `10025-2`. @param standard with plain dashes */
export function wholeStandard(standard: string): string {
  return standard
    .replaceAll(/\b([A-Z]+)-(?=EN\b|10 ?\d{3}\b)/gi, '$1 ')
    .replaceAll(/\b10 (?=(?:025|149|210|219)\b)/g, '10')
    .replace(/^(?:DIN )?(?=(?:10025|10149|10210|10219)\b)/i, 'EN ')
}

/** Return the statement about a steel, with its standard in the spelling that the reader knows. */
export function withWholeStandard<Said extends { readonly standard?: string | null | undefined }>(
  designation: Said,
): Said {
  return designation.standard
    ? { ...designation, standard: wholeStandard(toPlainText(designation.standard)) }
    : designation
}

/** Whether two texts may name the same standard. Editions count as the same; so do a part and the whole. */
export function isSameStandard(one: string, other: string): boolean {
  const [a, b] = [readStandard(one), readStandard(other)]
  if (!a || !b) return !a && !b && withoutEdition(one) === withoutEdition(other)
  const areParts = [a.part, b.part].every((part) => part !== undefined && part !== '1')
  return a.number === b.number && (!areParts || a.part === b.part)
}

/** Whether a text names a standard that has no hollow sections. */
export function isOpenStandard(text: string): boolean {
  const { number = '' } = readStandard(text) ?? {}
  return number === '10025' || number === '10149' || ofReinforcement.includes(number)
}

export function isOfReinforcement({ number }: Standards): boolean {
  return ofReinforcement.includes(number)
}

/** Whether a text names a standard of hollow sections. */
export function isHollowStandard(text: string): boolean {
  const { number } = readStandard(text) ?? {}
  return number === '10210' || number === '10219'
}

function withoutEdition(standard: string): string {
  return normalisedGrade(standard).replace(/[:-](?:19|20)\d{2}(?:\+A\d)?$/, '')
}
