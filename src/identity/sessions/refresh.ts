import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { atMost } from '../../lib/atMost.ts'
import { Failure, isFailure } from '../../lib/failure.ts'
import { expiryOf, type LoginProvider, type ProviderTokens } from './loginProvider.ts'
import type { Sealing } from './sealing.ts'
import type { SealedTokens, SessionRow, SessionRows } from './sessionRows.ts'

/** Gets new tokens for a session before its access token expires. */

export interface RefreshOptions {
  readonly rows: SessionRows
  readonly provider: Pick<LoginProvider, 'refresh'>
  readonly sealing: Sealing<ProviderTokens>
  readonly now: () => Date
}

/** Tokens are refreshed when they have less than this left. */
const refreshBeforeMs = 60_000
/** The longest time that a request with an expired token waits while another node refreshes the session. */
const waitMs = 5_000
const lookEveryMs = 100
/** The time after a failure in which this node does not ask the provider again for the same session. */
const retryAfterMs = 5_000
const maxFailures = 10_000

type Refreshed = (row: SessionRow, live: (id: string) => Promise<SessionRow>) => Promise<SessionRow>

/**
 * Return a function that refreshes a session's tokens when they are about to expire. One node asks the provider at a
 * time, because most providers end the session when a refresh token is used twice. While the provider cannot be reached, a
 * session continues until its access token expires.
 */
export function createRefresh({ rows, provider, sealing, now }: RefreshOptions): Refreshed {
  const underWay = new Map<string, Promise<SessionRow>>()
  const failures = new LRUCache<string, Failure>({
    ...atMost(maxFailures),
    ttl: retryAfterMs,
  })
  const leftMs = ({ tokenExpiresAt }: SessionRow) => Date.parse(tokenExpiresAt) - now().getTime()

  const ask = async (row: SessionRow, opened: ProviderTokens): Promise<void> => {
    try {
      const fresh = await provider.refresh(opened.refreshToken!)
      await rows.saveTokens(row, await seal(sealing, { ...opened, ...fresh }))
    } catch (error) {
      if (isFailure(error, 'grant-ended')) await rows.end(row.id, now())
      else await rows.releaseRefresh(row)
      if (isFailure(error, 'provider-unavailable')) failures.set(row.id, error)
      throw isFailure(error, 'grant-ended')
        ? new Refusal('session-ended', `${error.message} Log in again.`)
        : error
    }
  }

  const refresh: Refreshed = async (row, live) => {
    const failure = failures.get(row.id)
    if (failure) throw failure
    const opened = await sealing.open(row.tokens)
    if (!opened?.refreshToken) return row
    for (let waited = 0; waited <= waitMs; waited += lookEveryMs) {
      if (await rows.claimRefresh(row)) {
        await ask(row, opened)
        return live(row.id)
      }
      const present = await live(row.id)
      if (present.tokens !== row.tokens || leftMs(present) > 0) return present
      await pause(lookEveryMs)
    }
    throw new Failure('provider-unavailable', 'another node has not finished refreshing the session')
  }

  return async (row, live) => {
    if (leftMs(row) >= refreshBeforeMs) return row
    const shared =
      underWay.get(row.id) ??
      refresh(row, live).finally(() => {
        underWay.delete(row.id)
      })
    underWay.set(row.id, shared)
    try {
      return await shared
    } catch (error) {
      if (isFailure(error, 'provider-unavailable') && leftMs(row) > 0) return row
      throw error
    }
  }
}

/** Encrypt tokens for the database. */
export async function seal(sealing: Sealing<ProviderTokens>, tokens: ProviderTokens): Promise<SealedTokens> {
  return { tokens: await sealing.seal(tokens), tokenExpiresAt: expiryOf(tokens) }
}
