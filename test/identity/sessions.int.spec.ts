import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProviderKeys, type ProviderKeys } from '../../src/identity/providerKeys.ts'
import type { ProviderTokens } from '../../src/identity/sessions/loginProvider.ts'
import { createSealing } from '../../src/identity/sessions/sealing.ts'
import { createSessionRows } from '../../src/identity/sessions/sessionRows.ts'
import { createSessions, providerTokens, type Sessions } from '../../src/identity/sessions/sessions.ts'
import { createTokens } from '../../src/identity/tokens.ts'
import { Failure } from '../../src/lib/failure.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import { type IdentityProvider, startIdentityProvider, tokenRules } from '../support/identity.ts'
import { ownDatabase } from '../support/postgres.ts'

/** The limits of a session, and the refresh of its tokens by several nodes on one database. */

const minute = 60_000
const secret = 'the secret of the client'
const { postgres } = await ownDatabase({ size: 8 })
let identity: IdentityProvider
let keys: ProviderKeys
let later = 0
let asked: string[]
let answer: (refreshToken: string) => Promise<ProviderTokens>
/** By company. */
let idleMinutes: Readonly<Record<string, number>>
let platformRoles: string[]

const now = () => new Date(Date.now() + later)

beforeAll(async () => {
  await migrateLocal(postgres)
  identity = await startIdentityProvider()
  keys = createProviderKeys({
    issuer: identity.issuer,
    jwksUrl: undefined,
    allowHttp: false,
    clock: () => performance.now(),
  })
})
beforeEach(async () => {
  later = 0
  asked = []
  idleMinutes = { usual: 30 }
  platformRoles = []
  let turn = 1
  answer = async () => {
    turn += 1
    return { accessToken: await tokenFor(60), refreshToken: `refresh ${turn}` }
  }
})
afterEach(() => postgres.query('DELETE FROM heatmark_local.session'))
afterAll(async () => {
  keys.close()
  await identity.stop()
})

const tokenFor = (minutes: number, oid = 'ada') =>
  identity.token({
    oid,
    name: 'Ada',
    scp: 'access_as_user',
    roles: platformRoles,
    exp: Math.floor((now().getTime() + minutes * minute) / 1_000),
  })

/** One node of the service. */
const node = (ofSecret = secret, onUnmarkedToken = () => {}): Sessions =>
  createSessions({
    onUnmarkedToken,
    issuer: identity.issuer,
    rows: createSessionRows(postgres),
    provider: {
      refresh: (refreshToken) => {
        asked.push(refreshToken)
        return answer(refreshToken)
      },
    },
    tokens: createTokens(tokenRules(identity.issuer), keys, now),
    sealing: createSealing(ofSecret, 'tokens', providerTokens, now),
    idleLimits: {
      inCompany: async (_, companyId) => idleMinutes[companyId]!,
      longest: async () => Math.max(...Object.values(idleMinutes)),
      shortest: async () => Math.min(...Object.values(idleMinutes)),
    },
    now,
  })
const begin = async (
  sessions: Sessions,
  minutes = 24 * 60,
  refreshToken: string | undefined = 'refresh 1',
  state: string = randomUUID(),
) => {
  const accessToken = await tokenFor(minutes)
  const tokens = { accessToken, idToken: 'the ID token', ...(refreshToken && { refreshToken }) }
  const login = { tokens, subject: 'subject of ada', sid: 'sid 1' }
  return (await sessions.begin(login, { state })).cookie
}
const pass = (minutes: number) => {
  later += minutes * minute
}

