import { isIP, isIPv4 } from 'node:net'
import { z } from 'zod'

/** Kinds of values that a setting may have. Each schema takes the text of an environment variable. */

/** Refuses a list that has only commas, because it names nothing. */
export const commaSeparated = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.string()).min(1, 'must name at least one'))

export const port = wholeNumber(0, 65_535)

/** Error messages quote the address, so it must not hold a password. */
export const publicUrl = urlOf('http', 'https').refine(
  (text) => !/^[^/]*\/\/[^/?#]*@/.test(text),
  'must not hold a user or password',
)

export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
}

export function urlOf(...schemes: string[]) {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)),
      `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    )
}

/** @param faultOf returns what is wrong with a text, or undefined */
export function withoutFault(faultOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, { addIssue }) => {
    const fault = faultOf(text)
    if (fault) addIssue(fault)
  })
}

/** Words that stand for networks in a list of proxies. */
export const proxyNames = ['loopback', 'linklocal', 'uniquelocal']

/** Whether the text is an address, a network or one of `proxyNames`. */
export function isProxy(text: string): boolean {
  return proxyNames.includes(text) || isNetwork(text)
}

/** Whether the text is an address or a network. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0) return false
  if (prefix === undefined) return isIP(address) > 0
  return isIP(address) > 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128)
}

/** Whether a browser sends this text as an origin: lower case, without a path, a slash or the usual port. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

export function listOf<const Name extends string>(names: readonly Name[]) {
  return commaSeparated.pipe(z.array(z.enum(names, `must name some of ${names.join(', ')}`)))
}
