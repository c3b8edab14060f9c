import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Caller } from '../caller.ts'
import { ProviderUnavailable } from '../provider.ts'
import { TokenRefused, type Tokens } from '../tokens.ts'
import { type IdleLimits, usualIdleMinutes } from './idleLimit.ts'
import {
  expiryOf,
  GrantEnded,
  type LoggedIn,
  type LoginProvider,
  LoginRefused,
  type ProviderTokens,
} from './loginProvider.ts'
import type { Sealing } from './sealing.ts'
import type { SealedTokens, SessionRow, SessionRows } from './sessionRows.ts'

/**
 * Sessions of people at the portal. The browser has a random cookie; the tokens stay here, and each request by cookie
 * is checked by the access token, as if the person had sent it.
 */

/** The session was there, but is no longer. The message may be shown to the person. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded'
}

/** There is no such session. */
export class SessionUnknown extends Error {
  override readonly name = 'SessionUnknown'
}

export interface Sessions {
  /**
   * Return the cookie of a new session. A login begins one session at most.
   * @throws LoginRefused, TokenRefused, ProviderUnavailable
   */
  begin(given: LoggedIn, login: Login): Promise<{ readonly cookie: string; readonly caller: Caller }>
  /**
   * @param isUse false for a request that no person made, which does not keep the session alive
   * @throws SessionEnded, SessionUnknown, ProviderUnavailable
   */
  verify(cookie: string, isUse: boolean): Promise<Verified>
  /** End a session on all nodes, and return its ID token if it had one. @throws SessionUnknown */
  end(cookie: string): Promise<string | undefined>
  /** End what the provider has ended. */
  endOfProvider(of: { readonly sid?: string; readonly subject?: string }): Promise<void>
}

export interface Login {
  /** The secret that the provider has repeated. No other login has the same. */
  readonly state: string
  /** The id of a session that ends. */
  readonly replaces?: string | undefined
}

export interface Verified {
  readonly caller: Caller
  readonly ends: SessionEnds
  /**
   * Return when the session ends for this company. Without a company, return when it ends for requests that concern all
   * companies of the person. @throws SessionEnded when it was once without use for longer than is allowed there
   */
  endsFor(companyId?: string): Promise<SessionEnds>
}

export interface SessionEnds {
  /** When the session ends unless somebody uses it before. */
  readonly idleAt: Date
  /** When it ends however much it is used. */
  readonly latestAt: Date
}

export interface SessionsOptions {
  readonly issuer: string
  readonly rows: SessionRows
  readonly provider: Pick<LoginProvider, 'refresh'>
  readonly tokens: Tokens
  readonly sealing: Sealing<ProviderTokens>
  readonly idleLimits: IdleLimits
  readonly now: () => Date
}

export const providerTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  idToken: z.string().optional(),
})

const minuteMs = 60_000
const longestMs = 12 * 3_600_000
const keptMs = 24 * 3_600_000
const maxRemembered = 10_000

