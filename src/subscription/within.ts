import { StoreUnavailable } from '../eventStore.ts'

/** A healthy store answers a question about one event in less time than this. */
const answerMs = 5_000

/** The store's answer, unless it takes too long or the caller closes. @throws StoreUnavailable */
export function within<Answer>(
  answer: Promise<Answer>,
  question: string,
  closed?: AbortSignal,
): Promise<Answer> {
  const tooLate = AbortSignal.timeout(answerMs)
  const given = closed ? AbortSignal.any([closed, tooLate]) : tooLate
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      const giveUp = () =>
        reject(new StoreUnavailable(`no answer to ${question} within ${answerMs / 1000} s`))
      if (given.aborted) giveUp()
      else given.addEventListener('abort', giveUp, { once: true })
    }),
  ])
}
