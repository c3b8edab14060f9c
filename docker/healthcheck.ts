import { get as getByHttp } from 'node:http'
import { get as getByHttps } from 'node:https'
import { isIPv6 } from 'node:net'

/**
 * Exit with 0 if the service in this container answers at /health/live, at the address in the service's own settings.
 * The certificate is not checked: it is for another host name, and the request has nothing secret.
 */

const { PORT = '8080', HOST = '', TLS_CERT } = process.env
const loopbackOf: Record<string, string> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' }
const host = loopbackOf[HOST] ?? HOST
const authority = `${isIPv6(host) ? `[${host}]` : host}:${PORT || '8080'}`

const request = TLS_CERT
  ? getByHttps(`https://${authority}/health/live`, { rejectUnauthorized: false })
  : getByHttp(`http://${authority}/health/live`)
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
request.on('error', ({ message }) => {
  console.error(`the service does not answer at ${authority}: ${message}`)
  process.exit(1)
})
