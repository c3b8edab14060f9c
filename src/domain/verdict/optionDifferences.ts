import { partsOfCev } from '../certificates/elements.ts'
import type { ImpactTest } from '../certificates/materialTests.ts'
import type { SiliconClass, SteelOptions } from '../certificates/steelOptions.ts'
import { readGrade } from '../steel/steelGrade.ts'
import { type Figures, inEnglish, type Sentence, sentence } from './sentence.ts'
import type { GradeText, SteelDifference } from './steelDifferences.ts'
import type { JudgedCertificate } from './verdictFacts.ts'

/** How a certificate meets the options that a line demands beyond the grade of its steel. */

/** The certificate meets an option or not. `meets` is undefined if it does not say enough. */
interface Compared {
  readonly demanded: Sentence | string
  /** The name of the value that the certificate should state. */
  readonly value: Sentence | string
  readonly stated: Sentence | Figures | string | number
  readonly meets: boolean | undefined
}

/** Compare the options of a line, where each counts before that of its order, with a certificate. */
export function optionDifferences(
  steel: GradeText,
  [ofLine, ofOrder]: readonly [SteelOptions | null, SteelOptions | null],
  certificate: JudgedCertificate,
): SteelDifference[] {
  const inGrade = readGrade(steel.grade, steel).steels.find(({ zQuality }) => zQuality)?.zQuality ?? null
  if (!ofLine && !ofOrder && !inGrade) return []
  const demandFor = <Name extends keyof SteelOptions>(name: Name) => ofLine?.[name] ?? ofOrder?.[name] ?? null
  const zQuality = demandFor('zQuality')
  const isNormalised = [ofLine, ofOrder].some((options) => options?.normalisedRolling === true)
  return [
    // The name of the grade is compared elsewhere, so a quality in it asks for the measured values alone.
    zQuality && (!inGrade || zQuality > inGrade)
      ? compareZ(zQuality, certificate)
      : inGrade && compareMeasuredZ(inGrade, certificate),
    compareClass('ultrasonic-class', demandFor('ultrasonicClass'), certificate.ultrasonicClass),
    compareClass('surface-class', demandFor('surfaceClass'), certificate.surfaceClass),
    compareSilicon(demandFor('siliconClass'), certificate),
    compareCev(demandFor('mostCev'), certificate),
    compareImpact(demandFor('impactTemperatureC'), demandFor('impactJoule') ?? usualJoule, certificate),
    isNormalised ? compareRolling(certificate) : null,
  ].flatMap((compared) => (compared ? differenceOf(compared) : []))
}

function differenceOf({ demanded, value, stated, meets }: Compared): SteelDifference[] {
  if (meets) return []
  const code = meets === false ? 'option-unmet' : 'option-unstated'
  const actual = meets === false ? stated : sentence('not-stated')
  const words = sentence(code, { demanded, stated, value })
  return [{ code, expected: toPlain(demanded), actual: toPlain(actual), sentence: words }]
}

function toPlain(value: Compared['stated']): string {
  if (typeof value !== 'object') return String(value)
  return 'figures' in value ? value.figures : inEnglish(value)
}

type ZQuality = NonNullable<SteelOptions['zQuality']>

function compareZ(demanded: ZQuality, certificate: JudgedCertificate): Compared {
  const measured = compareMeasuredZ(demanded, certificate)
  if (measured) return measured
  const named = readGrade(certificate.grade, certificate).steels.map(({ zQuality }) => zQuality)
  const best = [certificate.zQuality, ...named]
    .filter((one) => one !== null)
    .toSorted()
    .at(-1)
  return {
    demanded,
    value: sentence('z-or-area'),
    stated: best ?? '',
    meets: best === undefined ? undefined : best >= demanded,
  }
}

/** EN 10164: the least average and the least single value of the reduction of area, in %. */
const leastReductions: Readonly<Record<ZQuality, readonly [average: number, single: number]>> = {
  Z15: [15, 10],
  Z25: [25, 15],
  Z35: [35, 25],
}

/** Return null if no reduction of area is stated. */
function compareMeasuredZ(demanded: ZQuality, { tests }: JudgedCertificate): Compared | null {
  const measured = (tests ?? []).flatMap((test) =>
    test.kind === 'tensile' ? (test.reductionOfAreaPercent ?? []) : [],
  )
  if (measured.length === 0) return null
  const [average, single] = leastReductions[demanded]
  return {
    demanded,
    value: sentence('area'),
    stated: sentence('area-of', { values: { figures: measured.join(', ') } }),
    meets: averageOf(measured) >= average && measured.every((one) => one >= single),
  }
}

function averageOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The classes meet each other letter by letter: the body and the edges of EN 10160, the families of EN 10163. */
function compareClass(
  value: 'ultrasonic-class' | 'surface-class',
  demanded: string | null,
  offered: string | null,
): Compared | null {
  if (demanded === null) return null
  return {
    demanded: sentence(`${value}-of`, { class: demanded }),
    value: sentence(offered === null ? value : offered.startsWith('E') ? 'body-class' : 'edge-class'),
    stated: offered ?? '',
    meets: offered === null ? undefined : meetsClass(demanded, offered),
  }
}

/** A repair may thin a surface of class A and C below its minimum thickness, and none of class B and D (EN 10163). */
const stricterLetter: Readonly<Record<string, string>> = { A: 'B', C: 'D' }

function meetsClass(demanded: string, offered: string): boolean | undefined {
  const ranks = new Map((offered.match(/[A-Z]\d/g) ?? []).map(([letter, rank]) => [letter, Number(rank)]))
  const compared = (demanded.match(/[A-Z]\d/g) ?? []).map(([letter, rank]) => {
    const rankTested = ranks.get(letter) ?? ranks.get(stricterLetter[letter!] ?? '')
    // The body and the edges of a plate are tested apart, and nobody has stated the other one.
    if (rankTested === undefined) return partsTested.has(letter!) ? undefined : false
    return rankTested >= Number(rank)
  })
  if (compared.includes(false)) return false
  return compared.includes(undefined) ? undefined : true
}

/** EN 10160: the body of a plate, and its edges. */
const partsTested: ReadonlySet<string> = new Set(['S', 'E'])

interface SiliconLimits {
  readonly words: string
  readonly ofSilicon: (silicon: number) => boolean
  /** Absent if phosphorus does not count. */
  readonly ofPhosphorus?: (phosphorus: number, silicon: number) => boolean
}

/** EN ISO 14713-2 table 1, and EN 10025-2 on hot-dip zinc coating. */
const siliconLimits: Readonly<Record<SiliconClass, SiliconLimits>> = {
  A: { words: 'Si ≤ 0.04, P < 0.02', ofSilicon: (si) => si <= 0.04, ofPhosphorus: (p) => p < 0.02 },
  B: {
    words: '0.14 < Si ≤ 0.25, P < 0.035',
    ofSilicon: (si) => si > 0.14 && si <= 0.25,
    ofPhosphorus: (p) => p < 0.035,
  },
  '1': {
    words: 'Si ≤ 0.030, Si + 2.5 P ≤ 0.090',
    ofSilicon: (si) => si <= 0.03,
    ofPhosphorus: (p, si) => si + 2.5 * p <= 0.09 + leastShare,
  },
  '2': { words: 'Si ≤ 0.35', ofSilicon: (si) => si <= 0.35 },
  '3': {
    words: '0.14 ≤ Si ≤ 0.25, P ≤ 0.035',
    ofSilicon: (si) => si >= 0.14 && si <= 0.25,
    ofPhosphorus: (p) => p <= 0.035,
  },
}
/** Sums of decimal shares are not exact in binary. */
const leastShare = 1e-9

function compareSilicon(demanded: SiliconClass | null, { chemistry }: JudgedCertificate): Compared | null {
  if (demanded === null) return null
  const { words, ofSilicon, ofPhosphorus } = siliconLimits[demanded]
  const { Si: silicon, P: phosphorus } = chemistry ?? {}
  const isLow = silicon === undefined ? undefined : ofSilicon(silicon)
  const both = silicon === undefined || phosphorus === undefined ? undefined : [phosphorus, silicon]
  return {
    demanded: sentence('silicon-class', { class: demanded, limits: { figures: words } }),
    value: silicon !== undefined ? 'P' : ofPhosphorus ? sentence('and', { one: 'Si', other: 'P' }) : 'Si',
    stated: {
      figures: [`Si ${silicon} %`, ...(phosphorus === undefined ? [] : [`P ${phosphorus} %`])].join(', '),
    },
    meets: isLow && ofPhosphorus ? both && ofPhosphorus(both[0]!, both[1]!) : isLow,
  }
}

function compareCev(
  most: number | null,
  { chemistry, analysis, statedCev }: JudgedCertificate,
): Compared | null {
  if (most === null) return null
  // The carbon equivalent is that of the ladle.
  const shares = analysis === 'product' ? {} : (chemistry ?? {})
  const elements = Object.entries(partsOfCev)
  const sum = elements.reduce((total, [symbol, divisor]) => total + (shares[symbol] ?? 0) / divisor, 0)
  const isWhole = elements.every(([symbol]) => shares[symbol] !== undefined)
  const largest = Math.round((Math.max(sum, statedCev ?? 0) + leastShare) * 100) / 100
  const isKnown = isWhole || statedCev !== null
  return {
    demanded: sentence('cev', { most }),
    value: isKnown ? '' : sentence('cev-elements'),
    stated: largest === statedCev ? largest : sentence(isWhole ? 'cev-of' : 'cev-at-least', { cev: largest }),
    meets: largest > most ? false : isKnown || undefined,
  }
}

