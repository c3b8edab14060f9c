import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import Negotiator from 'negotiator'
import type { JWKS } from 'oidc-provider'
import { createRateLimiter } from '../admission/rateLimit.ts'
import { clock as processClock } from '../lib/clocks.ts'
import { makePrivateFolder, readJson, writePrivateJson } from './files.ts'
import { createLogin } from './login.ts'
import { type Language, languages } from './loginPages.ts'
import {
  authorizePath,
  discoveryPath,
  type IdentityClient,
  jwksPath,
  loginPath,
  logoutPath,
  oidcProvider,
  type People,
  type PortalClient,
  tokenPath,
} from './oidcProvider.ts'
import { freePort } from './ports.ts'

interface IdentityProviderOptions {
  /** Holds port and signing key in `identityProvider.json` (mode 0600). */
  dataDir: string
  clients: IdentityClient[]
  people: People
  portal: PortalClient
  /** The first segment of every path, and the `tid` claim. */
  tenant: string
  /** `<api_id>` of the scope `api://<api_id>/access_as_user`. */
  apiId: string
  /** Token requests that a client may make in a minute; 1,000 by default. */
  tokenLimit?: number
  /** Milliseconds that never run backwards. */
  clock?: () => number
  log?: (line: string) => void
}

export interface IdentityProvider {
  issuer: string
  audience: string
  scope: string
  authUrl: string
  tokenUrl: string
  jwksUri: string
  /** Names the address of the service: failed logins link to its portal, and logouts are reported to it. */
  servePortalAt(baseUrl: string): void
  stop(): Promise<void>
}

/**
 * Start the identity provider on 127.0.0.1, on the port that it had before: the port is part of the issuer, and
 * so of every token and every account.
 * @throws Error of one line when that port is in use or the data directory cannot be written
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { dataDir, clients, people, portal, tenant, apiId, log = () => {} } = options
  makePrivateFolder(dataDir)
  const file = join(dataDir, 'identityProvider.json')
  const { port, keys } = await remember(file)
  const authUrl = `http://127.0.0.1:${port}`
  const issuer = `${authUrl}/${tenant}`
  const audience = `api://${apiId}`
  const scope = `${audience}/access_as_user`
  let portalUrl: string | undefined
  const provider = await oidcProvider({
    issuer,
    tenant,
    audience,
    scope,
    clients,
    people,
    portal,
    jwks: { keys },
    portalUrl: () => portalUrl,
    languageOf: ({ req }) => languageOf(req),
  })
  provider.on('server_error', (_ctx, error) => log(`identity provider: ${error.message}`))
  provider.on('backchannel.error', (_ctx, error) =>
    log(`identity provider: a logout was not reported: ${error.message}`),
  )
  const login = createLogin({ provider, people, tenant, portalUrl: () => portalUrl, languageOf })
  const answer = answerWith({ serve: provider.callback(), login }, port, options)
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      log(`identity provider: ${error.message}`)
      response.destroy()
    })
  })
  await listenOn(server, port, file)
  return {
    issuer,
    audience,
    scope,
    authUrl,
    tokenUrl: `${issuer}${tokenPath}`,
    jwksUri: `${issuer}${jwksPath}`,
    servePortalAt: (baseUrl) => {
      portalUrl = baseUrl
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** Check path, host, size and rate of a request before oidc-provider or the login page gets it. */
function answerWith(
  { serve, login }: { serve: Serve; login: Serve },
  port: number,
  { clients, portal, tenant, tokenLimit = 1_000, clock = processClock }: IdentityProviderOptions,
): Serve {
  const requests = createRateLimiter('token requests', tokenLimit, clock)
  const registered = new Set([...clients, portal].map(({ clientId }) => clientId))
  const host = `127.0.0.1:${port}`
  const again = (request: IncomingMessage, url: string, body: Buffer = noBody, headers = {}) =>
    copyOf(request, { url, originalUrl: `/${tenant}${url}`, headers: { host, ...headers }, body })

  return async (request, response) => {
    const inTenant = request.url!.startsWith(`/${tenant}/`) ? request.url!.slice(tenant.length + 1) : ''
    const path = inTenant.split('?')[0]!
    if (isPage(path)) {
      // A page of another name that resolves to this machine must not use the browser's session here.
      if (request.headers.host !== host) return send(response, 421, otherHost)
      const body = request.method === 'POST' ? await readBody(request) : undefined
      if (request.method === 'POST' && !body) return send(response, 413, tooLarge, { Connection: 'close' })
      const copy = again(request, inTenant, body, headersOfPages(request))
      return isAt(path, loginPath) ? login(copy, response) : serve(copy, response)
    }
    if (request.method !== 'POST') {
      if (path !== jwksPath && path !== discoveryPath) return send(response, 404, notFound)
      return serve(again(request, path), response)
    }
    const body = await readBody(request)
    if (!body) return send(response, 413, tooLarge, { Connection: 'close' })
    // Entra counts a wrong token address, tenant included, as a failed client authentication.
    if (path !== tokenPath) return send(response, 401, invalidClient('wrong token endpoint URL'))
    const clientId = new URLSearchParams(body.toString()).get('client_id')
    if (!clientId) return send(response, 401, invalidClient('client_id is missing'))
    // Keys of unknown clients would drive the known ones out of the memory of the limit.
    const rateLimit = registered.has(clientId) ? requests.count(clientId) : undefined
    const { origin } = request.headers
    const headers = origin === undefined ? {} : { origin }
    if (!rateLimit?.exceeded) return serve(again(request, tokenPath, body, headers), response)
    const seconds = rateLimit.resetSeconds
    return send(response, 429, rateLimited(seconds), { 'Retry-After': String(seconds) })
  }
}

