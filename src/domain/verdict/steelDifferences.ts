import type { ProductForm } from '../certificates/certificateContent.ts'
import { remember } from '../steel/remember.ts'
import { bestMatch } from '../steel/steelDemand.ts'
import type { Steel } from '../steel/steelDesignation.ts'
import { type GradeContext, readGrade, type SteelGrade } from '../steel/steelGrade.ts'
import { isOpenStandard, isSameStandard, withWholeStandard } from '../steel/steelStandards.ts'
import { isBrightProduct, normalisedGrade } from '../steel/steelText.ts'
import type { SettableCode } from './releasePolicy.ts'
import { type Sentence, sentence } from './sentence.ts'

/** How the steel that a bar or a certificate offers differs from the steel that a line demands. */

/** A finding without the records that it is about. */
export interface SteelDifference {
  readonly code: SettableCode
  readonly sentence: Sentence
  readonly expected: string
  readonly actual: string
}

export interface GradeText extends GradeContext {
  readonly grade: string
  readonly standard: string | null
  readonly productForm?: ProductForm | null
  /** The grade that a bar was planned with. Its certificate will state what the grade leaves open. */
  readonly isPlanned?: boolean
}

/**
 * Compare a demanded grade with an offered one. Names that cannot be read are left to a person. Candidates for a bar are
 * many certificates with few grades.
 */
export const gradeDifferences = remember(
  1_000,
  (demand: GradeText, offer: GradeText) => [...partsOf(demand), ...partsOf(offer)],
  compareGrades,
)

function partsOf({ grade, standard, deliveryCondition, zQuality, productForm, isPlanned }: GradeText) {
  return [grade, standard, deliveryCondition, zQuality, productForm, isPlanned]
}

function compareGrades(demandSaid: GradeText, offerSaid: GradeText): readonly SteelDifference[] {
  // Most pairs do not differ, and need no words.
  const describeGrades = () => ({ expected: gradeWords(demandSaid), actual: gradeWords(offerSaid) })
  const [demand, offer] = [withWholeStandard(demandSaid), withWholeStandard(offerSaid)]
  const difference = (code: SettableCode & Sentence['text'], values?: Sentence['values']) => {
    const compared = describeGrades()
    return [{ code, ...compared, sentence: sentence(code, { ...compared, ...values }) }]
  }
  const demanded = readGrade(demand.grade, demand)
  const offered = readGrade(offer.grade, offer)
  const wanted = isNoHollowSection(offer) ? demanded.steels.filter(({ hollow }) => !hollow) : demanded.steels
  if (wanted.length === 0 && demanded.steels.length > 0) return hollowSectionDemanded(describeGrades(), offer)
  const steels = offer.isPlanned ? completedBy(wanted, offered.steels) : offered.steels
  const match = bestMatch(wanted, steels)
  if (demanded.additions.length > 0 && (match === 'meets' || match === 'delivery-condition-unstated'))
    return isSameText(demand, offer) ? [] : difference('grade-unreadable', { reason: reasonOf(demanded) })
  if (match === 'meets') return []
  if (match === 'delivery-condition-unstated') return difference(match)
  if (match === 'substitute') return difference('grade-substitute')
  const unreadable = [demanded, offered].find(
    ({ steels, unread }) => steels.length === 0 || unread.length > 0,
  )
  if (!unreadable) return difference('grade-mismatch', { advice: adviceFor(demanded, offered) })
  return isSameText(demand, offer) ? [] : difference('grade-unreadable', { reason: reasonOf(unreadable) })
}

/** Complete each steel by the demand, as far as its name leaves open what the demand states. */
function completedBy(demanded: readonly Steel[], planned: readonly Steel[]): readonly Steel[] {
  return planned.flatMap((steel) =>
    demanded.map((demand) => ({
      ...steel,
      standard: steel.standard ?? demand.standard,
      delivery: steel.delivery ?? demand.delivery,
      zQuality: steel.zQuality ?? demand.zQuality,
    })),
  )
}

/** Say what to do about another steel. A hollow section without a standard may still be the demanded steel. */
function adviceFor({ steels: demanded }: SteelGrade, { steels: offered }: SteelGrade): Sentence {
  const withStandard = offered
    .filter(isOfEitherStandard)
    .flatMap((steel) => demanded.map(({ standard }) => ({ ...steel, standard })))
  if (bestMatch(demanded, withStandard) === 'differs') return sentence('use-demanded')
  return sentence('ask-hot-or-cold')
}

/** Whether it is a hollow section for which neither EN 10210 nor EN 10219 is stated. */
function isOfEitherStandard({ hollow, standard }: Steel): boolean {
  return hollow && standard === null
}

/** True if the certificate states that its product is no hollow section. Most certificates do not state it. */
function isNoHollowSection({ grade, standard, productForm = null }: GradeText): boolean {
  return (productForm !== null && openForms.includes(productForm)) || isOpenStandard(standard ?? grade)
}
const openForms: readonly ProductForm[] = ['Plate', 'Coil', 'Section', 'Bar']

function hollowSectionDemanded(
  { expected, actual }: ComparedGrades,
  { productForm }: GradeText,
): SteelDifference[] {
  const offered = productForm ? sentence('of-form', { grade: actual, form: sentence(productForm) }) : actual
  const words = sentence('hollow-demanded', { expected, actual: offered })
  const stated = productForm ? `${actual} (${productForm})` : actual
  return [{ code: 'grade-mismatch', expected, actual: stated, sentence: words }]
}

interface ComparedGrades {
  readonly expected: string
  readonly actual: string
}

/** Say why a grade cannot be compared. */
function reasonOf({ unread, doubtful }: SteelGrade): Sentence {
  // A contradiction names two statements, such as "S355J2+AR and +N".
  const statements = doubtful.flatMap((name) => name.contradictions.flatMap((one) => one.split(' and ')))
  if (statements.length > 0) {
    const [first, ...others] = statements
    const all = others.reduce<Sentence | string>((one, other) => sentence('and', { one, other }), first!)
    return sentence('contradict-each-other', { statements: all })
  }
  if (unread.length === 0) return sentence('name-missing')
  const bright = unread.find(isBrightProduct)
  return bright === undefined
    ? sentence('name-unknown', { names: unread.join(', ') })
    : sentence('name-bright', { names: bright })
}

/** Whether two grades that cannot be read are the same text, and the values beside them do not contradict each other. */
function isSameText(demand: GradeText, offer: GradeText): boolean {
  if (normalisedGrade(demand.grade) !== normalisedGrade(offer.grade)) return false
  if (demand.standard && offer.standard && !isSameStandard(demand.standard, offer.standard)) return false
  // The text could be read but for a condition of delivery that contradicts it.
  return !offer.deliveryCondition || readGrade(demand.grade, demand).steels.every(({ delivery }) => !delivery)
}

/** A detail of the steel that is stated beside its grade counts as part of the name, so it is shown, and changes the key. */
export function gradeWords({ grade, standard, deliveryCondition, zQuality }: GradeText): string {
  const beside = [deliveryCondition, zQuality].flatMap((detail) => (detail ? [`(${detail})`] : []))
  return [...(standard === null ? [] : [standard]), grade, ...beside].join(' ')
}
