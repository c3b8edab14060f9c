import { addressFault } from '../identity/provider.ts'
import { isLoopback } from '../lib/loopback.ts'

/** Faults of settings that are right by themselves, and wrong together. */

export type Environment = Readonly<Record<string, string | undefined>>

/** Return a line for each fault, which begins with the names of the settings. */
export function faultsTogether(given: Environment): string[] {
  return [
    ...bothOrNone(given, 'TLS_CERT', 'TLS_KEY'),
    ...transportFaults(given),
    ...providerFaults(given),
    ...bothOrNone(given, 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'),
    ...portalFaults(given),
    ...documentsFaults(given),
    ...bothOrNone(given, 'TIMESTAMP_URL', 'TIMESTAMP_CERTIFICATES'),
    ...signingFaults(given),
  ]
}

function bothOrNone(given: Environment, one: string, other: string): string[] {
  return Boolean(given[one]) === Boolean(given[other]) ? [] : [`${one}, ${other}: set both or none`]
}

/** Hosts other than loopback need TLS, by the service or by a named proxy. */
function transportFaults({ HOST, TLS_CERT, TLS_KEY, TRUST_PROXY }: Environment): string[] {
  if (!HOST || isLoopback(HOST) || TLS_CERT || TLS_KEY || TRUST_PROXY) return []
  return [
    `HOST: ${HOST} is not loopback, so it needs TLS_CERT and TLS_KEY, or TRUST_PROXY naming the proxy that ends TLS`,
  ]
}

/** Keys that come over plain HTTP can be exchanged on the way. */
function providerFaults(given: Environment): string[] {
  return ['OIDC_ISSUER', 'OIDC_JWKS_URL'].flatMap((name) => {
    const address = given[name]
    const fault = address && URL.canParse(address) && addressFault(address, given.OIDC_ALLOW_HTTP === 'true')
    return fault ? [`${name}: ${fault}`] : []
  })
}

function portalFaults(given: Environment): string[] {
  const fault = given.OIDC_CLIENT_ID && given.OIDC_CLIENT_SECRET && portalAddressFault(given)
  return fault ? [`PUBLIC_URL: ${fault}`] : []
}

function documentsFaults({ DOCUMENTS_URL, DOCUMENTS_ENDPOINT }: Environment): string[] {
  return DOCUMENTS_ENDPOINT && !DOCUMENTS_URL
    ? ['DOCUMENTS_ENDPOINT: needs DOCUMENTS_URL, which names the bucket']
    : []
}

function signingFaults({ SIGNING_KEY, SIGNING_COMMAND }: Environment): string[] {
  return SIGNING_COMMAND && !SIGNING_KEY
    ? ['SIGNING_COMMAND: needs SIGNING_KEY, which names the file with its public key']
    : []
}

/**
 * Return why there can be no portal at the service's address, or undefined when there can. Browsers keep its cookies
 * only if they came by https, or from loopback.
 */
export function portalAddressFault({ HOST = '', PUBLIC_URL }: Environment): string | undefined {
  if (!PUBLIC_URL)
    return !HOST || isLoopback(HOST)
      ? undefined
      : 'is missing: OIDC_CLIENT_ID turns the portal on, which needs the address that browsers know'
  if (!URL.canParse(PUBLIC_URL)) return undefined
  const { protocol, hostname } = new URL(PUBLIC_URL)
  return protocol === 'https:' || isLoopback(hostname)
    ? undefined
    : 'must start with https://, because browsers do not keep the cookies of the portal otherwise'
}
