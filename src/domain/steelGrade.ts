import {
  type DeliveryCondition,
  kindOf,
  nameByNumber,
  type Quality,
  type Standard,
  steelKinds,
} from './steelKinds.ts'

/**
 * Read the names of structural steels (EN 10027-1 and -2; EN 10025-2 to -6, EN 10210-1, EN 10219-1, EN 10149-2 and -3).
 * The reader never guesses: it reads a name whole, or says that it cannot read it.
 */

/** Raise it when a text is read differently, so that the rows folded from grades are built again. */
export const steelGradeVersion = 2

export const throughThickness = ['Z15', 'Z25', 'Z35'] as const
export type ThroughThickness = (typeof throughThickness)[number]

/** A steel as its name says it is. */
export interface Steel {
  /** The standard and its part; null for a hollow section whose standard is not stated. */
  readonly standard: Standard | null
  /** Minimum yield strength in the name, MPa. */
  readonly yieldClass: number
  /** Impact quality, or the letters of a fine-grain steel; null when the name has none, as in `S355`. */
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
  /** How the mill delivered it; null when neither the name nor the kind of steel says it. */
  readonly delivery: DeliveryCondition | null
}

/** A text that names steels. A dual grade, such as `S355J2+N / S355K2+N`, names several. */
export interface SteelGrade {
  readonly steels: readonly Steel[]
  /** The parts of the text that name no steel the reader knows. */
  readonly unread: readonly string[]
  /** The unread parts that may add to a name, as in `S355J2/K2+N`. Other unread parts name another steel. */
  readonly additions: readonly string[]
  /** The unread parts that name a steel all the same. */
  readonly doubtful: readonly DoubtfulName[]
}

/**
 * A name that is unread because it contradicts itself or a statement beside it, or because of a condition of delivery
 * that the reader does not know.
 */
export interface DoubtfulName {
  readonly name: string
  /** The steels that it names, without the statements in doubt: those of the name and of the number, if they differ. */
  readonly steels: readonly Steel[]
  /** Pairs of statements that contradict each other, such as `S355J2+AR and +N`. */
  readonly contradictions: readonly string[]
  /** The stated conditions that the reader does not know, such as `NR`. */
  readonly unknownConditions: readonly string[]
}

/** The details that a certificate or an order states about a steel beside its grade. */
export interface GradeContext {
  readonly standard?: string | null | undefined
  readonly deliveryCondition?: string | null | undefined
  readonly zQuality?: string | null | undefined
}

/** Grades that were read before: thousands of bars have only a few. The same text is always read in the same way. */
const readBefore = new Map<string, SteelGrade>()
const mostReadBefore = 1_000

/** Return the steels that a grade names. A stated delivery condition and Z quality count as part of each name. */
export function readGrade(text: string, stated: GradeContext = {}): SteelGrade {
  const { standard, deliveryCondition, zQuality } = stated
  const key = JSON.stringify([text, standard, deliveryCondition, zQuality])
  const known = readBefore.get(key)
  if (known) return known
  const grade = readAnew(text, stated)
  if (readBefore.size >= mostReadBefore) readBefore.clear()
  readBefore.set(key, grade)
  return grade
}

function readAnew(text: string, stated: GradeContext): SteelGrade {
  const parts = partsOf(text)
  const besides = parts.map(({ name }) => name).filter(isBesideNames)
  const names = parts.filter(({ name }) => !isBesideNames(name))
  const standard = readStandard(stated.standard ?? '') ?? readStandard(besides.join(' '))
  const suffixesBeside = [stated.deliveryCondition, stated.zQuality, ...besides.filter(isSuffix)]
    .map((said) => asSuffix(said ?? ''))
    .filter((said) => said !== '')
  const steels: Steel[] = []
  const unread: string[] = []
  const additions: string[] = []
  const doubtful: DoubtfulName[] = []
  for (const { name, isAlternative } of names) {
    const steel = readName(name, suffixesBeside.join(''), standard)
    if (steel) steels.push(steel)
    else {
      unread.push(name)
      if (!isAlternative || completesName(name)) additions.push(name)
      doubtful.push(...doubtsOf(name, suffixesBeside, standard))
    }
  }
  return { steels, unread, additions, doubtful }
}

