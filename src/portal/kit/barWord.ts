import { type VerdictWord, wordOf } from '../../domain/verdict/verdictWord.ts'
import type { ListedProductionPlanBar } from '../api/generated.ts'

export interface WordedBar extends Pick<ListedProductionPlanBar, 'status'> {
  readonly certificate?: object | null
  readonly verdict?: ListedProductionPlanBar['verdict'] | undefined
}

/** Return the word for a bar with its verdict. */
export function wordOfBar({ status, certificate, verdict }: WordedBar): VerdictWord {
  const [findings, hasCertificate] = [verdict?.findings, Boolean(certificate)]
  return wordOf({ findings, hasCertificate, isStarted: status === 'Started' })
}
