import { remember } from './remember.ts'
import {
  completesName,
  hasOnlySuffixes,
  isSuffix,
  isThroughThickness,
  readDesignation,
  type Statement,
  type Steel,
  splitSuffixes,
  statementsIn,
} from './steelDesignation.ts'
import { isReinforcing, nameByNumber, type Standard } from './steelKinds.ts'
import { isOfReinforcement, readStandard, type Standards, standardInName } from './steelStandards.ts'
import { asSuffix, partsOf } from './steelText.ts'
import { readWithdrawn, type Withdrawn, withdrawnNumber } from './withdrawnNames.ts'

/**
 * Read the names of structural steels (EN 10027-1 and -2; EN 10025-2 to -6, EN 10210-1, EN 10219-1, EN 10149-2 and -3)
 * and of reinforcing steels (EN 10080, BS 4449, DIN 488). Names that were withdrawn are read as the steels that they were.
 * The reader never guesses: it reads a name whole, or says that it cannot read it.
 */

/** Raise it when a text is read differently, so that the rows folded from grades are built again. */
export const steelGradeVersion = 1

/** A text that names steels. A dual grade, such as `S355J2+N / S355K2+N`, names several. */
export interface SteelGrade {
  readonly steels: readonly Steel[]
  /** The parts of the text that name no steel the reader knows. */
  readonly unread: readonly string[]
  /** The unread parts that may add to a name, as in `S355J2/K2+N`. Other unread parts name another steel. */
  readonly additions: readonly string[]
  /** The unread parts that nevertheless name a steel. */
  readonly doubtful: readonly DoubtfulName[]
  readonly withdrawn: readonly Withdrawn[]
}

/**
 * A name that is unread because it contradicts itself or a statement beside it, or because of a condition of delivery
 * that the reader does not know.
 */
interface DoubtfulName {
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

/**
 * Return the steels that a grade names. A stated delivery condition and Z quality count as part of each name. Thousands of
 * bars have only a few grades.
 */
export const readGrade = remember(
  1_000,
  (text: string, { standard, deliveryCondition, zQuality }: GradeContext = {}) => [
    text,
    standard,
    deliveryCondition,
    zQuality,
  ],
  readAnew,
)

function readAnew(text: string, stated: GradeContext = {}): SteelGrade {
  const parts = partsOf(text)
  const besides = parts.map(({ name }) => name).filter(isBesideNames)
  const names = parts.filter(({ name }) => !isBesideNames(name))
  const standard = readStandard(stated.standard ?? '') ?? readStandard(besides.join(' '))
  const suffixesBeside = [stated.deliveryCondition, stated.zQuality, ...besides.filter(isSuffix)]
    .map((text) => asSuffix(text ?? ''))
    .filter((text) => text !== '')
  const steels: Steel[] = []
  const unread: string[] = []
  const additions: string[] = []
  const doubtful: DoubtfulName[] = []
  const withdrawn: Withdrawn[] = []
  for (const { name, isAlternative } of names) {
    withdrawn.push(...(namePartsOf(name)?.withdrawn ?? []))
    const steel = readName(name, suffixesBeside.join(''), standard)
    if (steel) steels.push(steel)
    else {
      unread.push(name)
      if (!isAlternative || completesName(name)) additions.push(name)
      doubtful.push(...doubtsOf(name, suffixesBeside, standard))
    }
  }
  return { steels, unread, additions, doubtful, withdrawn }
}

/** Whether a part counts for every name in the text, as in `S355J2+N, Z25` and `S355J2H, EN 10210-1`. */
function isBesideNames(part: string): boolean {
  return isSuffix(part) || part.replace(standardInName, '').replaceAll(/[\s()]/g, '') === ''
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
  readonly withdrawn: readonly Withdrawn[]
}

/** Return undefined for a number that the reader does not know. */
function namePartsOf(text: string): NameParts | undefined {
  const bare = text.replace(standardInName, ' ').trim()
  const number = materialNumber.exec(bare)?.[1]
  const rest = bare.replace(materialNumber, '').replaceAll(/[\s()]/g, '')
  const own = readStandard(text)
  const old = readWithdrawn(rest)
  // The numbers of these names have passed to other steels since.
  if (old)
    return {
      own,
      number,
      numbered: undefined,
      named: true,
      withdrawn: [old],
      designation: `${old.successor}${old.suffixes}`,
    }
  const oldNumber = number === undefined ? undefined : withdrawnNumber(number)
  const numbered = number === undefined ? undefined : (nameByNumber.get(number) ?? oldNumber?.successor)
  if (number !== undefined && numbered === undefined) return undefined
  const named = /^[SB]\d/.test(rest)
  return {
    own,
    number,
    numbered,
    named,
    designation: named ? rest : `${numbered ?? ''}${rest}`,
    withdrawn: !named && oldNumber ? [{ ...oldNumber, name: number! }] : [],
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
  if (isReinforcing(steel) && stated && isOfReinforcement(stated))
    return { ...steel, standard: standardsOfReinforcement[stated.number]! }
  return steel.hollow ? { ...steel, standard: hollowStandard(stated) ?? steel.standard } : steel
}

/** Return the doubts about a name that could not be read; none when it names no steel that the reader knows. */
function doubtsOf(text: string, beside: readonly string[], stated: Standards | undefined): DoubtfulName[] {
  const parts = namePartsOf(text)
  if (!parts) return []
  const { own, number, numbered, named } = parts
  const { base, suffixes } = splitSuffixes(parts.designation)
  const steel = readDesignation(base)
  if (!steel) return []

  const readable = beside.filter(hasOnlySuffixes)
  const contradictions = contradictionsOf([
    ...(steel.delivery === null ? [] : [{ text: base, value: steel.delivery }]),
    ...statementsIn(suffixes, base),
    ...readable.flatMap((text) => statementsIn(text)),
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
      unknownConditions: beside
        .filter((text) => !readable.includes(text))
        .map((text) => text.replace('+', '')),
    },
  ]
}

function contradictionsOf(statements: readonly Statement[]): string[] {
  const deliveries = statements.filter(({ value }) => !isThroughThickness(value))
  const zQualities = statements.filter(({ value }) => isThroughThickness(value))
  return [deliveries, zQualities].flatMap(([first, ...others]) =>
    others.filter(({ value }) => value !== first!.value).map(({ text }) => `${first!.text} and ${text}`),
  )
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

const standardsOfReinforcement: Readonly<Record<string, Standard>> = {
  '10080': 'EN 10080',
  '4449': 'BS 4449',
  '488': 'DIN 488',
}

function hollowStandard(stated: Standards | undefined): Standard | undefined {
  if (stated?.number === '10210') return 'EN 10210'
  return stated?.number === '10219' ? 'EN 10219' : undefined
}

/** Whether the stated standard can hold this steel: `S355J2+N` beside EN 10210 is a contradiction, not a name. */
function agrees(steel: Steel, stated: Standards | undefined): boolean {
  if (!stated) return true
  const { standard, hollow, quality } = steel
  const { number, part } = stated
  if (isReinforcing(steel) || isOfReinforcement(stated))
    return isReinforcing(steel) && isOfReinforcement(stated)
  if (number === '10210' || number === '10219')
    return hollow && !(number === '10210' && (quality === 'M' || quality === 'ML'))
  if (hollow) return false
  const whole = `EN ${number}`
  // Part 1 of EN 10025 holds for all the others.
  return part === undefined || part === '1' ? standard!.startsWith(whole) : standard === `${whole}-${part}`
}
