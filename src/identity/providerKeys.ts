import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import { Failure } from '../lib/failure.ts'
import { answerInTime, fetchDocument, findEndpoints, type ProviderAddress } from './provider.ts'

/**
 * The identity provider's public keys, as it last published them. They are fetched when a token first needs them, then
 * regularly in the background, and at once when a token names an unknown key.
 */

export interface ProviderKeys {
  /** @throws Failure `provider-unavailable`; jose's JWKSNoMatchingKey when the provider has no such key */
  readonly find: JWTVerifyGetKey
  /** Tell whether the last fetched keys include the one with this thumbprint (RFC 7638). */
  holds(thumbprint: string): boolean
  /** Tell whether tokens are verified by the last fetched keys, whether or not the provider answers. */
  serves(): boolean
  /** Check that the keys can be fetched, so that new tokens can be verified. @throws Failure `provider-unavailable` */
  ask(): Promise<void>
  /** The address where callers get tokens, as the provider last named it; undefined until it has. */
  tokenUrl(): string | undefined
  /** End the background requests. */
  close(): void
}

interface ProviderKeysOptions extends ProviderAddress {
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** How long to wait for discovery and keys together, by default 5 s. */
  readonly answerWithinMs?: number
}

/**
 * A timer fetches the keys again, not a request: otherwise the first token after a quiet night could be signed with a
 * key that was withdrawn meanwhile.
 */
export const refreshEveryMs = 300_000
/** While the provider is unavailable, the keys that it last published are used for this long. */
const lastKeysForMs = 86_400_000
/** `ask` makes no request when the keys were fetched less than this long ago. */
const askEveryMs = 1_000
/** Anyone can invent a key id, so the requests that unknown ids cause are limited. */
const searches = { inARow: 5, everyMs: 10_000 }
/** Requests to a provider that fails are limited in the same way. */
const failures = { inARow: 5, everyMs: 1_000 }

export function createProviderKeys({ clock, answerWithinMs, ...address }: ProviderKeysOptions): ProviderKeys {
  let latest: KeySet | undefined
  let failure: Failure | undefined
  let fetching: Promise<KeySet> | undefined
  const maySearch = createBudget(searches, clock)
  const mayRetry = createBudget(failures, clock)

  const currentKeys = (): KeySet | undefined =>
    latest && clock() - latest.fetchedAt < lastKeysForMs ? latest : undefined

  const fetchOnce = async (): Promise<KeySet> => {
    try {
      latest = { ...(await fetchKeySet(address, answerInTime(answerWithinMs))), fetchedAt: clock() }
      failure = undefined
      return latest
    } catch (error) {
      failure = error as Failure
      throw error
    }
  }

  /** All callers share one request at a time. */
  const refresh = (): Promise<KeySet> => {
    if (fetching) return fetching
    if (failure && !mayRetry()) return Promise.reject(failure)
    fetching = fetchOnce().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  // `ask` reports a failure, and so does `find` once the last keys may no longer be used.
  const timer = setInterval(() => void refresh().catch(() => {}), refreshEveryMs).unref()

  return {
    async find(header, token) {
      const { keys } = currentKeys() ?? (await refresh())
      try {
        return await keys(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // While the provider fails, an unknown key may be one of its new keys.
        if (!maySearch()) throw failure ?? error
      }
      return (await refresh()).keys(header, token)
    },
    holds: (thumbprint) => currentKeys()?.thumbprints.has(thumbprint) ?? false,
    serves: () => currentKeys() !== undefined,
    async ask() {
      if (!failure && latest && clock() - latest.fetchedAt < askEveryMs) return
      await refresh()
    },
    tokenUrl: () => latest?.tokenUrl,
    close: () => clearInterval(timer),
  }
}

interface KeySet {
  readonly keys: JWTVerifyGetKey
  readonly thumbprints: ReadonlySet<string>
  readonly tokenUrl: string | undefined
  readonly fetchedAt: number
}

async function fetchKeySet(
  address: ProviderAddress,
  timeout: AbortSignal,
): Promise<Omit<KeySet, 'fetchedAt'>> {
  const { keys: where, token } = await findEndpoints(address, timeout)
  const { content } = await fetchDocument(where, address.allowHttp, timeout)
  try {
    const keys = withProviderFaults(createLocalJWKSet(content as JSONWebKeySet), where)
    const thumbprints = await thumbprintsOf((content as JSONWebKeySet).keys)
    return { keys, thumbprints, tokenUrl: token }
  } catch (error) {
    throw unusable(where, error)
  }
}

/** Report a published key that jose cannot use as a fault of the provider, not of the token that names the key. */
function withProviderFaults(keys: JWTVerifyGetKey, where: string): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      const isAboutToken =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
      throw isAboutToken ? error : unusable(where, error)
    }
  }
}

async function thumbprintsOf(keys: readonly JWK[]): Promise<ReadonlySet<string>> {
  // jose verifies no token that is signed with a key of a type it does not know, so such a key needs no thumbprint.
  const thumbprints = await Promise.all(keys.map((key) => calculateJwkThumbprint(key).catch(() => '')))
  return new Set(thumbprints)
}

function unusable(where: string, cause: unknown): Failure {
  return new Failure('provider-unavailable', `${where}: ${(cause as Error).message}`, { cause })
}

/** Return a function that allows `inARow` attempts at once, and then one more every `everyMs`. */
function createBudget({ inARow, everyMs }: typeof searches, clock: () => number): () => boolean {
  let left = inARow
  let countedAt = clock()
  return () => {
    const earned = Math.floor((clock() - countedAt) / everyMs)
    left = Math.min(inARow, left + earned)
    countedAt += earned * everyMs
    if (left === 0) return false
    left -= 1
    return true
  }
}
