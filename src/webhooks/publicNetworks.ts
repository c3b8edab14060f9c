import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * The addresses that webhooks may reach: public ones, and those in networks that the operator allows. A name is checked
 * when the connection is made, so it cannot change its address after a check.
 */

const special = new BlockList()
/** https://www.iana.org/assignments/iana-ipv4-special-registry */
const specialIpv4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
`
/** https://www.iana.org/assignments/iana-ipv6-special-registry, and ways to reach IPv4 through IPv6 */
const specialIpv6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'
for (const network of `${specialIpv4} ${specialIpv6}`.trim().split(/\s+/)) add(special, network)

const globalUnicast = new BlockList()
add(globalUnicast, '2000::/3')

export interface Reach {
  /** Return the fault of a URL whose host is an address, or that no host can mend. */
  faultOf(url: string): string | undefined
  /** Return a look-up for connections that fails for a name with any address that may not be reached. */
  lookupFor(url: string): LookupFunction
}

/** @param allowed networks besides public ones, such as `10.1.0.0/16`. Plain HTTP leads only to these. */
export function reachOf(allowed: readonly string[]): Reach {
  const list = new BlockList()
  for (const network of allowed) add(list, network)
  const isOurs = (address: string) => list.check(address, familyOf(address))
  const isPublic = (address: string) =>
    !special.check(address, familyOf(address)) &&
    (isIP(address) === 4 || globalUnicast.check(address, 'ipv6'))
  const may = (url: string, address: string) =>
    isOurs(address) || (url.startsWith('https:') && isPublic(address))
  return {
    faultOf(url) {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) > 0 ? !may(url, host) : !url.startsWith('https:') && allowed.length === 0)
        return `must lead to a public address by https; the operator has not allowed ${host}`
      return undefined
    },
    lookupFor: (url) => (hostname, options, callback) =>
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        // Whether the name is known inside, and its address there, is nothing that a company may find out.
        const isHidden = error
          ? error.code === 'ENOTFOUND'
          : !addresses.every(({ address }) => may(url, address))
        if (isHidden) return callback(new Error(`${hostname} has no address that may be reached`), '', 0)
        if (error) return callback(error, '', 0)
        if (options.all) return callback(null, addresses)
        const [{ address, family }] = addresses as [(typeof addresses)[number]]
        callback(null, address, family)
      }),
  }
}

function add(list: BlockList, network: string): void {
  const [address, bits] = network.split('/') as [string, string?]
  const family = familyOf(address)
  list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
