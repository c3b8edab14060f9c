import { roundProduct } from './numbers.ts'

/** Units as mills and fabricators write them. A number in one of them becomes a number in the unit of its field. */

/** The units of the fields. */
export type FieldUnit = 'MPa' | 'J' | '°C' | 'mm' | 'kg/m' | '%'

/** The most characters of a unit. */
const longestUnit = 30

interface Unit {
  readonly factor: number
  /** Added before the factor: a temperature has a zero of its own. */
  readonly offset?: number
  /**
   * The decimals of a converted number: whole MPa as EN ISO 6892-1 rounds them, tenths of J and of °C. undefined: the
   * number stays exact.
   */
  readonly decimals?: number
}

const kilogramForce = 9.80665
const poundForcePerSquareInch = 0.006894757293168
const footPound = 1.3558179483314

/** By their spellings as `spellingOf` writes them. */
const units: Readonly<Record<FieldUnit, Readonly<Record<string, Unit>>>> = {
  MPa: {
    ...spellOf('mpa n/mm2 nmm2 mn/m2', { factor: 1 }),
    ...spellOf('dan/mm2 hbar kn/cm2', { factor: 10 }),
    ...spellOf('gpa kn/mm2', { factor: 1_000 }),
    ...spellOf('kpa', { factor: 0.001 }),
    ...spellOf('bar', { factor: 0.1 }),
    ...spellOf('kgf/mm2 kp/mm2 kg/mm2', { factor: kilogramForce, decimals: 0 }),
    ...spellOf('kgf/cm2 kp/cm2 kg/cm2', { factor: kilogramForce / 100, decimals: 0 }),
    ...spellOf('ksi kip/in2 kips/in2', { factor: 1_000 * poundForcePerSquareInch, decimals: 0 }),
    ...spellOf('psi lbf/in2 lb/in2', { factor: poundForcePerSquareInch, decimals: 0 }),
  },
  J: {
    ...spellOf('j joule joules nm', { factor: 1 }),
    ...spellOf('danm daj', { factor: 10 }),
    ...spellOf('kj', { factor: 1_000 }),
    ...spellOf('kpm mkp kgfm mkgf kgm mkg', { factor: kilogramForce, decimals: 1 }),
    ...spellOf('ftlbf ftlbsf ftlb ftlbs lbfft lbft footpound footpounds', { factor: footPound, decimals: 1 }),
  },
  '°C': {
    ...spellOf('°c c degc celsius °celsius degreecelsius degreescelsius grad gradc', { factor: 1 }),
    ...spellOf('°f f degf fahrenheit °fahrenheit degreesfahrenheit', {
      offset: -32,
      factor: 5 / 9,
      decimals: 1,
    }),
    ...spellOf('k kelvin', { offset: -273.15, factor: 1, decimals: 1 }),
  },
  mm: {
    ...spellOf('mm millimeter millimetre', { factor: 1 }),
    ...spellOf('µm um micron microns', { factor: 0.001 }),
    ...spellOf('cm', { factor: 10 }),
    ...spellOf('m meter metre', { factor: 1_000 }),
    ...spellOf('in inch inches zoll "', { factor: 25.4 }),
    ...spellOf("ft foot feet '", { factor: 304.8 }),
  },
  'kg/m': {
    ...spellOf('kg/m', { factor: 1 }),
    ...spellOf('lb/ft lbs/ft plf', { factor: 1.48816394357, decimals: 3 }),
  },
  '%': {
    ...spellOf('% pct percent prozent wt% wt%% %wt mass% massen% ma% gew% gewicht% m% %m/m %(m/m)', {
      factor: 1,
    }),
    ...spellOf('‰', { factor: 0.1 }),
    ...spellOf('ppm', { factor: 0.0001 }),
    // Mills print a share without its decimals, "% x 100": the sign of multiplication is dropped, and so is that of a power.
    ...spellOf('x100 %x100 100 %100 102 %102 x102 %x102 1/100 1/100%', { factor: 0.01 }),
    ...spellOf('x1000 %x1000 1000 %1000 103 %103 x103 %x103 1/1000 1/1000%', { factor: 0.001 }),
    ...spellOf('x10000 %x10000 10000 %10000 104 %104 x104 %x104', { factor: 0.0001 }),
  },
}