/** Return the name of a steel as the standards write it, such as `S355J2C+N+Z25`. */
export function steelName({ yieldClass, quality, delivery, zQuality, ...letters }: Steel): string {
  const inherent = kindOf(yieldClass, quality, lettersOf({ quality, ...letters }))?.delivery
  return [
    `S${yieldClass}${quality ?? ''}${lettersOf({ quality, ...letters })}`,
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
  return steelKinds.flatMap((known) =>
    known.qualities.flatMap((quality) =>
      known.classes.flatMap((yieldClass) =>
        known.letters.flatMap((letters) => variantsOf(`S${yieldClass}${quality ?? ''}${letters}`)),
      ),
    ),
  )
}

/** List the steels of a bare name: each condition of delivery, Z quality and standard that the name may carry. */
function variantsOf(bare: string): Steel[] {
  const steel = readDesignation(bare)!
  const deliveries = steel.delivery === null ? ([null, 'AR', 'N', 'M', 'QT'] as const) : [steel.delivery]
  const standards =
    steel.hollow && steel.standard === null ? ([null, 'EN 10210', 'EN 10219'] as const) : [steel.standard]
  return standards.flatMap((standard) =>
    deliveries.flatMap((delivery) =>
      [null, ...throughThickness].map((zQuality) => ({ ...steel, standard, delivery, zQuality })),
    ),
  )
}

/** Return a text as two grades are compared when they cannot be read: without spaces, in capitals, with plain dashes. */
export function normalisedGrade(text: string): string {
  return plain(text).replaceAll(/\s/g, '')
}

/** Compatibility forms become plain ones, every dash a hyphen, letters capitals. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll('\u00ad', '')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .toUpperCase()
    .trim()
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
    (said, [words, condition]) => said.replaceAll(words, `+${condition}`),
    plain(text),
  )
}

/** Return a stated condition as a name would carry it: `+N` for `N`, `+N` and "normalized". */
function asSuffix(said: string): string {
  const condition = withSigns(said).replaceAll(/\s/g, '')
  return condition === '' || condition.startsWith('+') ? condition : `+${condition}`
}

const separator = /([/;,|&]|\bAND\b|\bOR\b|\bUND\b|\bODER\b)/
const alternatives: readonly (string | undefined)[] = ['/', '|', 'OR', 'ODER', undefined]

/** Return the parts of a text that each name one steel, with conditions of delivery as signs. */
function partsOf(text: string): { readonly name: string; readonly isAlternative: boolean }[] {
  const parts = withSigns(text).split(separator)
  return parts
    .map((part, index) => ({
      name: part.trim().replaceAll(/\s+/g, ' '),
      isAlternative: alternatives.includes(parts[index - 1]),
    }))
    .filter(({ name }, index) => index % 2 === 0 && name !== '')
}

/** Whether a part counts for every name in the text, as in `S355J2+N, Z25` and `S355J2H, EN 10210-1`. */
function isBesideNames(part: string): boolean {
  return isSuffix(part) || part.replace(standardInName, '').replaceAll(/[\s()]/g, '') === ''
}

/** Whether a part is a condition of delivery or a Z quality. */
function isSuffix(part: string): boolean {
  return /^\+? ?(?:AR|QT|TM|N|M|Q|Z15|Z25|Z35)$/.test(part)
}

/** Whether a part is only the end of a name, such as `K2+N`. */
function completesName(part: string): boolean {
  return designation.test(`S355${part.replaceAll(/[\s()]/g, '')}`)
}

const standardInName =
  /(?:\b(?:BS|DIN|NF|UNI|SS|PN|SFS|NEN|NBN|STN|CSN) )*\bEN ?(10025|10149|10210|10219)(?:[- ](\d))?(?:[:-](?:19|20)\d{2})?\b/

interface Standards {
  readonly number: string
  readonly part: string | undefined
  /** Such as `EN 10025-2`. */
  readonly name: string
}

/** Return the standard that a text names, or undefined when it names none that the reader knows. */
function readStandard(text: string): Standards | undefined {
  const [, number, part] = standardInName.exec(plain(text)) ?? []
  if (number === undefined) return undefined
  return { number, part, name: `EN ${number}${part === undefined ? '' : `-${part}`}` }
}

/** Whether a text names a standard that the reader knows. */
export function readsStandard(text: string): boolean {
  return readStandard(text) !== undefined
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
  const { number } = readStandard(text) ?? {}
  return number === '10025' || number === '10149'
}

function withoutEdition(standard: string): string {
  return normalisedGrade(standard).replace(/[:-](?:19|20)\d{2}(?:\+A\d)?$/, '')
}

const materialNumber = /\(?\b(\d\.\d{4})\b\)?/

/** The members of a name that may carry its standard and its material number. */
interface NameParts {
  readonly own: Standards | undefined
  readonly number: string | undefined
  /** The name that belongs to the number. */
  readonly numbered: string | undefined
  /** The name without spaces, standard and number; where only a number is there, that of the number. */
  readonly designation: string
  /** Whether a name is there beside the number. */
  readonly named: boolean
}

/** Return undefined for a number that the reader does not know. */
function namePartsOf(text: string): NameParts | undefined {
  const bare = text.replace(standardInName, ' ').trim()
  const number = materialNumber.exec(bare)?.[1]
  const numbered = number === undefined ? undefined : nameByNumber.get(number)
  if (number !== undefined && numbered === undefined) return undefined
  const rest = bare.replace(materialNumber, '').replaceAll(/[\s()]/g, '')
  const named = /^S\d/.test(rest)
  return {
    ...{ own: readStandard(text), number, numbered, named },
    designation: named ? rest : `${numbered ?? ''}${rest}`,
  }
}

/** Read one name, which may carry its standard and its material number. */
function readName(text: string, suffix: string, stated: Standards | undefined): Steel | undefined {
  const parts = namePartsOf(text)
  if (!parts) return undefined
  const { own, numbered, named } = parts
  const steel = readDesignation(`${parts.designation}${suffix}`)
  if (!steel || !agrees(steel, own) || !agrees(steel, stated)) return undefined
  if (named && numbered !== undefined && !isSameSteel(steel, readDesignation(numbered)!)) return undefined
  return inStandard(steel, own ?? stated)
}

function inStandard(steel: Steel, stated: Standards | undefined): Steel {
  return steel.hollow ? { ...steel, standard: hollowStandard(stated) ?? steel.standard } : steel
}

/** Return the doubts about a name that could not be read; none when it names no steel that the reader knows. */
function doubtsOf(text: string, beside: readonly string[], stated: Standards | undefined): DoubtfulName[] {
  const parts = namePartsOf(text)
  if (!parts) return []
  const { own, number, numbered, named } = parts
  const { suffixes: ownSuffixes = '' } = designation.exec(parts.designation)?.groups ?? {}
  const base = parts.designation.slice(0, parts.designation.length - ownSuffixes.length)
  const steel = readDesignation(base)
  if (!steel) return []

  const known = beside.filter((said) => onlySuffixes.test(said))
  const contradictions = contradictionsOf([
    ...(steel.delivery === null ? [] : [{ text: base, value: steel.delivery }]),
    ...statementsIn(ownSuffixes, base),
    ...known.flatMap((said) => statementsIn(said)),
  ])
  const ofNumber = named && numbered !== undefined ? readDesignation(numbered)! : steel
  const steels = isSameSteel(steel, ofNumber) ? [steel] : [steel, ofNumber]
  if (steels.length > 1) contradictions.push(`${base} and ${number}`)
  const foreign = [own, stated].filter((standard) => standard !== undefined && !agrees(steel, standard))
  contradictions.push(...foreign.map((standard) => `${base} and ${standard!.name}`))
  return [
    {
      name: text,
      steels: steels.map((one) =>
        foreign.length > 0 ? { ...one, standard: null } : inStandard(one, own ?? stated),
      ),
      contradictions: [...new Set(contradictions)],
      unknownConditions: beside.filter((said) => !known.includes(said)).map((said) => said.replace('+', '')),
    },
  ]
}

/** A condition of delivery or a Z quality, and the text that states it. */
interface Statement {
  readonly text: string
  readonly value: DeliveryCondition | ThroughThickness
}

function statementsIn(said: string, base = ''): Statement[] {
  return (said.match(suffixes) ?? []).map((suffix) => ({
    text: `${base}+${suffix}`,
    value: isThroughThickness(suffix) ? suffix : conditions[suffix]!,
  }))
}

function contradictionsOf(statements: readonly Statement[]): string[] {
  const deliveries = statements.filter(({ value }) => !isThroughThickness(value))
  const zQualities = statements.filter(({ value }) => isThroughThickness(value))
  return [deliveries, zQualities].flatMap(([first, ...others]) =>
    others.filter(({ value }) => value !== first!.value).map(({ text }) => `${first!.text} and ${text}`),
  )
}

function isThroughThickness(suffix: string): suffix is ThroughThickness {
  return (throughThickness as readonly string[]).includes(suffix)
}

/** Whether a name and its material number name the same steel. A number says nothing of delivery and Z quality. */
function isSameSteel(one: Steel, other: Steel): boolean {
  return (
    one.yieldClass === other.yieldClass &&
    one.quality === other.quality &&
    one.hollow === other.hollow &&
    one.weathering === other.weathering &&
    one.phosphorus === other.phosphorus
  )
}

function hollowStandard(stated: Standards | undefined): Standard | undefined {
  if (stated?.number === '10210') return 'EN 10210'
  return stated?.number === '10219' ? 'EN 10219' : undefined
}

/** Whether the stated standard can hold this steel: `S355J2+N` beside EN 10210 is a contradiction, not a name. */
function agrees({ standard, hollow, quality }: Steel, stated: Standards | undefined): boolean {
  if (!stated) return true
  const { number, part } = stated
  if (number === '10210' || number === '10219')
    return hollow && !(number === '10210' && (quality === 'M' || quality === 'ML'))
  if (hollow) return false
  const whole = `EN ${number}`
  // Part 1 of EN 10025 holds for all the others.
  return part === undefined || part === '1' ? standard!.startsWith(whole) : standard === `${whole}-${part}`
}

const designation = new RegExp(
  [
    '^S(?<yieldClass>\\d{3})',
    // Without a quality, N, M and Q after a plus sign are conditions of delivery.
    '(?<quality>JR|J[0O2]|K2|QL1|QL|Q(?!T)|NL|ML|MC|NC|N|M)?',
    '(?<letters>[CHWP]*)',
    '(?<suffixes>(?:[+-]?(?:AR|QT|TM|N|M|Q|Z15|Z25|Z35))*)$',
  ].join(''),
)
const suffixes = /AR|QT|TM|N|M|Q|Z15|Z25|Z35/g
const onlySuffixes = /^(?:[+-]?(?:AR|QT|TM|N|M|Q|Z15|Z25|Z35))*$/
const conditions: Readonly<Record<string, DeliveryCondition>> = {
  AR: 'AR',
  N: 'N',
  M: 'M',
  TM: 'M',
  Q: 'QT',
  QT: 'QT',
}

/** Read a name without spaces, standard and number, such as `S355J2C+N+Z25`. */
function readDesignation(text: string): Steel | undefined {
  const groups = designation.exec(text)?.groups
  if (!groups) return undefined
  const letters = groups.letters!
  const quality = (groups.quality?.replace('JO', 'J0') ?? null) as Quality | null
  const kind = kindOf(Number(groups.yieldClass), quality, letters)
  if (!kind) return undefined
  const said: readonly string[] = groups.suffixes!.match(suffixes) ?? []
  const zQuality = onlyOne<ThroughThickness>(said.filter(isThroughThickness))
  const inherent = kind.delivery === null ? [] : [kind.delivery]
  const delivery = onlyOne([
    ...inherent,
    ...said.filter((suffix) => suffix in conditions).map((suffix) => conditions[suffix]!),
  ])
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

/** Return the one value that is said, null when none is, undefined when two contradict each other. */
function onlyOne<Value>(said: readonly Value[]): Value | null | undefined {
  const different = new Set(said)
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
