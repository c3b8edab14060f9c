import { inspectionDocuments } from '../../domain/certificates/certificateContent.ts'
import type { GaugeLength, TestDirection } from '../../domain/certificates/materialTests.ts'
import { inUnit } from '../units.ts'

/** The words and signs of certificates, in English and German, and the values that they certainly mean. */

/** Return the document types of EN 10204 that a text names. */
export function documentTypesIn(text: string): readonly string[] {
  const matches = text.match(/(?<![\d.])[23]\.[12](?![\d.])/g) ?? []
  return [...new Set(matches)].filter((type) => (inspectionDocuments as readonly string[]).includes(type))
}

const codes = ['AR', 'N', 'NR', 'M', 'Q', 'QT', 'TM', 'U', 'A', 'C', 'SR', 'NT', 'CR', 'LC', 'AT', 'FP']

/** Return a delivery condition that is written as a code, such as `+N`. */
export function deliveryCode(text: string): string | undefined {
  const code = text.trim().replace(/^\+/, '').toUpperCase()
  return codes.includes(code) ? code : undefined
}

const conditions: readonly (readonly [RegExp, string])[] = [
  [/normali[sz]ed|normalgegl(?:ü|ue)ht|normalisiert/i, 'N'],
  [/as[- ]rolled|walzzustand|walzroh/i, 'AR'],
  [/thermo-?mechani/i, 'M'],
  [/quenched|verg(?:ü|ue)tet/i, 'QT'],
]

/** Return the codes that a delivery condition in words may mean. */
export function deliveryConditionsIn(text: string): readonly string[] {
  return conditions.filter(([words]) => words.test(text)).map(([, code]) => code)
}

/** Return the direction that a text names, unless it names none or both. */
export function directionIn(text: string): TestDirection | undefined {
  const along = /l(?:ä|ae)ngs|longitudinal|\blong\.?(?:\s|$)|^\s*L\s*$/i.test(text)
  const across = /quer|transvers|\btrans\.?(?:\s|$)|^\s*[TQ]\s*$/i.test(text)
  if (along === across) return undefined
  return along ? 'longitudinal' : 'transverse'
}

const statedTemperature =
  /(?<!\d)([+\-−]?\s?\d{1,3}(?:[.,]\d+)?)\s*((?:[°º]|deg\.?)\s*[CF](?!\p{L})|℃|℉|Celsius|Fahrenheit|[CF]\b)/iu

/** Return the temperature in °C that a text states. @param bare whether a number without a unit counts */
export function celsiusIn(text: string, bare = false): number | undefined {
  const [, number = bare ? /^\s*[+\-−]?\d{1,3}(?:[.,]\d+)?\s*$/.exec(text)?.[0] : undefined, unit] =
    statedTemperature.exec(text) ?? []
  if (number === undefined) return undefined
  const celsius = Number(number.replaceAll(/\s/g, '').replace('−', '-').replace(',', '.'))
  return inUnit([celsius], '°C', unit)?.values[0]
}

export type YieldKind = 'reHMpa' | 'reLMpa' | 'rp02Mpa'

/** Return the kinds of yield strength that a heading names. A heading that names several leaves the kind open. */
export function yieldKindsIn(heading: string): readonly YieldKind[] {
  const kinds: YieldKind[] = []
  if (/R[eE]H\b/.test(heading) || /\bReH\b/i.test(heading)) kinds.push('reHMpa')
  if (/\bReL\b/i.test(heading)) kinds.push('reLMpa')
  if (/\bRp\s*0?[.,]?2(?!\d)/i.test(heading)) kinds.push('rp02Mpa')
  return kinds
}

/** Standards and signs of gauge lengths of their own: 4 D or 2 in (ASTM E8, A370), 50 or 200 mm (JIS Z 2241). */
const otherGauges = /\bAS(?:TM|ME)\b|\bJIS\b|\bE-?8M?\b|\bS?A-?370\b|\b\d+ ?(?:in\b|inch|["″]|D\b)/i

/** Whether a heading begins with the sign of an elongation, such as `A`, `A 4D` or `A ASTM E8`. */
export function isElongationSign(heading: string): boolean {
  return /^A\s*\d{0,3}\s*D?\s*(?:$|ASTM|JIS)/.test(heading)
}

/**
 * Return the gauge lengths that the heading of an elongation names. `A` alone is 5.65 √S0 (EN ISO 6892-1), unless the
 * heading names another standard.
 */
export function gaugeLengthsIn(heading: string): readonly GaugeLength[] {
  const gauges = [...heading.matchAll(/(?<![A-Za-z])A\s*(\d+(?:[.,]\d+)?)?(?![A-Za-z\d])/g)].map(
    ([, length]) => gaugeOf(length),
  )
  return [...new Set(gauges)]
    .filter((gauge) => gauge !== undefined)
    .filter((gauge) => gauge !== '5.65' || !otherGauges.test(heading))
}

function gaugeOf(length: string | undefined): GaugeLength | undefined {
  const text = length?.replace(',', '.')
  if (text === undefined || text === '5' || text === '5.65') return '5.65'
  return text === '80' || text === '50' || text === '200' ? text : undefined
}
