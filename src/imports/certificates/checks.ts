import { partsOfCev } from '../../domain/certificates/elements.ts'
import { type Doubt, doubtIn } from '../../domain/certificates/readingDoubts.ts'
import type { ReadFault, ReadRow, ReadValue } from '../readRow.ts'

/** Checks of the values of a certificate against each other, and against what steels have. */

/** The largest shares of elements in structural and reinforcing steels, in percent: beyond them a comma was missed. */
const largestShare: Readonly<Record<string, number>> = {
  C: 0.6,
  Si: 1,
  Mn: 2.5,
  P: 0.1,
  S: 0.1,
  N: 0.05,
  Al: 0.2,
  Cu: 1,
  Cr: 2,
  Ni: 2.5,
  Mo: 1,
  V: 0.3,
  Nb: 0.2,
  Ti: 0.3,
  B: 0.01,
  Ca: 0.02,
  O: 0.02,
  H: 0.002,
  As: 0.1,
  Sn: 0.1,
  Sb: 0.1,
}
const largestOtherShare = 1
/** An alloy of another metal has more of it than this, and is not checked as a steel. */
const mostly = 50
const otherMetal = /^chemistry\.(?:Al|Cu|Ni|Ti|Mg|Zn|Co)$/

/** The least and largest values of such steels, by the last step of their field. */
const ranges: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/(?:reHMpa|reLMpa|rp02Mpa|rmMpa|rawYieldMpa)$/, [150, 1_500]],
  [/(?:a5Percent|elongationPercent)$/, [2, 60]],
  [/agtPercent$/, [1, 30]],
  [/(?:kvJoule|averageJoule|valuesJoule\.\d)$/, [1, 400]],
  [/rmReRatio$/, [1, 3]],
  [/^statedCev$/, [0.02, 1]],
]

/** Printed numbers are rounded: a ratio to 0.01, and the parts of a carbon equivalent to 0.01 and 0.001. */
const ratioRounding = 0.006
const cevRounding = 0.015
/** The elements beside iron are less than this share of such steels, in percent. */
const mostOfElements = 8
/** A bar weighs what its diameter says, within the widest tolerance of standards. */
const massTolerance = 0.1
/** Kilograms of a steel bar of 1 m and 1 mm. */
const massOfRound = (Math.PI / 4) * 0.00785

type Numbers = ReadonlyMap<string, number>
/** A field, and the reason why its value is in doubt. */
type Broken = readonly [field: string, reason: Doubt]

/** Return the fields of a row that break a check, each with the reason. */
export function brokenChecks({ values }: ReadRow): ReadonlyMap<string, Doubt> {
  const numbers = numbersIn(values)
  const isSteel = ![...numbers].some(
    ([field, share]) => otherMetal.test(field) && share > mostly && share <= 100,
  )
  if (!isSteel) return new Map()
  const odd = new Map(outOfRange(numbers))
  // A number that is out of range explains why others do not agree with it.
  const others = new Map([...numbers].filter(([field]) => !odd.has(field)))
  return new Map([
    ...odd,
    ...strengthsThatDiffer(others),
    ...massThatDiffers(others),
    ...oddTests(others),
    ...sumOfElements(others),
    ...cevThatDiffers(others),
  ])
}

function numbersIn(values: readonly ReadValue[]): Numbers {
  return new Map(values.flatMap(({ field, value }) => (typeof value === 'number' ? [[field, value]] : [])))
}

/** Shares without decimals of which carbon, phosphorus or sulphur would be a whole percent: no steel has as much. */
const never = ['chemistry.C', 'chemistry.P', 'chemistry.S']

/** Return a row of a table with such shares left open: a table has alloys of any kind, and no other check. */
export function withWholeSharesOpen(row: ReadRow): ReadRow {
  const isWhole = ({ field, value }: ReadValue) => typeof value === 'number' && isWholeShare(field, value)
  const wholeShares = row.values.filter(isWhole)
  if (!wholeShares.some(({ field }) => never.includes(field))) return row
  const doubted = wholeShares.map(({ field, value, at }) => {
    const doubt: Doubt = { text: 'whole-share', values: { value: value as number } }
    return { field, candidates: [value], at, doubt }
  })
  const faults = doubted.map(
    ({ field, at, doubt }): ReadFault => ({ field, at, code: 'unconfirmed', message: doubtIn('en', doubt) }),
  )
  return {
    ...row,
    values: row.values.filter((one) => !wholeShares.includes(one)),
    undecided: [...doubted, ...row.undecided],
    faults: [...row.faults, ...faults],
  }
}

function* outOfRange(numbers: Numbers): Generator<Broken> {
  const areWhole = [...numbers].filter(([field, value]) => isWholeShare(field, value)).length > 1
  for (const [field, value] of numbers) {
    const range = rangeOf(field)
    if (!range) continue
    const [least, most] = range
    if (value < least || value > most) yield [field, { text: 'out-of-range', values: { value, least, most } }]
    else if (areWhole && isWholeShare(field, value)) yield [field, { text: 'whole-share', values: { value } }]
  }
}

/** Shares are printed with decimals. Without them, they are hundredths, thousandths or ppm. */
function isWholeShare(field: string, value: number): boolean {
  return /^chemistry\.(?!Fe$)/.test(field) && value > 0 && Number.isInteger(value)
}

