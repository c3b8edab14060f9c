import type { VerdictWord } from '../../../domain/verdict/verdictWord.ts'
import { type WordedBar, wordOfBar } from '../../kit/barWord.ts'

/** Verdicts that ask for a person. Such bars are approved with the others only on request. */
export const onRequest = ['toBeLookedAt', 'notKnown'] as const satisfies readonly VerdictWord[]

const always: readonly VerdictWord[] = ['mayBeCut', 'mayBeCutOverridden']

/** The most bars of one request. */
const most = 500

/** Return the drafts that are approved together with those of the chosen verdicts, and the others. */
export function barsToApprove<Bar extends WordedBar>(drafts: readonly Bar[], chosen: readonly VerdictWord[]) {
  const mayBe = drafts.filter(({ verdict }) => verdict?.mayBeApproved)
  const isOf = (words: readonly VerdictWord[]) => (bar: Bar) => words.includes(wordOfBar(bar))
  const approved = mayBe.filter(isOf([...always, ...chosen])).slice(0, most)
  return {
    approved,
    rest: drafts.filter((bar) => !approved.includes(bar)),
    onRequest: Object.fromEntries(
      onRequest.map((word) => [word, mayBe.filter(isOf([word])).length]),
    ) as Record<(typeof onRequest)[number], number>,
  }
}