export function createSessions(options: SessionsOptions): Sessions {
  const { issuer, rows, tokens, sealing, idleLimits, now } = options
  const refreshed = createRefresh(options)
  // Each request opens the tokens of its session, and they change once an hour.
  const remembered = new LRUCache<string, ProviderTokens>({ max: maxRemembered })

  const endedBecause = async (id: string, why: string): Promise<SessionEnded> => {
    await rows.end(id, now())
    return new SessionEnded(why)
  }

  const live = async (id: string): Promise<SessionRow> => {
    const row = await rows.find(id)
    if (!row) throw new SessionUnknown('The session is unknown.')
    const why = endOf(row, now(), await idleLimits.longest(row.userId))
    if (why && row.endedAt === null) await rows.end(id, now())
    if (why) throw new SessionEnded(why)
    return row
  }

  const open = async (tokens: string): Promise<ProviderTokens | undefined> => {
    const opened = remembered.get(tokens) ?? (await sealing.open(tokens))
    if (opened) remembered.set(tokens, opened)
    return opened
  }

  const callerOf = async (row: SessionRow): Promise<Caller> => {
    const opened = await open(row.tokens)
    // Another node ended it in between, or the client has another secret now.
    if (!opened) throw await endedBecause(row.id, ended)
    try {
      const caller = await tokens.verify(opened.accessToken)
      if (caller.id === row.userId) return caller
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
    }
    throw await endedBecause(row.id, 'The identity provider no longer confirms the session. Log in again.')
  }

  return {
    async begin({ tokens: given, subject, sid }, { state, replaces }) {
      const caller = await tokens.verify(given.accessToken)
      const cookie = randomBytes(32).toString('base64url')
      const beganAt = now()
      await rows.forget(new Date(beganAt.getTime() - keptMs))
      const isFirst = await rows.add({
        ...{ id: idOf(cookie), login: hashOf(state), userId: caller.id, issuer, subject, sid, beganAt },
        ...(await sealed(sealing, given)),
        endsAt: new Date(beganAt.getTime() + longestMs),
      })
      if (!isFirst) throw new LoginRefused('This login has been finished already.')
      if (replaces) await rows.end(replaces, beganAt)
      return { cookie, caller }
    },
    async verify(cookie, isUse) {
      const row = await refreshed(await live(idOf(cookie)), live)
      const caller = await callerOf(row)
      // The token says which platform roles the person has, and nobody with such a role is a Cutter alone.
      const hasPlatformRole = caller.platformRoles.length > 0
      const idleMinutes = hasPlatformRole ? usualIdleMinutes : await idleLimits.longest(caller.id)
      const why = endOf(row, now(), idleMinutes)
      if (why) throw await endedBecause(row.id, why)
      const idleMs = Math.max(row.longestIdle * 1_000, now().getTime() - Date.parse(row.usedAt))
      const usedAt = isUse ? await rows.noteUse(row, now()) : row.usedAt
      const endsAfter = (minutes: number): SessionEnds => ({
        idleAt: new Date(Date.parse(usedAt) + minutes * minuteMs),
        latestAt: new Date(row.endsAt),
      })
      return {
        caller,
        ends: endsAfter(idleMinutes),
        async endsFor(companyId) {
          if (hasPlatformRole) return endsAfter(usualIdleMinutes)
          const minutes = await (companyId === undefined
            ? idleLimits.shortest(caller.id)
            : idleLimits.inCompany(caller.id, companyId))
          // The session goes on elsewhere, and a later use does not make up for this one.
          if (idleMs >= minutes * minuteMs) throw new SessionEnded(unusedFor(minutes))
          return endsAfter(minutes)
        },
      }
    },
    async end(cookie) {
      const id = idOf(cookie)
      const row = await rows.find(id)
      if (!row) throw new SessionUnknown('The session is unknown.')
      await rows.end(id, now())
      return (await sealing.open(row.tokens))?.idToken
    },
    endOfProvider: (of) => rows.endOfProvider({ issuer, ...of }, now()),
  }
}

/** Return the id of a session from its cookie. The id alone, which the database has, cannot be used as a cookie. */
export function idOf(cookie: string): string {
  return hashOf(cookie)
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

const ended = 'The session has ended. Log in again.'
const unusedFor = (minutes: number) => `The session was not used for ${minutes} minutes. Log in again.`

function endOf({ endedAt, endsAt, usedAt }: SessionRow, now: Date, idleMinutes: number): string | undefined {
  if (endedAt !== null) return ended
  if (now.getTime() >= Date.parse(endsAt)) return 'The session is older than 12 hours. Log in again.'
  if (now.getTime() >= Date.parse(usedAt) + idleMinutes * minuteMs) return unusedFor(idleMinutes)
  return undefined
}

async function sealed(sealing: Sealing<ProviderTokens>, tokens: ProviderTokens): Promise<SealedTokens> {
  return { tokens: await sealing.seal(tokens), tokenExpiresAt: expiryOf(tokens) }
}

/** Tokens are refreshed when they have less than this left. */
const refreshBeforeMs = 60_000
/** A request waits for another node's refresh for so long, if its token has expired. */
const waitMs = 5_000
const lookEveryMs = 100
/** After a failure, this node asks the provider for new tokens of the same session no sooner. */
const retryAfterMs = 5_000
const maxFailures = 10_000

type Refreshed = (row: SessionRow, live: (id: string) => Promise<SessionRow>) => Promise<SessionRow>

/**
 * Return a function that refreshes a session's tokens when they are about to expire. One node asks the provider at a
 * time, because a refresh token that is used twice ends the session at most providers. While the provider is away, a
 * session lives on until its access token expires.
 */
function createRefresh({ rows, provider, sealing, now }: SessionsOptions): Refreshed {
  const underWay = new Map<string, Promise<SessionRow>>()
  const failures = new LRUCache<string, ProviderUnavailable>({ max: maxFailures, ttl: retryAfterMs })
  const leftMs = ({ tokenExpiresAt }: SessionRow) => Date.parse(tokenExpiresAt) - now().getTime()

  const ask = async (row: SessionRow, opened: ProviderTokens): Promise<void> => {
    try {
      const fresh = await provider.refresh(opened.refreshToken!)
      await rows.saveTokens(row, await sealed(sealing, { ...opened, ...fresh }))
    } catch (error) {
      if (error instanceof GrantEnded) await rows.end(row.id, now())
      else await rows.releaseRefresh(row)
      if (error instanceof ProviderUnavailable) failures.set(row.id, error)
      throw error instanceof GrantEnded ? new SessionEnded(`${error.message} Log in again.`) : error
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
    throw new ProviderUnavailable('another node has not finished refreshing the session')
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
      if (error instanceof ProviderUnavailable && leftMs(row) > 0) return row
      throw error
    }
  }
}
