import { sayWords, setFrom } from '../audit/words.ts'
import type { Change } from '../kernel/changes.ts'
import { severities } from '../tags/tag.ts'
import { type JudgedBy, judgedBy } from '../verdict/judgedBy.ts'
import { knownOr, type Sentence, sentence, type Value } from '../verdict/sentence.ts'
import type { Finding } from '../verdict/verdict.ts'
import type { Override } from '../verdict/verdictFacts.ts'

/** Judgements and overrides as events keep them, and as the history tells of them. */

/** A decision to go on in spite of Block findings, which it names by their keys. */
export type OverrideRequest = Pick<Override, 'findings' | 'reason' | 'reference'>
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
    findings: findings.map(({ severity, code, message, sentence }) => ({
      severity,
      code,
      message,
      sentence,
    })),
  })
}

/** " (1 Block, 2 Flags; verdict 1, steel grades 1)"; nothing when the bar was not judged. */
export function judgementPart({ findings, judgedBy }: Partial<KeptJudgement>): Value {
  if (!findings || !judgedBy) return ''
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [sentence(`count-of-${severity}`, { count })]
  })
  const parts = counts.length === 0 ? [sentence('no-findings')] : counts
  return sentence('judged', { counts: { parts, between: ', ' }, ...judgedBy })
}

/** @param findings those of that moment */
export function overridesOf(
  { findings: keys, reason, reference }: OverrideRequest,
  findings: readonly KeptFinding[],
): Sentence {
  return sentence('overrides', {
    count: keys.length,
    findings: inSequence(findings.filter(({ key }) => keys.includes(key))),
    reason: sayWords('reason', reason),
    reference: sayWords('reference', reference),
  })
}

export function inSequence(findings: readonly KeptFinding[]): Value {
  return { parts: findings.map(knownOr), between: ' ' }
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