function isPage(path: string): boolean {
  return [authorizePath, logoutPath, loginPath].some((page) => isAt(path, page))
}

function isAt(path: string, page: string): boolean {
  return path === page || path.startsWith(`${page}/`)
}

/** The headers that the pages need besides those of every request. */
function headersOfPages({ headers }: IncomingMessage): IncomingMessage['headers'] {
  const { cookie, origin } = headers
  return {
    accept: 'text/html',
    'accept-language': headers['accept-language'] ?? '',
    ...(cookie !== undefined && { cookie }),
    ...(origin !== undefined && { origin }),
  }
}

function languageOf(request: IncomingMessage): Language {
  return (new Negotiator(request).language([...languages]) as Language | undefined) ?? languages[0]
}

/** The same request for oidc-provider, with a body that can still be read and a host of our choice. */
function copyOf(
  request: IncomingMessage,
  {
    url,
    originalUrl,
    headers,
    body,
  }: { url: string; originalUrl: string; headers: IncomingMessage['headers']; body: Buffer },
): IncomingMessage {
  const copy = new IncomingMessage(request.socket)
  Object.assign(copy, { method: request.method, url, originalUrl })
  copy.headers = { accept: 'application/json', ...headers }
  if (request.headers['content-type']) copy.headers['content-type'] = request.headers['content-type']
  if (body.length > 0) copy.headers['content-length'] = String(body.length)
  copy.complete = true
  copy.push(body)
  copy.push(null)
  return copy
}

function listenOn(server: Server, port: number, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(
        new Error(
          `port ${port} of 127.0.0.1, the address of this data directory's identity provider, is in use by ` +
            `another program: stop that program, or remove ${file} to take another port`,
        ),
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

interface Remembered {
  port: number
  keys: JWKS['keys']
}

async function remember(file: string): Promise<Remembered> {
  const remembered = readJson(file) as Partial<Remembered> | undefined
  const made = {
    port: remembered?.port ?? (await freePort()),
    keys: remembered?.keys ?? [await newSigningKey()],
  }
  if (!remembered?.keys || !remembered.port) writePrivateJson(file, made)
  return made
}

async function newSigningKey(): Promise<JWKS['keys'][number]> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key: JWK = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }
  return { ...key, kid: await calculateJwkThumbprint(key) } as JWKS['keys'][number]
}

const bodyLimit = 32 * 1024
const noBody = Buffer.alloc(0)

/** The whole body; undefined when it is longer than any token request. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > bodyLimit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const notFound = { error: 'not_found', error_description: 'there is nothing at this address' }
const otherHost = { error: 'invalid_request', error_description: 'the identity provider has another name' }
const tooLarge = { error: 'invalid_request', error_description: 'the request is too large' }

function invalidClient(why: string) {
  return { error: 'invalid_client', error_description: `client authentication failed: ${why}` }
}

function rateLimited(seconds: number) {
  return {
    error: 'rate_limit_exceeded',
    message: `Too many token requests. Try again in ${seconds} seconds.`,
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
  response.end(JSON.stringify(body))
}
