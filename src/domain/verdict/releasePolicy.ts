import type { InspectionDocument } from '../certificates/certificateContent.ts'
import { type Change, changesOf } from '../kernel/changes.ts'
import { type ExecutionClass, executionClasses } from '../orders/orderContent.ts'
import { severities } from '../tags/tag.ts'

/** A company's own severities for the findings of a verdict. */

export const policySeverities = [...severities, 'Off'] as const
export type PolicySeverity = (typeof policySeverities)[number]

/** The findings whose severity a company may set, with their severity unless it does. */
const defaultSeverities = {
  'no-certificate': 'Flag',
  'heat-unread': 'Off',
  'certificate-not-released': 'Off',
  'grade-mismatch': 'Block',
  'grade-substitute': 'Block',
  'delivery-condition-unstated': 'Flag',
  'bar-grade-differs': 'Flag',
  'grade-unreadable': 'Block',
  'grade-withdrawn': 'Flag',
  'option-unmet': 'Block',
  'option-unstated': 'Flag',
  'profile-mismatch': 'Block',
  'profile-unreadable': 'Flag',
  'size-mismatch': 'Block',
  'profiles-differ-on-bar': 'Block',
  'certificate-contradicts-itself': 'Flag',
  'document-insufficient': 'Block',
  'demand-unstated': 'Flag',
  'cut-too-short': 'Block',
  'line-overplanned': 'Flag',
  'line-cancelled': 'Block',
  'piece-mark-repeated': 'Flag',
  'same-heat-blocked': 'Flag',
  'heat-analyses-differ': 'Flag',
  'not-judged': 'Flag',
  'original-missing': 'Audit',
  'stock-exceeded': 'Flag',
} as const satisfies Readonly<Record<string, PolicySeverity>>

export type SettableCode = keyof typeof defaultSeverities
export const settableCodes = Object.keys(defaultSeverities) as readonly SettableCode[]

type Severities = Readonly<Partial<Record<SettableCode, PolicySeverity>>>

/** EN 1090-2 asks for traceability of each piece in the classes 3 and 4. */
const defaultsByExecutionClass: Readonly<Record<ExecutionClass, Severities>> = {
  EXC1: {},
  EXC2: {},
  EXC3: { 'no-certificate': 'Block', 'heat-unread': 'Block' },
  EXC4: { 'no-certificate': 'Block', 'heat-unread': 'Block' },
}

export interface ReleasePolicy {
  /** A code that is left out has its default. */
  readonly severities: Severities
  /** An entry for a class beats `severities`. A code that is left out has its default for the class, if there is one. */
  readonly byExecutionClass: Readonly<Partial<Record<ExecutionClass, Severities>>>
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
  byExecutionClass: {},
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
  if (executionClass === null) return severities[code] ?? defaultSeverities[code]
  const ofClass = byExecutionClass[executionClass]?.[code] ?? defaultsByExecutionClass[executionClass][code]
  return ofClass ?? severities[code] ?? defaultSeverities[code]
}

/** Return the policy with every default that it leaves out. */
export function completePolicy(policy: ReleasePolicy): ReleasePolicy {
  return {
    ...policy,
    severities: { ...defaultSeverities, ...policy.severities },
    byExecutionClass: Object.fromEntries(
      executionClasses.map((one) => [
        one,
        { ...defaultsByExecutionClass[one], ...policy.byExecutionClass[one] },
      ]),
    ),
  }
}

/** List the differences between two policies, severity by severity. An entry of a removed class changes to null. */
export function changesOfPolicy(before: ReleasePolicy, after: ReleasePolicy): Change[] {
  const from = flatten(completePolicy(before))
  const gone = Object.fromEntries(Object.keys(from).map((field) => [field, null]))
  return changesOf(from, { ...gone, ...flatten(completePolicy(after)) })
}

/** Name each severity by its place in the policy, such as `byExecutionClass/EXC3/no-certificate`. */
function flatten({ severities: said, byExecutionClass, ...others }: ReleasePolicy): Record<string, unknown> {
  const withPlace = (place: string, of: Severities) =>
    Object.entries(of).map(([code, severity]) => [`${place}/${code}`, severity])
  const ofClasses = Object.entries(byExecutionClass).flatMap(([one, of]) =>
    withPlace(`byExecutionClass/${one}`, of),
  )
  return { ...others, ...Object.fromEntries([...withPlace('severities', said), ...ofClasses]) }
}
