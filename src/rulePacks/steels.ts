import type { FieldKinds, ObjectKind } from '../domain/fields.ts'
import type { RuleSubject } from '../domain/ruleBook.ts'
import { type GradeContext, readGrade, readsStandard, type Steel } from '../domain/steelGrade.ts'

/** The steels that a subject names, as rules see them from version 2 of the language on. */

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

export const steelKind: ObjectKind = {
  name: 'Steel',
  fields: {
    name: 'text',
    strength: 'text',
    quality: 'text',
    standard: 'text',
    yieldClass: 'number',
    hollow: 'flag',
    coldForming: 'flag',
  } satisfies FieldKinds<keyof NamedSteel>,
}

export interface Named {
  readonly steels: readonly NamedSteel[]
  /** The parts of the grade that name no steel that the reader knows. */
  readonly unread: readonly string[]
}

/** Return the steels of a certificate, or those of all lines of an order that are not cancelled, each once. */
export function steelsOf({ family, content }: RuleSubject): Named {
  if (typeof content !== 'object' || content === null) return { steels: [], unread: [] }
  if (family === 'millCert') return read(content)
  const { lineItems } = content
  const lines = Array.isArray(lineItems) ? lineItems.filter((line) => line && !line.cancelled).map(read) : []
  const steels = new Map(lines.flatMap((line) => line.steels.map((steel) => [JSON.stringify(steel), steel])))
  return { steels: [...steels.values()], unread: [...new Set(lines.flatMap(({ unread }) => unread))] }
}

function read(stated: GradeContext & { readonly grade?: string | null }): Named {
  if (typeof stated.grade !== 'string') return { steels: [], unread: [] }
  const standard = typeof stated.standard === 'string' ? plainStandard(stated.standard) : null
  const { steels, unread } = readGrade(stated.grade, {
    standard,
    deliveryCondition: textOf(stated.deliveryCondition),
    zQuality: textOf(stated.zQuality),
  })
  const isKnown = standard === null || readsStandard(standard)
  return { steels: steels.map((steel) => named(steel, isKnown)), unread }
}

/** Write the part and the spaces as the standards do: `EN 10025-2` for `EN 10025/2` and `EN 10025 – 2`. */
function plainStandard(text: string): string {
  return text.replaceAll(/\s*[-/\u2010-\u2015\u2212]\s*/g, '-').replaceAll(/\s+/g, ' ')
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function named(steel: Steel, isStandardKnown: boolean): NamedSteel {
  const { yieldClass, quality, hollow, coldForming, weathering, phosphorus, standard } = steel
  const strength = `S${yieldClass}`
  const letters = `${hollow ? 'H' : ''}${weathering ? 'W' : ''}${phosphorus ? 'P' : ''}`
  return {
    name: `${strength}${quality ?? ''}${letters}`,
    ...{ strength, quality, yieldClass, hollow, coldForming },
    standard: isStandardKnown ? standard : null,
  }
}
