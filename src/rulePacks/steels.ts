import { type Field, flag, number, objectKind, text } from '../domain/kernel/fields.ts'
import type { RuleSubject } from '../domain/rulePacks/ruleBook.ts'
import type { Steel } from '../domain/steel/steelDesignation.ts'
import { type GradeContext, readGrade, type SteelGrade } from '../domain/steel/steelGrade.ts'
import { strengthOf } from '../domain/steel/steelKinds.ts'
import { readsStandard, wholeStandard } from '../domain/steel/steelStandards.ts'

/** The steels that a subject names, as rules see them. */

interface NamedSteel {
  /** Without the letter C, the delivery condition and the Z quality: S355J2 for S355J2C+N. */
  readonly name: string
  /** Such as S355. */
  readonly strength: string
  readonly quality: string | null
  /** Such as EN 10025-2; null where the reader does not know the stated standard, or where two are possible. */
  readonly standard: string | null
  /** Minimum yield strength in the name, MPa. */
  readonly yieldClass: number
  readonly hollow: boolean
  readonly coldForming: boolean
}

const shortText = text({ most: 100 })

export const steelKind = objectKind('Steel', {
  name: shortText,
  strength: shortText,
  quality: shortText,
  standard: shortText,
  yieldClass: number({ least: 0, most: 3_000, unit: 'MPa' }),
  hollow: flag(),
  coldForming: flag(),
} satisfies Record<keyof NamedSteel, Field>)

export interface Named {
  readonly steels: readonly NamedSteel[]
  /** The parts of the grade that name no steel that the reader knows. */
  readonly unread: readonly string[]
  /** Pairs of statements that contradict each other, such as `S355J2+AR and +N`. */
  readonly contradictions: readonly string[]
  /** The stated conditions of delivery that the reader does not know, such as `NR`. */
  readonly unknownConditions: readonly string[]
  /** The names that were withdrawn, with those of today, such as `St52-3 (S355J2)`. */
  readonly withdrawn: readonly string[]
}

const nothing: Named = { steels: [], unread: [], contradictions: [], unknownConditions: [], withdrawn: [] }

/** Return the steels of a certificate, or those of all lines of an order that are not cancelled, each once. */
export function steelsOf({ family, content }: RuleSubject): Named {
  if (typeof content !== 'object' || content === null) return nothing
  if (family === 'millCert') return read(content)
  const { lineItems } = content
  const lines = Array.isArray(lineItems) ? lineItems.filter((line) => line && !line.cancelled) : []
  return joinSteels(lines.map((line) => read(line)))
}

function joinSteels(all: readonly Named[]): Named {
  const steels = new Map(all.flatMap((one) => one.steels.map((steel) => [JSON.stringify(steel), steel])))
  const textsOf = (name: Exclude<keyof Named, 'steels'>) => [...new Set(all.flatMap((one) => one[name]))]
  return {
    steels: [...steels.values()],
    unread: textsOf('unread'),
    contradictions: textsOf('contradictions'),
    unknownConditions: textsOf('unknownConditions'),
    withdrawn: textsOf('withdrawn'),
  }
}

type Stated = GradeContext & { readonly grade?: string | null }
type NamedGrade = GradeContext & { readonly grade: string }

/**
 * Read a grade by each standard that is stated. A name with a contradiction or an unknown condition of delivery still
 * names a steel, which has limits; a name that one of two standards holds is in no doubt.
 */
function read({ grade, standard, ...stated }: Stated): Named {
  if (typeof grade !== 'string') return nothing
  const whole = typeof standard === 'string' ? wholeStandard(plainStandard(standard)) : null
  const names = { ...stated, grade: withWholeNames(grade) }
  const byStandard = standardsIn(whole).map((one) => ({ standard: one, ...gradeIn(one, names) }))
  const isUnread = (name: string) => byStandard.every(({ unread }) => unread.includes(name))
  return joinSteels(
    byStandard.map((grade) => {
      const doubtful = grade.doubtful.filter(({ name }) => isUnread(name))
      const understood = doubtful.map(({ name }) => name)
      const steels = [...grade.steels, ...doubtful.flatMap((name) => name.steels)]
      return {
        steels: steels.map((steel) => nameOf(steel, grade.standard)),
        unread: grade.unread.filter((name) => isUnread(name) && !understood.includes(name)),
        contradictions: doubtful.flatMap(({ contradictions }) => contradictions),
        unknownConditions: doubtful.flatMap(({ unknownConditions }) => unknownConditions),
        withdrawn: grade.withdrawn.map(({ name, successor }) => `${name} (${successor})`),
      }
    }),
  )
}

/** Return each standard of a text such as `EN 10210-1 / EN 10219-1`; the text where it names at most one. */
function standardsIn(text: string | null): readonly (string | null)[] {
  if (text === null || !readsStandard(text)) return [text]
  const nameSteel = [...text.matchAll(/\b(?:10025|10149|10210|10219)(?:-\d\b)?/g)].map(
    ([name]) => `EN ${name}`,
  )
  return nameSteel.length > 1 ? [...new Set(nameSteel)] : [text]
}

function gradeIn(standard: string | null, { grade, deliveryCondition, zQuality }: NamedGrade): SteelGrade {
  const condition = textOf(deliveryCondition)
  return readGrade(grade, { standard, deliveryCondition: condition, zQuality: textOf(zQuality) })
}

/** Write the part and the spaces as the standards do: `EN 10025-2` for `EN 10025/2` and `EN 10025 – 2`. */
function plainStandard(text: string): string {
  return text.replaceAll(/\s*[-/\u2010-\u2015\u2212]\s*/g, '-').replaceAll(/\s+/g, ' ')
}

const beginOfName = /S ?\d{3}/i
const restOfName = /^\s*(?:JR|J[0O2]|K2)/i

/** Write out the names after a slash: `S355J2/S355K2+N` for `S355J2/K2+N`. */
function withWholeNames(grade: string): string {
  let strength = ''
  const names = grade.split('/').map((name) => {
    const own = beginOfName.exec(name)?.[0]
    if (own === undefined && restOfName.test(name)) return `${strength}${name.trimStart()}`
    strength = own ?? strength
    return name
  })
  return names.join('/')
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** @param stated the stated standard */
function nameOf(steel: Steel, stated: string | null): NamedSteel {
  const { yieldClass, quality, hollow, coldForming, weathering, phosphorus, standard } = steel
  const strength = strengthOf(steel)
  const letters = `${hollow ? 'H' : ''}${weathering ? 'W' : ''}${phosphorus ? 'P' : ''}`
  return {
    name: `${strength}${quality ?? ''}${letters}`,
    strength,
    quality,
    yieldClass,
    hollow,
    coldForming,
    standard: stated === null || readsStandard(stated) ? standard : null,
  }
}