function rangeOf(field: string): readonly [number, number] | undefined {
  const element = /^chemistry\.(\w+)$/.exec(field)?.[1]
  if (element !== undefined && element !== 'Fe') return [0, largestShare[element] ?? largestOtherShare]
  return ranges.find(([pattern]) => pattern.test(field))?.[1]
}

/** Yield strengths above the tensile strength of their test, and strengths whose ratio is not the one that is printed. */
function* strengthsThatDiffer(numbers: Numbers): Generator<Broken> {
  for (const [field, yieldMpa] of numbers) {
    const test = /^(.*\.)(?:reHMpa|reLMpa|rp02Mpa|rawYieldMpa)$/.exec(field)?.[1]
    const tensile = numbers.get(`${test}rmMpa`)
    if (test === undefined || tensile === undefined) continue
    const ratio = numbers.get(`${test}rmReRatio`)
    if (yieldMpa > tensile)
      yield* breakEach([field, `${test}rmMpa`], {
        text: 'yield-above-tensile',
        values: { yield: yieldMpa, tensile },
      })
    else if (ratio !== undefined && Math.abs(tensile / yieldMpa - ratio) > ratioRounding)
      yield* breakEach([field, `${test}rmMpa`, `${test}rmReRatio`], {
        text: 'ratio-differs',
        values: { yield: yieldMpa, tensile, found: inHundredths(tensile / yieldMpa), stated: ratio },
      })
  }
}

function* massThatDiffers(numbers: Numbers): Generator<Broken> {
  const diameter = numbers.get('nominalDiameterMm')
  if (diameter === undefined) return
  const nominal = massOfRound * diameter ** 2
  for (const [field, mass] of numbers)
    if (field.endsWith('massPerMetreKg') && Math.abs(mass / nominal - 1) > massTolerance)
      yield [field, { text: 'mass-differs', values: { mass, diameter, nominal: Number(nominal.toFixed(3)) } }]
}

/** A value that is this many times those of the other tests lacks a decimal sign, or has one too many. */
const mostTimes = 3

function* oddTests(numbers: Numbers): Generator<Broken> {
  const tests = [...numbers].filter(
    ([field]) => field.startsWith('tests.') && !field.endsWith('temperatureC'),
  )
  for (const own of Map.groupBy(tests, ([field]) => field.replace(/^tests\.\d+\./, '')).values()) {
    const ascending = own.map(([, value]) => value).toSorted((one, other) => one - other)
    const middle = ascending[Math.floor(ascending.length / 2)]!
    for (const [field, value] of own)
      if (value > mostTimes * middle || value * mostTimes < middle)
        yield [field, { text: 'test-differs', values: { value, middle } }]
  }
}

function* sumOfElements(numbers: Numbers): Generator<Broken> {
  const elements = [...numbers].filter(([field]) => /^chemistry\.(?!Fe$)/.test(field))
  const sum = elements.reduce((total, [, share]) => total + share, 0)
  if (sum <= mostOfElements) return
  yield* breakEach(
    elements.map(([field]) => field),
    { text: 'sum-too-large', values: { sum: inHundredths(sum), most: mostOfElements } },
  )
}

interface Cev {
  readonly cev: number
  /** Whether the analysis has all its elements. */
  readonly isWhole: boolean
}

/** Return the carbon equivalent of an analysis; undefined without carbon or manganese. */
function cevOf(numbers: Numbers): Cev | undefined {
  if (!numbers.has('chemistry.C') || !numbers.has('chemistry.Mn')) return undefined
  const parts = Object.entries(partsOfCev).map(([element, divisor]) => {
    const share = numbers.get(`chemistry.${element}`)
    return share === undefined ? undefined : share / divisor
  })
  const cev = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
  return { cev, isWhole: !parts.includes(undefined) }
}

function* cevThatDiffers(numbers: Numbers): Generator<Broken> {
  const [computed, statedCev] = [cevOf(numbers), numbers.get('statedCev')]
  if (!computed || statedCev === undefined || agreesWithStated(computed, statedCev)) return
  const fields = ['statedCev', ...Object.keys(partsOfCev).map((element) => `chemistry.${element}`)]
  yield* breakEach(
    fields.filter((field) => numbers.has(field)),
    { text: 'cev-differs', values: { found: inHundredths(computed.cev), stated: statedCev } },
  )
}

/** Elements that are not stated make the carbon equivalent larger, never smaller. */
function agreesWithStated({ cev, isWhole }: Cev, statedCev: number): boolean {
  return isWhole ? Math.abs(cev - statedCev) <= cevRounding : cev <= statedCev + cevRounding
}

function inHundredths(number: number): number {
  return Number(number.toFixed(2))
}

function* breakEach(fields: readonly string[], reason: Doubt): Generator<Broken> {
  for (const field of fields) yield [field, reason]
}

/** Decide a carbon equivalent of an unnamed formula: it is the CEV if the analysis gives the same number. */
export function withKnownCev(row: ReadRow): ReadRow {
  const open = row.undecided.find(({ field }) => field === 'statedCev')
  const computed = cevOf(numbersIn(row.values))
  const [statedCev, ...others] = open?.candidates ?? []
  if (!open || !computed?.isWhole || typeof statedCev !== 'number' || others.length > 0) return row
  if (!agreesWithStated(computed, statedCev)) return row
  const { field, at } = open
  return {
    ...row,
    values: [...row.values, { field, value: statedCev, at }],
    undecided: row.undecided.filter((one) => one !== open),
  }
}
