import { inTime } from '../../lib/inTime.ts'
import { StoreUnavailable } from '../eventStore.ts'

/** A healthy store answers a question about one event in less time than this. */
const withinMs = 5_000

/** Return the store's answer, unless it takes too long or the caller closes. @throws StoreUnavailable */
export function storeAnswer<Answer>(
  answer: Promise<Answer>,
  question: string,
  closed?: AbortSignal,
): Promise<Answer> {
  const lateError = () => new StoreUnavailable(`no answer to ${question} within ${withinMs / 1_000} s`)
  return inTime(answer, withinMs, lateError, closed)
}
