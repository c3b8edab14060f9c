import type { Request } from 'express'

/**
 * Say how long an answer that not everybody may read is kept. Programs keep it, and ask with its ETag whether it is
 * still good. A browser of a session keeps nothing: the next person at it must not find the data of this one.
 */
export function cachingOf({ headers }: Pick<Request, 'headers'>, program = 'private, no-cache'): string {
  const isSession = headers.authorization === undefined && headers['service-api-key'] === undefined
  return isSession ? 'no-store' : program
}
