import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/** The identity provider's public keys, fetched when a token first needs them and again when keys change. */

/** The provider cannot be asked: whether a token is good is not known. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

export interface ProviderKeys {
  /** @throws ProviderUnavailable; jose's JWKSNoMatchingKey when the provider has no such key */
  readonly find: JWTVerifyGetKey
  /** Asks for what new tokens would need, to tell whether they can be verified. @throws ProviderUnavailable */
  ask(): Promise<void>
}

export interface ProviderKeysOptions {
  readonly issuer: string
  /** undefined: as the issuer's discovery document says. */
  readonly jwksUrl: string | undefined
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
}

/** How long the keys of one answer count: also those that a later answer does not have any more. */
const keysForMs = 600_000
/** While the provider cannot be asked its last answer counts for this long. */
const lastKeysForMs = 86_400_000
/** An answer younger than this says enough of whether the provider can be asked. */
const askEveryMs = 1_000
/** A key that nobody knows is looked for so many times in a row, then once in so long: anyone can invent one. */
const searches = { inARow: 5, everyMs: 10_000 }
/** So is a provider that fails. */
const failures = { inARow: 5, everyMs: 1_000 }
const answerWithinMs = 5_000

const unavailable = (where: string, cause: unknown): ProviderUnavailable =>
  new ProviderUnavailable(`identity provider at ${where}: ${(cause as Error).message}`, { cause })

const fetchJson = async (where: string): Promise<unknown> => {
  const response = await fetch(where, { signal: AbortSignal.timeout(answerWithinMs) })
  if (!response.ok) throw new Error(`it answered ${response.status}`)
  return response.json()
}

/**
 * Where its keys are, as its discovery document (OpenID Connect Discovery 1.0) says.
 * @throws ProviderUnavailable
 */
export const discover = async (issuer: string): Promise<string> => {
  const where = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const document = (await fetchJson(where)) as { issuer?: string; jwks_uri?: string }
    if (document.issuer !== issuer) throw new Error(`it calls itself ${document.issuer}`)
    return new URL(document.jwks_uri ?? '').href
  } catch (error) {
    throw unavailable(where, error)
  }
}

interface KeySet {
  readonly text: string
  readonly keys: JWTVerifyGetKey
  readonly fetchedAt: number
}

const fetchKeys = async (where: string): Promise<Omit<KeySet, 'fetchedAt'>> => {
  try {
    const document = (await fetchJson(where)) as JSONWebKeySet
    return { text: JSON.stringify(document), keys: createLocalJWKSet(document) }
  } catch (error) {
    throw unavailable(where, error)
  }
}

/** True so many times in a row, and then once every so often. */
const createBudget = ({ inARow, everyMs }: typeof searches, clock: () => number) => {
  let left = inARow
  let countedAt = clock()
  return (): boolean => {
    const earned = Math.floor((clock() - countedAt) / everyMs)
    left = Math.min(inARow, left + earned)
    countedAt += earned * everyMs
    if (left === 0) return false
    left -= 1
    return true
  }
}

export const createProviderKeys = ({ issuer, jwksUrl, clock }: ProviderKeysOptions): ProviderKeys => {
  /** Newest first. */
  let sets: readonly KeySet[] = []
  let failure: ProviderUnavailable | undefined
  let fetching: Promise<void> | undefined
  const maySearch = createBudget(searches, clock)
  const mayTryAgain = createBudget(failures, clock)
  const ageOf = ({ fetchedAt }: KeySet): number => clock() - fetchedAt

  const fetchOnce = async (): Promise<void> => {
    try {
      const fetched = await fetchKeys(jwksUrl ?? (await discover(issuer)))
      const others = sets.filter((set) => set.text !== fetched.text && ageOf(set) < keysForMs)
      sets = [{ ...fetched, fetchedAt: clock() }, ...others]
      failure = undefined
    } catch (error) {
      failure = error as ProviderUnavailable
      throw error
    }
  }

  /** One request at a time, for all who wait. */
  const refresh = (): Promise<void> => {
    if (fetching) return fetching
    if (failure && !mayTryAgain()) return Promise.reject(failure)
    fetching = fetchOnce().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  const keepFresh = async (): Promise<void> => {
    const newest = sets[0]
    if (newest && ageOf(newest) < keysForMs) return
    try {
      await refresh()
    } catch (error) {
      if (!newest || ageOf(newest) >= lastKeysForMs) throw error
    }
  }

  /** In the newest answer, else in one that was replaced a while ago: its tokens are good until they expire. */
  const among: JWTVerifyGetKey = async (header, token) => {
    let missing: unknown
    for (const set of sets) {
      if (set !== sets[0] && ageOf(set) >= keysForMs) continue
      try {
        return await set.keys(header, token)
      } catch (error) {
        if (error instanceof errors.JWKSMultipleMatchingKeys) throw error
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw unavailable(issuer, error)
        missing ??= error
      }
    }
    throw missing
  }

  return {
    async find(header, token) {
      await keepFresh()
      try {
        return await among(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // While the provider fails, a key that we do not know may be one of its new ones.
        if (!maySearch()) throw failure ?? error
      }
      await refresh()
      return among(header, token)
    },
    async ask() {
      const newest = sets[0]
      if (!failure && newest && ageOf(newest) < askEveryMs) return
      await refresh()
    },
  }
}
