import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import {
  answerInTime,
  fetchDocument,
  findKeysAddress,
  type ProviderAddress,
  ProviderUnavailable,
} from './provider.ts'

/**
 * The identity provider's public keys, as it last published them: fetched when a token first needs them, then again
 * and again in the background, and at once for a key that is not among them.
 */

export interface ProviderKeys {
  /** @throws ProviderUnavailable; jose's JWKSNoMatchingKey when the provider has no such key */
  readonly find: JWTVerifyGetKey
  /** Whether the provider still publishes the key of this thumbprint (RFC 7638), as far as this node knows. */
  holds(thumbprint: string): boolean
  /** Asks for what new tokens would need, to tell whether they can be verified. @throws ProviderUnavailable */
  ask(): Promise<void>
  /** Ends the background requests. */
  close(): void
}

export interface ProviderKeysOptions extends ProviderAddress {
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
}

/**
 * A timer and not a token asks again: the first token after a quiet night could be signed with a key that was
 * withdrawn meanwhile.
 */
export const refreshEveryMs = 300_000
/** While the provider cannot be asked its last answer counts for this long. */
const lastKeysForMs = 86_400_000
/** An answer younger than this says enough of whether the provider can be asked. */
const askEveryMs = 1_000
/** A key that nobody knows is looked for so many times in a row, then once in so long: anyone can invent one. */
const searches = { inARow: 5, everyMs: 10_000 }
/** A provider that fails is spared in the same way. */
const failures = { inARow: 5, everyMs: 1_000 }

export function createProviderKeys({ clock, ...address }: ProviderKeysOptions): ProviderKeys {
  let latest: KeySet | undefined
  let failure: ProviderUnavailable | undefined
  let fetching: Promise<KeySet> | undefined
  const maySearch = createBudget(searches, clock)
  const mayTryAgain = createBudget(failures, clock)

  const current = (): KeySet | undefined =>
    latest && clock() - latest.fetchedAt < lastKeysForMs ? latest : undefined

  const fetchOnce = async (): Promise<KeySet> => {
    try {
      latest = { ...(await fetchKeySet(address)), fetchedAt: clock() }
      failure = undefined
      return latest
    } catch (error) {
      failure = error as ProviderUnavailable
      throw error
    }
  }

  /** One request at a time, for all who wait. */
  const refresh = (): Promise<KeySet> => {
    if (fetching) return fetching
    if (failure && !mayTryAgain()) return Promise.reject(failure)
    fetching = fetchOnce().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  // A failure shows in `ask`, and in `find` once the last keys have ended.
  const timer = setInterval(() => void refresh().catch(() => {}), refreshEveryMs).unref()

  return {
    async find(header, token) {
      const { keys } = current() ?? (await refresh())
      try {
        return await keys(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // While the provider fails, a key that we do not know may be one of its new ones.
        if (!maySearch()) throw failure ?? error
      }
      return (await refresh()).keys(header, token)
    },
    holds: (thumbprint) => current()?.thumbprints.has(thumbprint) ?? false,
    async ask() {
      if (!failure && latest && clock() - latest.fetchedAt < askEveryMs) return
      await refresh()
    },
    close: () => clearInterval(timer),
  }
}

interface KeySet {
  readonly keys: JWTVerifyGetKey
  readonly thumbprints: ReadonlySet<string>
  readonly fetchedAt: number
}

async function fetchKeySet(address: ProviderAddress): Promise<Omit<KeySet, 'fetchedAt'>> {
  const inTime = answerInTime()
  const where = await findKeysAddress(address, inTime)
  const { content } = await fetchDocument(where, address.allowHttp, inTime)
  try {
    const keys = withProviderFaults(createLocalJWKSet(content as JSONWebKeySet), where)
    return { keys, thumbprints: await thumbprintsOf((content as JSONWebKeySet).keys) }
  } catch (error) {
    throw unusable(where, error)
  }
}

/** A key that the provider publishes and jose cannot use says nothing about the token that names it. */
function withProviderFaults(keys: JWTVerifyGetKey, where: string): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      const isAnswer =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
      throw isAnswer ? error : unusable(where, error)
    }
  }
}

async function thumbprintsOf(keys: readonly JWK[]): Promise<ReadonlySet<string>> {
  // Keys of a type that jose does not know sign nothing that it verifies.
  const thumbprints = await Promise.all(keys.map((key) => calculateJwkThumbprint(key).catch(() => '')))
  return new Set(thumbprints)
}

function unusable(where: string, cause: unknown): ProviderUnavailable {
  return new ProviderUnavailable(`identity provider at ${where}: ${(cause as Error).message}`, { cause })
}

/** True so many times in a row, and then once every so often. */
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
