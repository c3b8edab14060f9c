import { type CertificateContent, certificateFields } from '../certificates/certificateContent.ts'
import type { CertificateStatus } from '../certificates/certificateStatus.ts'
import type { AttachedDocument } from '../documents/certificateDocuments.ts'
import type { ContentOf } from '../kernel/fields.ts'
import { lineItemFields, orderHeadFields } from '../orders/orderContent.ts'
import type { NotJudged } from '../rulePacks/notJudged.ts'
import type { PairRule } from '../rulePacks/pairRules.ts'
import type { Severity } from '../tags/tag.ts'
import { defaultReleasePolicy, type ReleasePolicy } from './releasePolicy.ts'
import type { Stock } from './stock.ts'

/** The facts that a verdict is judged from: the bar, its certificate, its orders, their tags, and the policy. */

/** An active tag. One without a severity gives no finding. */
interface JudgedTag {
  readonly tagId: string
  readonly name: string
  readonly severity: Severity | null
}

const { standard, grade, deliveryCondition, zQuality, inspectionDocument, ...other } = certificateFields
const { profile, productForm, thicknessMm, widthMm, nominalDiameterMm, ...analysed } = other
const { chemistry, analysis, ...tested } = analysed
const { statedCev, ultrasonicClass, surfaceClass, mechanical, tests } = tested
/** The values of a certificate that a verdict is judged from. */
export const judgedFields = {
  standard,
  grade,
  deliveryCondition,
  zQuality,
  inspectionDocument,
  profile,
  productForm,
  thicknessMm,
  widthMm,
  nominalDiameterMm,
  chemistry,
  analysis,
  statedCev,
  ultrasonicClass,
  surfaceClass,
  mechanical,
  tests,
}

export interface JudgedCertificate extends ContentOf<typeof judgedFields> {
  readonly millCertificationId: string
  readonly heatNumber: string
  readonly status: CertificateStatus
  readonly tags: readonly JudgedTag[]
  /** The rules that could not judge it for want of values. */
  readonly notJudged: readonly NotJudged[]
  readonly documents: readonly Pick<AttachedDocument, 'documentId'>[]
  /** null while no delivery of its steel is recorded. */
  readonly stock: Stock | null
}

/** A certificate with the number that people know it by, and with the other certificates of its heat. */
export interface NamedCertificate extends JudgedCertificate, Pick<VerdictFacts, 'sameHeat'> {
  readonly certificateNumber: string
  readonly manufacturer: string | null
}

const { description: _, ...judgedLineFields } = lineItemFields
const { customer: __, dueDate: ___, ...judgedOrderFields } = orderHeadFields

export { judgedLineFields, judgedOrderFields }

export interface JudgedLine extends ContentOf<typeof judgedLineFields> {
  readonly lineItemId: string
  /** Its Accepted cuts, on every bar. */
  readonly acceptedCuts: number
}

export interface JudgedOrder extends ContentOf<typeof judgedOrderFields> {
  readonly orderId: string
  readonly orderNumber: string
  readonly tags: readonly JudgedTag[]
  readonly lineItems: readonly JudgedLine[]
}

/** An order that is judged without the bars that are planned for it. */
export interface OrderByItself extends Omit<JudgedOrder, 'lineItems'> {
  readonly lineItems: readonly Omit<JudgedLine, 'acceptedCuts'>[]
}

export interface JudgedCut {
  readonly cutId: string
  readonly orderId: string
  readonly lineItemId: string
  readonly lengthMm: number
}

/** A release in spite of Block findings, by their keys. */
export interface Override {
  readonly findings: readonly string[]
  readonly reason: string
  readonly reference: string | null
  readonly by: string
  readonly at: string
}

/** The other certificates of the same heat and manufacturer that are not Voided. */
export interface SameHeat {
  /** The certificates that are Rejected or have a Block. */
  readonly blocked: {
    readonly count: number
    /** The ids of the first of them. A heat may have any number, and a few say as much as all. */
    readonly first: readonly string[]
  }
  /** One certificate for each ladle analysis that is not spelled as the certificate's own, as far as they are looked up. */
  readonly analyses: readonly OtherAnalysis[]
}

export interface OtherAnalysis {
  readonly millCertificationId: string
  readonly certificateNumber: string
  readonly chemistry: NonNullable<CertificateContent['chemistry']>
}
export const aloneInHeat: SameHeat = { blocked: { count: 0, first: [] }, analyses: [] }

/** The heat number that somebody has read off the steel of a bar. */
export interface ReadHeat {
  readonly heatNumber: string
  /** Whether the number stands on this steel. It stands on a remnant only if it was transferred there. */
  readonly marked: boolean
}

export interface VerdictFacts {
  readonly bar: { readonly grade: string; readonly profile: string | null }
  /** null while nobody has read it. */
  readonly heatRead: ReadHeat | null
  readonly certificate: JudgedCertificate | null
  readonly sameHeat: SameHeat
  readonly acceptedCuts: readonly JudgedCut[]
  /** The orders of the Accepted cuts, with the lines that have one. */
  readonly orders: readonly JudgedOrder[]
  readonly policy: ReleasePolicy
  readonly overrides: readonly Override[]
  /** The rules of the company's own packs that look at a certificate and a line together. */
  readonly pairRules: readonly PairRule[]
}

/** Facts as the read models have them: without a policy if the company has set none. */
export type FoundVerdictFacts = Omit<VerdictFacts, 'bar' | 'policy'> &
  VerdictFacts['bar'] & { readonly policy: ReleasePolicy | null }

export function completeFacts(facts: FoundVerdictFacts): VerdictFacts {
  const { grade, profile, heatRead, certificate, sameHeat, acceptedCuts, orders, overrides, policy } = facts
  return {
    pairRules: facts.pairRules,
    bar: { grade, profile },
    heatRead,
    certificate,
    sameHeat,
    acceptedCuts,
    orders,
    overrides,
    policy: policy ?? defaultReleasePolicy,
  }
}
