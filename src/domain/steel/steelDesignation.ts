import {
  type DeliveryCondition,
  isReinforcing,
  kindOf,
  type Quality,
  type Standard,
  steelKinds,
  strengthOf,
} from './steelKinds.ts'

/** The designation of one steel, such as `S355J2C+N+Z25` (EN 10027-1): read from its name, and written. */

export const throughThickness = ['Z15', 'Z25', 'Z35'] as const
type ThroughThickness = (typeof throughThickness)[number]

/** A steel as its name says it is. */
export interface Steel {
  /** The standard and its part; null for a hollow section whose standard is not stated. */
  readonly standard: Standard | null
  /** Minimum yield strength in the name, MPa. */
  readonly yieldClass: number
  /** null when the name has none, as in `S355`. */
  readonly quality: Quality | null
  /** H: a hollow section. */
  readonly hollow: boolean
  /** C: suitable for cold forming. */
  readonly coldForming: boolean
  /** W: weathering steel. */
  readonly weathering: boolean
  /** P: weathering steel with more phosphorus. */
  readonly phosphorus: boolean
  readonly zQuality: ThroughThickness | null
  /** The delivery condition; null when neither the name nor the kind of steel states it. */
  readonly delivery: DeliveryCondition | null
}

/** Conditions of delivery and Z qualities, as they follow a name. */
const condition = '(?:AR|QT|TM|N|M|Q)'
const through = '(?:Z15|Z25|Z35)'
const suffixes = new RegExp(`${condition}|${through}`, 'g')
const oneSuffix = new RegExp(`^\\+? ?(?:${condition}|${through})$`)
/** A condition without a sign, as in `S355J2N`, follows no other condition: `+QQ` is a slip of the pen, and not `+Q+Q`. */
const unsigned = `(?<!S\\d{3}[NMQ][A-Z0-9]*)${condition}`
const following = `(?:${unsigned})?(?:[+-]${condition}|[+-]?${through}(?:${unsigned})?)*`
const onlySuffixes = new RegExp(`^${following}$`)
const designation = new RegExp(
  [
    '^S(?<yieldClass>\\d{3})',
    // Without a quality, N, M and Q after a plus sign are conditions of delivery.
    '(?<quality>JR|J[0O2]|K2|QL1|QL|Q(?!T)|NL|ML|MC|NC|N|M)?',
    '(?<letters>[CHWP]*)',
    `(?<suffixes>${following})$`,
  ].join(''),
)

/** Reinforcing steel (EN 10080). */
const reinforcing = /^B(?<yieldClass>\d{3})(?<quality>[ABC])(?<letters>)(?<suffixes>)$/

const conditions: Readonly<Record<string, DeliveryCondition>> = {
  AR: 'AR',
  N: 'N',
  M: 'M',
  TM: 'M',
  Q: 'QT',
  QT: 'QT',
}

/** Read a name without spaces, standard and number, such as `S355J2C+N+Z25`. */
export function readDesignation(text: string): Steel | undefined {
  const groups = (designation.exec(text) ?? reinforcing.exec(text))?.groups
  if (!groups) return undefined
  const letters = groups.letters!
  const quality = (groups.quality?.replace('JO', 'J0') ?? null) as Quality | null
  const kind = kindOf(Number(groups.yieldClass), quality, letters)
  if (!kind) return undefined
  const statements = statementsIn(groups.suffixes!).map(({ value }) => value)
  const inherent = kind.delivery === null ? [] : [kind.delivery]
  const zQuality = onlyOne(statements.filter(isThroughThickness))
  const delivery = onlyOne([...inherent, ...statements.filter((value) => !isThroughThickness(value))])
  if (zQuality === undefined || delivery === undefined) return undefined
  return {
    standard: kind.standard,
    yieldClass: Number(groups.yieldClass),
    quality,
    hollow: letters.includes('H'),
    coldForming: letters.includes('C') || quality === 'MC' || quality === 'NC',
    weathering: letters.includes('W'),
    phosphorus: letters.includes('P'),
    zQuality,
    delivery,
  }
}

