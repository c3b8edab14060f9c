import { isIPv4 } from 'node:net'

/** Whether a host name or address is one that only programs on this machine can reach. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
  )
}
