import { useQueryClient } from '@tanstack/react-query'
import { call, type Input, type OperationId } from '../api/client.ts'
import { readAgain } from '../api/readAgain.ts'
import { useTexts } from '../texts/texts.ts'
import { failureIn } from './Notice.tsx'
import { tell } from './toast.tsx'

/** Requests that are sent at once. */
const lanes = 4

/**
 * Return a function that takes acts back by a command for each, and tells the outcome. It works after its screen has
 * gone. An act that is refused stays, for example because somebody else has gone on with the record.
 */
export function useUndo<Id extends OperationId>(
  id: Id,
): (inputs: readonly Input<Id>[], message: string) => Promise<void> {
  const texts = useTexts()
  const queries = useQueryClient()
  return async (inputs, message) => {
    const errors: Error[] = []
    const waiting = inputs.values()
    const send = async () => {
      for (const input of waiting) await call(id, input).catch((error: Error) => errors.push(error))
    }
    await Promise.all(Array.from({ length: lanes }, send))
    const [first = null] = errors
    await readAgain(queries, first)
    if (!first) return tell(message)
    const { t, number } = texts
    const count = t('notUndone', { n: number(errors.length), all: number(inputs.length) })
    tell([...(inputs.length > 1 ? [count] : []), failureIn(texts, first).text].join(' '))
  }
}
