import type { ReleasePolicy } from '../../api/generated.ts'
import { severityTexts } from '../../kit/Chip.tsx'
import { findingTexts } from '../../texts/en.ts'
import type { TextName } from '../../texts/texts.ts'

/** The findings, severities and execution classes of a release policy in words. */

export type Code = keyof ReleasePolicy['severities']
export type Severity = NonNullable<ReleasePolicy['severities'][Code]>
export type ExecutionClass = keyof ReleasePolicy['byExecutionClass']

export const codes = Object.keys(findingTexts) as Code[]

export const policySeverityTexts = {
  ...severityTexts,
  Off: 'severityOff',
} as const satisfies Record<Severity, TextName>

export const executionClasses: readonly ExecutionClass[] = ['EXC1', 'EXC2', 'EXC3', 'EXC4']
