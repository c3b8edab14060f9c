import type { VerdictWord } from '../../domain/verdict/verdictWord.ts'
import type { Finding } from '../api/generated.ts'
import { type TextName, useTexts } from '../texts/texts.ts'
import { type WordedBar, wordOfBar } from './barWord.ts'
import { Mark, type Tone } from './Chip.tsx'

/** Whether steel may be cut, in words and colour: the first thing that is seen of a bar, a certificate or an order. */

export const verdictTones: Readonly<Record<VerdictWord, Tone>> = {
  stop: 'stop',
  mayNotBeCut: 'bad',
  notKnown: 'warn',
  toBeLookedAt: 'warn',
  mayBeCutOverridden: 'info',
  mayBeCut: 'good',
}

/** The verdict on a bar that is not cut yet. */
export function BarVerdict(bar: WordedBar) {
  const { t } = useTexts()
  if (bar.verdict === undefined || bar.status === 'Completed' || bar.status === 'Cancelled') return null
  const word = wordOfBar(bar)
  return <Mark tone={verdictTones[word]}>{t(word)}</Mark>
}

interface BlockMarkProps {
  /** Null while an event that may be a Block is missing. */
  readonly findings: readonly Finding[] | null
  /** The words for a record without a Block. */
  readonly noBlock?: TextName
}

/**
 * Say whether a certificate or an order has a Block. A mark without a Block does not say that the steel may be cut:
 * each bar has a verdict of its own.
 */
export function BlockMark({ findings, noBlock = 'noBlock' }: BlockMarkProps) {
  const { t } = useTexts()
  if (findings === null) return <Mark tone="warn">{t('notKnown')}</Mark>
  const isBlocked = findBlocking(findings).length > 0
  return (
    <span className="chips">
      <Mark tone={isBlocked ? 'bad' : 'calm'}>{t(isBlocked ? 'blocks' : noBlock)}</Mark>
      {!isBlocked && !areJudged(findings) && <Mark tone="warn">{t('notKnown')}</Mark>}
    </span>
  )
}

/** Whether every rule could judge. */
export function areJudged(findings: readonly Finding[]): boolean {
  return !findings.some(({ code }) => code === 'not-judged')
}

/** Return the findings that keep steel from being cut. */
export function findBlocking(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity, override }) => severity === 'Block' && !override)
}