describe('a session', () => {
  it('ends when it was not used for 30 minutes, and polling is no use', async () => {
    const sessions = node()
    const cookie = await begin(sessions)
    pass(29)
    expect((await sessions.verify(cookie, true)).caller.id).toBe('ada')
    pass(29)
    expect((await sessions.verify(cookie, false)).caller.id).toBe('ada')
    pass(2)
    await expect(sessions.verify(cookie, true)).rejects.toThrow('not used for 30 minutes')
    await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
  })

  it('of a Cutter survives a shift as long as the company allows, and tells when it ends', async () => {
    idleMinutes = { saw: 480 }
    const sessions = node()
    const beganAt = now().getTime()
    const cookie = await begin(sessions)
    const endsAfter = async (isUse: boolean) => {
      const { ends } = await sessions.verify(cookie, isUse)
      return [ends.idleAt, ends.latestAt].map((end) => Math.round((end.getTime() - beganAt) / minute))
    }
    pass(470)
    expect(await endsAfter(false)).toEqual([480, 720])
    expect(await endsAfter(true)).toEqual([950, 720])
    pass(249)
    expect(await endsAfter(true)).toEqual([1_199, 720])
    pass(1)
    await expect(sessions.verify(cookie, true)).rejects.toThrow('older than 12 hours')
  })

  it('ends at once when the person may no longer be idle for so long', async () => {
    idleMinutes = { saw: 480 }
    const sessions = node()
    const cookie = await begin(sessions)
    pass(31)
    await sessions.verify(cookie, false)
    idleMinutes = { saw: 30 }
    await expect(sessions.verify(cookie, true)).rejects.toThrow('not used for 30 minutes')
  })

  it('ends for the companies that allow less, for good, and goes on for the saw', async () => {
    idleMinutes = { saw: 480, office: 30 }
    const sessions = node()
    const cookie = await begin(sessions)
    const endsFor = async (companyId?: string, isUse = true) => {
      const session = await sessions.verify(cookie, isUse)
      const { idleAt } = await session.endsFor(companyId)
      return Math.round((idleAt.getTime() - now().getTime()) / minute)
    }
    pass(29)
    expect([await endsFor('office'), await endsFor('saw'), await endsFor()]).toEqual([30, 480, 30])
    pass(31)
    await expect(endsFor('office', false)).rejects.toThrow('not used for 30 minutes')
    expect(await endsFor('saw')).toBe(480)
    // The use at the saw does not open the office again, now or later, nor the keys of all companies.
    pass(5)
    expect(await endsFor('saw')).toBe(480)
    await expect(endsFor('office')).rejects.toMatchObject({ code: 'session-ended' })
    await expect(endsFor()).rejects.toMatchObject({ code: 'session-ended' })
  })

  it('begins once for a login', async () => {
    const sessions = node()
    const cookie = await begin(sessions, 60, undefined, 'state 1')
    await expect(begin(node(), 60, undefined, 'state 1')).rejects.toMatchObject({ code: 'login-failed' })
    expect((await sessions.verify(cookie, true)).caller.id).toBe('ada')
  })

  it('is of a person, also where the token has no mark of one', async () => {
    const accessToken = await identity.token({ oid: 'ada', name: 'Ada', scp: undefined })
    const login = { tokens: { accessToken }, subject: 'subject of ada', sid: undefined }
    let heard = 0
    const sessions = node(secret, () => heard++)
    const { cookie, caller } = await sessions.begin(login, { state: 'state 1' })
    expect(caller.kind).toBe('user')
    expect((await sessions.verify(cookie, true)).caller.kind).toBe('user')
    expect(heard).toBe(1)
  })

  it('of a person with a platform role ends after 30 minutes', async () => {
    idleMinutes = { saw: 480 }
    platformRoles = ['Operator']
    const sessions = node()
    const cookie = await begin(sessions)
    pass(29)
    await sessions.verify(cookie, false)
    pass(2)
    await expect(sessions.verify(cookie, true)).rejects.toThrow('not used for 30 minutes')
  })

  it('ends 12 hours after the login, however much it is used', async () => {
    const sessions = node()
    const cookie = await begin(sessions)
    for (let turn = 0; turn < 35; turn++) {
      pass(20)
      await sessions.verify(cookie, true)
    }
    pass(20)
    await expect(sessions.verify(cookie, true)).rejects.toThrow('older than 12 hours')
  })

  it('that has ended has no tokens any more, is told from an unknown one for a day, and is then forgotten', async () => {
    const sessions = node()
    const cookie = await begin(sessions)
    expect(await sessions.end(cookie)).toBe('the ID token')
    expect(await sessions.end(cookie)).toBeUndefined()
    expect(await postgres.query('SELECT tokens FROM heatmark_local.session')).toEqual([{ tokens: '' }])
    pass(23 * 60)
    await begin(sessions)
    await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
    pass(2 * 60)
    await begin(sessions)
    await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'session-unknown' })
  })

  it('ends when the secret of the client has changed, or the token names another person', async () => {
    const sessions = node()
    const cookie = await begin(sessions)
    await expect(node('another secret').verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
    const second = await begin(sessions, 0.5)
    answer = async () => ({ accessToken: await tokenFor(60, 'bob') })
    await expect(sessions.verify(second, true)).rejects.toMatchObject({ code: 'session-ended' })
  })

  it('of a person ends with the others when the provider names the person alone', async () => {
    const sessions = node()
    const cookies = [await begin(sessions), await begin(sessions)]
    await sessions.endOfProvider({ sid: 'sid 1', subject: 'subject of bob' })
    for (const cookie of cookies) await sessions.verify(cookie, true)
    await sessions.endOfProvider({ subject: 'subject of ada' })
    for (const cookie of cookies)
      await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
  })
})

