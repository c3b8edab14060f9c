import type { Severity } from '../tags/tag.ts'
import type { SettableCode } from './releasePolicy.ts'
import type { Sentence } from './sentence.ts'

/** Findings whose severity no company sets. */
export const fixedCodes = [
  'certificate-voided',
  'certificate-rejected',
  'certificate-tag',
  'order-tag',
  'pack-rule',
] as const
export type FindingCode = SettableCode | (typeof fixedCodes)[number]

/** The records that a finding is about. */
export interface FindingSubject {
  readonly millCertificationId?: string
  readonly orderId?: string
  readonly lineItemId?: string
  readonly cutId?: string
  readonly tagId?: string
}

/** A finding before its severity and key are known. A severity of its own beats the policy's. */
export interface Observation extends FindingSubject {
  readonly code: FindingCode
  readonly severity?: Severity
  readonly sentence: Sentence
  readonly expected?: string
  readonly actual?: string
}