const usualJoule = 27
const fullWidthMm = 10
/** EN 10025-1: one single value may be below the minimum, but not below 70 % of it. */
const leastOfSingle = 0.7

interface EnergyAt {
  readonly temperatureC: number
  readonly joule: number
  /** The minimum of a reduced test piece; null for a full one. */
  readonly reducedTo: number | null
  /** The single values, where they do not conform although the average does. */
  readonly singles: readonly number[] | null
  readonly conforms: boolean
  readonly isAcross: boolean
}

/** A colder test that conforms meets the demand, too, and a warmer one that does not conform fails it. */
function compareImpact(
  temperatureC: number | null,
  joule: number,
  certificate: JudgedCertificate,
): Compared | null {
  if (temperatureC === null) return null
  const energies = energiesOf(joule, certificate)
  const met = energies.some((one) => one.conforms && one.temperatureC <= temperatureC)
  const failed = energies.find((one) => !one.conforms && !one.isAcross && one.temperatureC >= temperatureC)
  return {
    demanded:
      failed?.reducedTo == null
        ? sentence('impact-of', { joule, temperature: temperatureC })
        : sentence('impact-reduced', { joule, temperature: temperatureC, reduced: failed.reducedTo }),
    value: sentence('impact-test', { temperature: temperatureC }),
    stated: failed ? statedEnergy(failed) : '',
    meets: failed ? false : met || undefined,
  }
}

function statedEnergy({ joule, singles, temperatureC: temperature }: EnergyAt): Sentence {
  return singles
    ? sentence('impact-singles', { singles: { figures: singles.join(', ') }, temperature })
    : sentence('impact-of', { joule, temperature })
}

/** The impact tests, where sets of one temperature, direction and place are a test with its retest. */
function energiesOf(least: number, { tests, mechanical }: JudgedCertificate): EnergyAt[] {
  const impacts = (tests ?? []).filter((test) => test.kind === 'impact')
  const { kvJoule, kvTemperatureC } = mechanical ?? {}
  if (impacts.length === 0)
    return kvJoule == null || kvTemperatureC == null
      ? []
      : [
          {
            temperatureC: kvTemperatureC,
            joule: kvJoule,
            conforms: kvJoule >= least,
            isAcross: false,
            reducedTo: null,
            singles: null,
          },
        ]
  const placeOf = ({ temperatureC, direction, location, specimenWidthMm }: ImpactTest) =>
    JSON.stringify([temperatureC, direction, location, specimenWidthMm])
  return [...Map.groupBy(impacts, placeOf).values()].flatMap((sets) => {
    const { temperatureC, direction, specimenWidthMm } = sets[0]!
    if (temperatureC === null) return []
    const needed = (least * (specimenWidthMm ?? fullWidthMm)) / fullWidthMm
    const values = sets.flatMap(({ valuesJoule }) => valuesJoule)
    const joule = Math.min(averageOf(values), ...(sets.length === 1 ? statedAverage(sets[0]!) : []))
    const isEnough = joule >= needed - leastShare
    const conforms = isEnough && singlesConform(values, needed)
    return [
      {
        temperatureC,
        joule: inTenths(joule),
        conforms,
        isAcross: direction === 'transverse',
        reducedTo: needed === least ? null : inTenths(needed),
        singles: isEnough && !conforms ? values : null,
      },
    ]
  })
}

function inTenths(joule: number): number {
  return Math.round(joule * 10) / 10
}

function statedAverage({ averageJoule }: ImpactTest): readonly number[] {
  return averageJoule === null ? [] : [averageJoule]
}

/** One of three values may be below the minimum, and two of six; one may be below 70 % only where there are six. */
function singlesConform(values: readonly number[], needed: number): boolean {
  const isRetested = values.length >= 6
  const below = values.filter((value) => value < needed)
  const farBelow = below.filter((value) => value < needed * leastOfSingle)
  return below.length <= (isRetested ? 2 : 1) && farBelow.length <= (isRetested ? 1 : 0)
}

function compareRolling(certificate: JudgedCertificate): Compared {
  const { steels } = readGrade(certificate.grade, certificate)
  const deliveries = steels.flatMap(({ delivery }) => delivery ?? [])
  return {
    demanded: sentence('normalised-rolling'),
    value: sentence('delivery-condition'),
    stated: deliveries.map((delivery) => `+${delivery}`).join(', '),
    meets: deliveries.length === 0 ? undefined : deliveries.includes('N'),
  }
}
