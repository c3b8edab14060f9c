import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isRefusal, Refusal } from '../../domain/kernel/refusal.ts'
import { atMost } from '../../lib/atMost.ts'
import type { Caller } from '../caller.ts'
import type { Tokens } from '../tokens.ts'
import { ended, endOf, endsOf, longestMs, minuteMs, type SessionEnds, unusedFor } from './ending.ts'
import { type IdleLimits, usualIdleMinutes } from './idleLimit.ts'
import type { LoggedIn, ProviderTokens } from './loginProvider.ts'
import { createRefresh, type RefreshOptions, seal } from './refresh.ts'
import type { SessionRow } from './sessionRows.ts'

/**
 * Sessions of people at the portal. The browser has a random cookie; the tokens stay here, and each request by cookie
 * is checked by the access token, as if the person had sent it.
 */

export interface Sessions {
  /**
   * Return the cookie of a new session. A login begins one session at most.
   * @throws Refusal `login-failed` or `invalid-token`; Failure `provider-unavailable`
   */
  begin(given: LoggedIn, login: Login): Promise<{ readonly cookie: string; readonly caller: Caller }>
  /**
   * @param isUse false for a request that no person made, which does not keep the session alive
   * @throws Refusal `session-ended` or `session-unknown`; Failure `provider-unavailable`
   */
  verify(cookie: string, isUse: boolean): Promise<Verified>
  /** End a session on all nodes, and return its ID token if it had one. @throws Refusal `session-unknown` */
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
   * companies of the person. @throws Refusal `session-ended` when it was once without use for longer than is allowed there
   */
  endsFor(companyId?: string): Promise<SessionEnds>
}

export interface SessionsOptions extends RefreshOptions {
  readonly issuer: string
  readonly tokens: Tokens
  readonly idleLimits: IdleLimits
  /** Hears of a login whose access token looks like that of a program. */
  readonly onUnmarkedToken?: () => void
}

export const providerTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  idToken: z.string().optional(),
})

const keptMs = 24 * 3_600_000
const maxRemembered = 10_000

export function createSessions(options: SessionsOptions): Sessions {
  const { issuer, rows, tokens, sealing, idleLimits, now } = options
  const live = createFindLive(options)
  const refreshed = createRefresh(options)
  const callerOf = createCheck(options)

  return {
    async begin({ tokens: given, subject, sid }, { state, replaces }) {
      const verified = await tokens.verify(given.accessToken)
      if (verified.kind === 'application') options.onUnmarkedToken?.()
      const caller = asPerson(verified)
      const cookie = randomBytes(32).toString('base64url')
      const beganAt = now()
      await rows.forget(new Date(beganAt.getTime() - keptMs))
      const isFirst = await rows.add({
        id: idOf(cookie),
        login: hashOf(state),
        userId: caller.id,
        issuer,
        subject,
        sid,
        beganAt,
        ...(await seal(sealing, given)),
        endsAt: new Date(beganAt.getTime() + longestMs),
      })
      if (!isFirst) throw new Refusal('login-failed', finishedLogin)
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
      if (why) throw await endBecause(options, row.id, why)
      const idleMs = Math.max(row.longestIdle * 1_000, now().getTime() - Date.parse(row.usedAt))
      const usedAt = isUse ? await rows.noteUse(row, now()) : row.usedAt
      const endsAfter = (minutes: number) => endsOf(row, usedAt, minutes)
      return {
        caller,
        ends: endsAfter(idleMinutes),
        async endsFor(companyId) {
          if (hasPlatformRole) return endsAfter(usualIdleMinutes)
          const minutes = await (companyId === undefined
            ? idleLimits.shortest(caller.id)
            : idleLimits.inCompany(caller.id, companyId))
          // The session goes on elsewhere, and a later use does not make up for this one.
          if (idleMs >= minutes * minuteMs) throw new Refusal('session-ended', unusedFor(minutes))
          return endsAfter(minutes)
        },
      }
    },
    async end(cookie) {
      const row = await findKnown(options, idOf(cookie))
      await rows.end(row.id, now())
      return (await sealing.open(row.tokens))?.idToken
    },
    endOfProvider: (of) => rows.endOfProvider({ issuer, ...of }, now()),
  }
}

const finishedLogin = 'This login has been finished already. Open the portal, or log in again.'

async function findKnown({ rows }: Pick<SessionsOptions, 'rows'>, id: string): Promise<SessionRow> {
  const row = await rows.find(id)
  if (!row) throw new Refusal('session-unknown', 'The session is unknown. Log in again.')
  return row
}

/** Return a function that finds a session by its id, if it lives. @throws Refusal `session-ended` or `session-unknown` */
function createFindLive({ rows, idleLimits, now }: SessionsOptions) {
  return async (id: string): Promise<SessionRow> => {
    const row = await findKnown({ rows }, id)
    const why = endOf(row, now(), await idleLimits.longest(row.userId))
    if (why && row.endedAt === null) await rows.end(id, now())
    if (why) throw new Refusal('session-ended', why)
    return row
  }
}

/**
 * Return a function that checks the access token of a session, and returns its caller. When the token no longer confirms
 * the session, the session ends. The function throws Refusal `session-ended` and Failure `provider-unavailable`.
 */
function createCheck(options: SessionsOptions) {
  const { tokens, sealing } = options
  // Each request opens the tokens of its session, and they change once an hour.
  const remembered = new LRUCache<string, ProviderTokens>(atMost(maxRemembered))

  const open = async (tokens: string): Promise<ProviderTokens | undefined> => {
    const opened = remembered.get(tokens) ?? (await sealing.open(tokens))
    if (opened) remembered.set(tokens, opened)
    return opened
  }

  return async (row: SessionRow): Promise<Caller> => {
    const opened = await open(row.tokens)
    // Another node ended it in between, or the client has another secret now.
    if (!opened) throw await endBecause(options, row.id, ended)
    try {
      const caller = await tokens.verify(opened.accessToken)
      if (caller.id === row.userId) return asPerson(caller)
    } catch (error) {
      if (!isRefusal(error, 'invalid-token')) throw error
    }
    const why = 'The identity provider no longer confirms the session. Log in again.'
    throw await endBecause(options, row.id, why)
  }
}

/** Only people log in, also where the provider marks their tokens in no way. */
function asPerson(caller: Caller): Caller {
  return { ...caller, kind: 'user' }
}

async function endBecause(
  { rows, now }: Pick<SessionsOptions, 'rows' | 'now'>,
  id: string,
  why: string,
): Promise<Refusal> {
  await rows.end(id, now())
  return new Refusal('session-ended', why)
}

/** Return the id of a session from its cookie. The id alone, which the database has, cannot be used as a cookie. */
export function idOf(cookie: string): string {
  return hashOf(cookie)
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
