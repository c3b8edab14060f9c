import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../../../lib/loopback.ts'

/** The cookies of the portal. Their prefix makes browsers refuse them from scripts, other hosts and plain HTTP. */

const prefix = '__Host-Http-heatmark'

interface CookieNames {
  readonly session: string
  /** The state of a login that is under way. */
  readonly login: string
}

/** Cookies ignore ports. On loopback the names hold the port, because several services may run there. */
export function cookieNames(address: string): CookieNames {
  const { hostname, port, protocol } = new URL(address)
  const usual = protocol === 'https:' ? '443' : '80'
  const suffix = isLoopback(hostname) ? `-${port || usual}` : ''
  return { session: `${prefix}${suffix}`, login: `${prefix}-login${suffix}` }
}

/** Return the value of a cookie, or undefined if there is none. */
export function cookieIn({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  return cookie
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

export interface Cookie {
  readonly name: string
  readonly value: string
  /** Lax: also sent when another site, such as the identity provider, leads the browser here. */
  readonly sameSite: 'Strict' | 'Lax'
  /** 0 removes the cookie. Without it, it ends with the browser. */
  readonly maxAgeSeconds?: number
}

/** Return the header `Set-Cookie`. */
export function setCookie({ name, value, sameSite, maxAgeSeconds }: Cookie): string {
  const maxAge = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}${maxAge}`
}
