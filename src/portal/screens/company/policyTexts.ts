import type { ReleasePolicy } from '../../api/generated.ts'
import { severityTexts } from '../../kit/Chip.tsx'
import type { TextName } from '../../texts/texts.ts'

/** The findings, severities and execution classes of a release policy in words. */

export type Code = keyof ReleasePolicy['severities']
export type Severity = NonNullable<ReleasePolicy['severities'][Code]>
export type ExecutionClass = keyof ReleasePolicy['byExecutionClass']

export const codeTexts: Readonly<Record<Code, TextName>> = {
  'no-certificate': 'codeNoCertificate',
  'heat-unread': 'codeHeatUnread',
  'certificate-not-released': 'codeNotReleased',
  'grade-mismatch': 'codeGradeMismatch',
  'grade-substitute': 'codeGradeSubstitute',
  'delivery-condition-unstated': 'codeConditionUnstated',
  'bar-grade-differs': 'codeBarGradeDiffers',
  'grade-unreadable': 'codeGradeUnreadable',
  'profile-mismatch': 'codeProfileMismatch',
  'profile-unreadable': 'codeProfileUnreadable',
  'size-mismatch': 'codeSizeMismatch',
  'profiles-differ-on-bar': 'codeProfilesDiffer',
  'certificate-contradicts-itself': 'codeContradictsItself',
  'document-insufficient': 'codeDocumentInsufficient',
  'demand-unstated': 'codeDemandUnstated',
  'cut-too-short': 'codeCutTooShort',
  'line-overplanned': 'codeLineOverplanned',
  'line-cancelled': 'codeLineCancelled',
  'same-heat-blocked': 'codeSameHeatBlocked',
  'heat-analyses-differ': 'codeHeatAnalysesDiffer',
  'not-judged': 'codeNotJudged',
  'original-missing': 'codeOriginalMissing',
}

export const codes = Object.keys(codeTexts) as Code[]

export const policySeverityTexts = {
  ...severityTexts,
  Off: 'severityOff',
} as const satisfies Record<Severity, TextName>

export const executionClasses: readonly ExecutionClass[] = ['EXC1', 'EXC2', 'EXC3', 'EXC4']