describe('a refresh', () => {
  it('happens once for many requests on several nodes, and all go on', async () => {
    const nodes = [node(), node(), node()]
    const cookie = await begin(nodes[0]!, 0.5)
    const first = answer
    answer = async (token) => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      return first(token)
    }
    const callers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => nodes[index % 3]!.verify(cookie, true)),
    )
    expect(callers.every(({ caller }) => caller.id === 'ada')).toBe(true)
    expect(asked).toEqual(['refresh 1'])
    for (const one of nodes) await one.verify(cookie, true)
    expect(asked).toEqual(['refresh 1'])
  })

  it('is waited for when the access token has expired, and uses the newest refresh token', async () => {
    const nodes = [node(), node()]
    const cookie = await begin(nodes[0]!, 10)
    pass(20)
    await Promise.all(nodes.map((one) => one.verify(cookie, true)))
    expect(asked).toEqual(['refresh 1'])
    pass(20)
    await nodes[0]!.verify(cookie, true)
    pass(20)
    await nodes[1]!.verify(cookie, true)
    pass(20)
    await nodes[1]!.verify(cookie, true)
    expect(asked).toEqual(['refresh 1', 'refresh 2'])
    expect(await nodes[1]!.end(cookie)).toBe('the ID token')
  })

  it('that fails because the provider is away leaves the session until its token expires', async () => {
    const sessions = node()
    const cookie = await begin(sessions, 0.5)
    const whenBack = answer
    answer = () => Promise.reject(new Failure('provider-unavailable', 'away'))
    for (let turn = 0; turn < 5; turn++) expect((await sessions.verify(cookie, true)).caller.id).toBe('ada')
    expect(asked).toHaveLength(1)
    pass(1)
    await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'provider-unavailable' })
    answer = whenBack
    expect((await node().verify(cookie, true)).caller.id).toBe('ada')
  })

  it('that the provider refuses ends the session', async () => {
    const sessions = node()
    const cookie = await begin(sessions, 0.5)
    answer = () => Promise.reject(new Failure('grant-ended', 'The identity provider has ended the session.'))
    await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
    await expect(node().verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
  })

  it('cannot bring back a session that was ended meanwhile', async () => {
    const sessions = node()
    const cookie = await begin(sessions, 0.5)
    const first = answer
    answer = async (token) => {
      await node().end(cookie)
      return first(token)
    }
    await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
  })

  it('that a killed node has begun is taken over by another', async () => {
    const sessions = node()
    const cookie = await begin(sessions, 10)
    await postgres.query(
      `UPDATE heatmark_local.session SET refreshing_until = clock_timestamp() + interval '1 second'`,
    )
    pass(11)
    expect((await sessions.verify(cookie, true)).caller.id).toBe('ada')
    expect(asked).toEqual(['refresh 1'])
  })

  it('needs no refresh token while the access token lasts, and without one the session ends with it', async () => {
    const sessions = node()
    const cookie = await begin(sessions, 0.5, '')
    expect((await sessions.verify(cookie, true)).caller.id).toBe('ada')
    pass(1)
    await expect(sessions.verify(cookie, true)).rejects.toMatchObject({ code: 'session-ended' })
    expect(asked).toEqual([])
  })
})