function spellOf(spellings: string, unit: Unit): Readonly<Record<string, Unit>> {
  return Object.fromEntries(spellings.split(' ').map((spelling) => [spelling, unit]))
}

/** Write a unit without the signs in which its spellings differ: `ft·lbf`, `ft-lbf` and `ft. lbf` are `ftlbf`. */
function spellingOf(unit: string): string {
  return unit
    .replaceAll('º', '°')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[”“]|''|′′/g, '"')
    .replaceAll(/[′’]/g, "'")
    .replaceAll('μ', 'µ')
    .replaceAll(/[\s.·⋅∙*×^-]|^[[(](?=[^\])]*[\])]$)|[\])]$/g, '')
}

function unitOf(field: FieldUnit, text: string): Unit | undefined {
  const spelling = spellingOf(text)
  return Object.hasOwn(units[field], spelling) ? units[field][spelling] : undefined
}

/** Whether a text is a unit of fields of this kind, such as `[ksi]` for MPa; without a kind, of any. */
export function isUnit(text: string, field?: FieldUnit): boolean {
  const fields = field === undefined ? (Object.keys(units) as FieldUnit[]) : [field]
  return fields.some((one) => unitOf(one, text) !== undefined)
}

/** Whether a text is a unit where words and symbols of elements may stand, too: `C`, `F` and `K` are elements. */
export function isUnitAlone(text: string): boolean {
  return !/^[CFK]$/i.test(text) && isUnit(text)
}

export interface InUnit {
  readonly values: readonly number[]
  /** The conversion of a single number, such as "56.5 ksi = 390 MPa"; undefined for a number that was not converted. */
  readonly conversion: string | undefined
}

/**
 * Convert the numbers that a text may state to the unit of their field; undefined for an unknown unit. A missing unit is
 * taken for that of the field.
 */
export function inUnit(
  numbers: readonly number[],
  field: FieldUnit,
  unitText: string | undefined,
): InUnit | undefined {
  const unit = unitText === undefined ? { factor: 1 } : unitOf(field, unitText)
  if (!unit) return undefined
  const values = numbers.map((number) => convert(number, unit)).filter(Number.isFinite)
  const isConverted = numbers.length === 1 && values.length === 1 && (unit.factor !== 1 || unit.offset)
  const name = unitText?.replaceAll(/^[[(]|[\])]$/g, '')
  return { values, conversion: isConverted ? `${numbers[0]} ${name} = ${values[0]} ${field}` : undefined }
}

function convert(number: number, { factor, offset = 0, decimals }: Unit): number {
  const exact = factor === 1 && offset === 0 ? number : roundProduct((number + offset) * factor)
  // `+ 0` turns −0 into 0.
  return decimals === undefined ? exact : Number(exact.toFixed(decimals)) + 0
}

const numberFirst = /^([<>≤≥]=?\s*)?([+\-−]?\s?\d[\d.,'\u00A0\u202F ]*)(\D.*)$/u
/** A unit has no digits but behind a letter, as in `mm2`: `12 x 30` is no number with a unit. */
const unitAlone = /^(?:\p{L}\^?\d?(?!\d)|[°º℃℉%‰"″”'′’²/·⋅∙.*()[\]\s-])+$/u

/** Part a text into its number and the unit behind it. */
export function numberAndUnit(text: string): { readonly number: string; readonly unit: string | undefined } {
  const [, sign = '', number, unit] = numberFirst.exec(text.trim()) ?? []
  if (number === undefined || unit!.length > longestUnit || !unitAlone.test(unit!))
    return { number: text, unit: undefined }
  return { number: sign + number.trim(), unit: unit!.trim() }
}
