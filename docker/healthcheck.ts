import { get as getByHttp } from 'node:http'
import { get as getByHttps } from 'node:https'
import { isIPv6 } from 'node:net'

/**
 * Ends with 0 if the service in this container answers at /health/live, with the service's own settings. Its
 * certificate is another host's, so it is not checked: nothing is sent that anybody could want.
 */

const { PORT = '8080', HOST = '', TLS_CERT } = process.env
const everywhere: Record<string, string> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' }
const host = everywhere[HOST] ?? HOST
const authority = `${isIPv6(host) ? `[${host}]` : host}:${PORT || '8080'}`

const asked = TLS_CERT
  ? getByHttps(`https://${authority}/health/live`, { rejectUnauthorized: false })
  : getByHttp(`http://${authority}/health/live`)
asked.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
asked.on('error', ({ message }) => {
  console.error(`the service does not answer at ${authority}: ${message}`)
  process.exit(1)
})
