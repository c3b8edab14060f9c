import { z } from 'zod'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { Caller } from '../caller.ts'
import type { LoginProvider } from './loginProvider.ts'
import type { Sealing } from './sealing.ts'
import { idOf, type Sessions } from './sessions.ts'

/** A login from its beginning to the session. Between the two, the browser keeps its state, encrypted. */

export const loginState = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** The session that the browser had before. */
  replaces: z.string().optional(),
})
type LoginState = z.infer<typeof loginState>

/** Seconds in which a person must have logged in. */
export const loginWithinSeconds = 600

export interface Logins {
  /**
   * Return the provider's address, and the state that the browser must bring back.
   * @param present the browser's cookie of a session, which ends with the new login: the next person may be another
   * @throws Failure `provider-unavailable`
   */
  begin(
    callback: string,
    returnTo: string,
    present: string | undefined,
  ): Promise<{ readonly url: string; readonly state: string }>
  /**
   * @param count called before the provider is asked, if the browser has begun a login; its error refuses the login
   * @throws Refusal `login-failed` or `invalid-token`; Failure `provider-unavailable`
   */
  finish(
    answer: URL,
    state: string | undefined,
    count: () => void,
  ): Promise<{ readonly cookie: string; readonly caller: Caller; readonly returnTo: string }>
}

interface LoginsOptions {
  readonly provider: Pick<LoginProvider, 'begin' | 'finish'>
  readonly sessions: Pick<Sessions, 'begin'>
  readonly sealing: Sealing<LoginState>
  readonly now: () => Date
}

export function createLogins({ provider, sessions, sealing, now }: LoginsOptions): Logins {
  return {
    async begin(callback, returnTo, present) {
      const { url, secrets } = await provider.begin(callback)
      const until = new Date(now().getTime() + loginWithinSeconds * 1_000)
      const cookie = {
        ...secrets,
        returnTo: pathOfPortal(returnTo),
        ...(present && { replaces: idOf(present) }),
      }
      return { url, state: await sealing.seal(cookie, until) }
    },
    async finish(answer, state, count) {
      const begun = state === undefined ? undefined : await sealing.open(state)
      if (!begun)
        throw new Refusal(
          'login-failed',
          'This login was begun in another browser, or more than ten minutes ago. Log in again.',
        )
      count()
      const { cookie, caller } = await sessions.begin(await provider.finish(answer, begun), begun)
      return { cookie, caller, returnTo: begun.returnTo }
    },
  }
}

const home = '/portal'
const longestPath = 2_000

/** Return a path of the portal as it is, and the portal's first page for anything else, above all another site. */
function pathOfPortal(wanted: string): string {
  const site = 'http://portal.invalid'
  if (wanted.length > longestPath || !wanted.startsWith(home) || !URL.canParse(wanted, site)) return home
  // The browser reads the path as this parser does: it removes dots and control characters, and turns backslashes.
  const { origin, pathname, search, hash } = new URL(wanted, site)
  const isPage = pathname === home || pathname.startsWith(`${home}/`)
  const isLogin = /^\/portal\/(login|callback|logout|backchannel-logout)(\/|$)/.test(pathname)
  return origin === site && isPage && !isLogin ? `${pathname}${search}${hash}` : home
}
