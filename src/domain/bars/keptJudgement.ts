import { countText } from '../../lib/countText.ts'
import { saying, setFrom } from '../audit/words.ts'
import type { Change } from '../kernel/changes.ts'
import { severities } from '../tags/tag.ts'
import { type JudgedBy, judgedBy, judgedByText } from '../verdict/judgedBy.ts'
import type { Finding } from '../verdict/verdict.ts'
import type { Override } from '../verdict/verdictFacts.ts'

/** Judgements and overrides as events keep them, and as the history tells of them. */

/** A decision to go on in spite of Block findings, which it names by their keys. */
export type AskedOverride = Pick<Override, 'findings' | 'reason' | 'reference'>
/** A finding as it was when something was decided on it. */
export type KeptFinding = Omit<Finding, 'override'>

/** A judgement as an event keeps it. */
export interface KeptJudgement {
  readonly findings: readonly KeptFinding[]
  readonly judgedBy: JudgedBy
}

/** The findings of a judgement. Their ids are in the event. */
export function listFindings(findings: readonly KeptFinding[] = []): Change[] {
  if (findings.length === 0) return []
  return setFrom({
    findings: findings.map(({ severity, code, message }) => ({ severity, code, message })),
  })
}

/** " (1 Block, 2 Flag; verdict 1, steel grades 1)"; nothing when the bar was not judged. */
export function judgementText({ findings, judgedBy }: Partial<KeptJudgement>): string {
  if (!findings || !judgedBy) return ''
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}`]
  })
  return ` (${counts.join(', ') || 'no findings'}; ${judgedByText(judgedBy)})`
}

/** @param known the findings of that moment */
export function overridesOf(
  { findings: keys, reason, reference }: AskedOverride,
  known: readonly KeptFinding[],
): string {
  const messages = messagesOf(known.filter(({ key }) => keys.includes(key)))
  return `${countText(keys.length, 'finding')}: ${messages}${saying('Reason', reason)}${saying('Reference', reference)}`
}

export function messagesOf(findings: readonly KeptFinding[]): string {
  return findings.map(({ message }) => message).join(' ')
}

/** A refusal tells this many findings, and counts the others. */
const mostInWords = 3

export function inWords(findings: readonly Pick<Finding, 'message'>[]): string {
  const messages = findings.slice(0, mostInWords).map(({ message }) => message)
  const others = findings.length - messages.length
  if (others > 0) messages.push(`${others} more ${others === 1 ? 'finding blocks' : 'findings block'} it.`)
  return messages.join(' ')
}

export function withoutOverride({ override: _, ...finding }: Finding): KeptFinding {
  return finding
}

/** Return findings of this moment, as an event keeps them. */
export function judgementFields(findings: readonly Finding[]) {
  return { findings: findings.map(withoutOverride), judgedBy } satisfies KeptJudgement
}
