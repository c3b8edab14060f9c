import { isIPv4 } from 'node:net'

/** Whether a host is this machine as only programs on it reach it. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
  )
}
