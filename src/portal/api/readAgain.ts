import type { QueryClient } from '@tanstack/react-query'
import { NoConnection } from './problem.ts'

/**
 * Read everything on the page again, and forget what other pages have read: a list that a person goes back to would
 * show its old rows while it is read again, and a command on such a row would be refused for this person's own change.
 * What is kept for a page without a network stays, and so does everything when the service could not be reached.
 */
export async function readAgain(queries: QueryClient, error: Error | null) {
  if (!(error instanceof NoConnection))
    queries.removeQueries({ type: 'inactive', predicate: ({ meta }) => meta?.isKept !== true })
  // A refusal often means that the page shows an old state, so the condition of the next attempt is read again as well.
  await queries.invalidateQueries({ predicate: ({ meta }) => error !== null || !meta?.isCondition })
}
