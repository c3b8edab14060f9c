import type { QueryClient } from '@tanstack/react-query'
import { NoConnection } from './problem.ts'

/**
 * Read everything on the page again, and forget what other pages have read. Otherwise a person who goes back to a list
 * would see its old rows, and a command on such a row would be refused because of this person's own change. If the
 * service could not be reached, forget nothing. Reads that a page without a network needs are never forgotten.
 */
export async function readAgain(queries: QueryClient, error: Error | null) {
  if (!(error instanceof NoConnection))
    queries.removeQueries({ type: 'inactive', predicate: ({ meta }) => meta?.isKept !== true })
  // A refusal often means that the page shows an old state, so the condition of the next attempt is read again as well.
  await queries.invalidateQueries({ predicate: ({ meta }) => error !== null || !meta?.isCondition })
}
