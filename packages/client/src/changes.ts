import { HeatmarkError } from './errors.ts'
import type { ChangeEvent } from './generated.ts'
import type { Sender } from './sending.ts'

/** Follows the change feed of a company by long polls. */

export interface ChangesOptions {
  /** The place to continue from; the beginning by default. */
  readonly after?: string
  /** Such as `heatmark.bar`; all by default. */
  readonly types?: readonly string[]
  /** The changes of one page; 100 by default. */
  readonly limit?: number
  /** The longest wait of one request for a change; 20 by default. */
  readonly waitSeconds?: number
  readonly signal?: AbortSignal
  /** Called before each further attempt, with the error and the number of failures in a row. */
  readonly onRetry?: (error: unknown, failures: number) => void
}

export interface ChangesPage {
  readonly changes: readonly ChangeEvent[]
  /** The place after these changes. Keep it together with what they have changed. */
  readonly after: string
}

/** Errors in a row that do not come from the service, such as those of the token function. */
const mostOtherFailures = 6

export async function* followChanges(
  sender: Sender,
  path: string,
  { after = '0', types, limit, waitSeconds = 20, signal, onRetry }: ChangesOptions = {},
): AsyncGenerator<ChangesPage> {
  const query = { types: types?.join(','), limit }
  for (let failures = 0, others = 0; !signal?.aborted; ) {
    try {
      const headers = { Prefer: `wait=${waitSeconds}` }
      const response = await sender.send('GET', path, { query: { ...query, after }, headers, signal })
      const next = /[?&]after=(\d+)/.exec(response.headers.get('Link') ?? '')?.[1] ?? after
      const changes = (await response.json()) as readonly ChangeEvent[]
      failures = others = 0
      if (next === after) continue
      after = next
      yield { changes, after }
    } catch (error) {
      if (signal?.aborted) return
      const isOfService = error instanceof HeatmarkError
      failures += 1
      others = isOfService ? 0 : others + 1
      const mayPass = isOfService ? error.isTemporary : others < mostOtherFailures
      if (!mayPass) throw error
      onRetry?.(error, failures)
      await sender.pause(failures, signal).catch(() => {})
    }
  }
}
