import type { InspectionDocument } from './certificateContent.ts'
import type { ExecutionClass } from './orderContent.ts'

/** A company's own severities for the findings of a verdict. */

export const severities = ['Block', 'Flag', 'Audit'] as const
export type Severity = (typeof severities)[number]
export type PolicySeverity = Severity | 'Off'

/** The findings whose severity a company may set, with their severity unless it does. */
export const defaultSeverities = {
  'no-certificate': 'Flag',
  'certificate-not-released': 'Off',
  'grade-mismatch': 'Block',
  'grade-substitute': 'Block',
  'delivery-condition-unstated': 'Flag',
  'bar-grade-differs': 'Flag',
  'grade-unreadable': 'Block',
  'profile-mismatch': 'Block',
  'document-insufficient': 'Block',
  'demand-unstated': 'Flag',
  'line-cancelled': 'Block',
  'same-heat-blocked': 'Flag',
  'not-judged': 'Flag',
} as const satisfies Readonly<Record<string, PolicySeverity>>

export type SettableCode = keyof typeof defaultSeverities

/** EN 1090-2 asks for traceability of each piece in these classes. */
const defaultsByExecutionClass: ReleasePolicy['byExecutionClass'] = {
  EXC3: { 'no-certificate': 'Block' },
  EXC4: { 'no-certificate': 'Block' },
}

export interface ReleasePolicy {
  /** A code that is left out has its default. */
  readonly severities: Readonly<Partial<Record<SettableCode, PolicySeverity>>>
  /** An entry for a class beats `severities`. */
  readonly byExecutionClass: Readonly<
    Partial<Record<ExecutionClass, Readonly<Partial<Record<SettableCode, PolicySeverity>>>>>
  >
  /** The document that an order requires when it names none. */
  readonly defaultInspectionDocument: InspectionDocument | null
  /** Nobody releases a certificate of his own, or overrides on a bar that he planned. */
  readonly fourEyes: boolean
  /** Taking off a Block, and correcting a judged value, need the role Quality or Admin. */
  readonly qualityOnly: boolean
}

/** The policy of a company that has set none. */
export const defaultReleasePolicy: ReleasePolicy = {
  severities: {},
  byExecutionClass: defaultsByExecutionClass,
  defaultInspectionDocument: null,
  fourEyes: false,
  qualityOnly: false,
}

/** Return the severity of a code for a bar whose orders have at most this execution class. */
export function severityOf(
  { severities, byExecutionClass }: ReleasePolicy,
  code: SettableCode,
  executionClass: ExecutionClass | null,
): PolicySeverity {
  const ofClass = executionClass === null ? undefined : byExecutionClass[executionClass]?.[code]
  return ofClass ?? severities[code] ?? defaultSeverities[code]
}