/** Return the stated value, null when none is stated, undefined when two contradict each other. */
function onlyOne<Value>(values: readonly Value[]): Value | null | undefined {
  const different = new Set(values)
  return different.size > 1 ? undefined : ([...different][0] ?? null)
}

function lettersOf({
  quality,
  coldForming,
  hollow,
  weathering,
  phosphorus,
}: Pick<Steel, 'quality' | 'coldForming' | 'hollow' | 'weathering' | 'phosphorus'>): string {
  const cold = coldForming && quality !== 'MC' && quality !== 'NC'
  return `${cold ? 'C' : ''}${hollow ? 'H' : ''}${weathering ? 'W' : ''}${phosphorus ? 'P' : ''}`
}

export function isThroughThickness(value: DeliveryCondition | ThroughThickness): value is ThroughThickness {
  return (throughThickness as readonly string[]).includes(value)
}

/** A condition of delivery or a Z quality, and the text that states it. */
export interface Statement {
  readonly text: string
  readonly value: DeliveryCondition | ThroughThickness
}

/** Return the statements in suffixes such as `+N+Z25`. @param base the name that they follow */
export function statementsIn(text: string, base = ''): Statement[] {
  return (text.match(suffixes) ?? []).map((sign) => ({
    text: `${base}+${sign}`,
    value: conditions[sign] ?? (sign as ThroughThickness),
  }))
}

/** Split a name such as `S355J2+N+Z25` into `S355J2` and `+N+Z25`. A text that is no name has no suffixes. */
export function splitSuffixes(name: string): { readonly base: string; readonly suffixes: string } {
  const { suffixes = '' } = designation.exec(name)?.groups ?? {}
  return { base: name.slice(0, name.length - suffixes.length), suffixes }
}

/** Whether a text is a condition of delivery or a Z quality. */
export function isSuffix(text: string): boolean {
  return oneSuffix.test(text)
}

/** Whether a text consists of conditions of delivery and Z qualities. */
export function hasOnlySuffixes(text: string): boolean {
  return onlySuffixes.test(text)
}

/** Whether a text is only the end of a name, such as `K2+N`. */
export function completesName(text: string): boolean {
  return designation.test(`S355${text.replaceAll(/[\s()]/g, '')}`)
}

/** Return the name of a steel as the standards write it, such as `S355J2C+N+Z25`. */
export function steelName({ yieldClass, quality, delivery, zQuality, ...letters }: Steel): string {
  const inherent = kindOf(yieldClass, quality, lettersOf({ quality, ...letters }))?.delivery
  return [
    `${strengthOf({ yieldClass, quality })}${quality ?? ''}${lettersOf({ quality, ...letters })}`,
    ...(delivery && delivery !== inherent ? [delivery] : []),
    ...(zQuality ? [zQuality] : []),
  ].join('+')
}

/** Return a key that equal steels share, and no others. */
export function steelKey(steel: Steel): string {
  return steel.hollow ? `${steelName(steel)} ${steel.standard ?? ''}` : steelName(steel)
}

/** List every steel that a name can stand for. */
export function everySteel(): Steel[] {
  return steelKinds.flatMap((kind) =>
    kind.qualities.flatMap((quality) =>
      kind.classes.flatMap((yieldClass) =>
        kind.letters.flatMap((letters) =>
          variantsOf(`${strengthOf({ yieldClass, quality })}${quality ?? ''}${letters}`),
        ),
      ),
    ),
  )
}

/** List the steels of a bare name: each condition of delivery, Z quality and standard that the name may carry. */
function variantsOf(bare: string): Steel[] {
  const steel = readDesignation(bare)!
  if (isReinforcing(steel)) return [steel]
  const deliveries = steel.delivery === null ? ([null, 'AR', 'N', 'M', 'QT'] as const) : [steel.delivery]
  const standards =
    steel.hollow && steel.standard === null ? ([null, 'EN 10210', 'EN 10219'] as const) : [steel.standard]
  return standards.flatMap((standard) =>
    deliveries.flatMap((delivery) =>
      [null, ...throughThickness].map((zQuality) => ({ ...steel, standard, delivery, zQuality })),
    ),
  )
}
