import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { JWKS } from 'oidc-provider'
import { makePrivateFolder, readJson, writePrivateJson } from './files.ts'
import { discoveryPath, type IdentityClient, jwksPath, oidcProvider, tokenPath } from './oidcProvider.ts'
import { freePort } from './ports.ts'
import { tokenRateLimit } from './tokenRateLimit.ts'

export interface IdentityProviderOptions {
  /** Holds port and signing key in `identityProvider.json` (mode 0600). */
  dataDir: string
  clients: IdentityClient[]
  /** The first segment of every path, and the `tid` claim. */
  tenant: string
  /** `<api_id>` of the scope `api://<api_id>/access_as_user`. */
  apiId: string
  /** Token requests that a client may make in a minute; 1,000 by default. */
  tokenLimit?: number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
  log?: (line: string) => void
}

export interface IdentityProvider {
  issuer: string
  audience: string
  scope: string
  authUrl: string
  tokenUrl: string
  jwksUri: string
  stop(): Promise<void>
}

/**
 * Starts the identity provider on 127.0.0.1, on the port that it had before: the port is part of the issuer, and
 * so of every token and every account.
 * @throws Error of one line when that port is in use or the data directory cannot be written
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { dataDir, clients, tenant, apiId, log = () => {} } = options
  makePrivateFolder(dataDir)
  const file = join(dataDir, 'identityProvider.json')
  const { port, keys } = await remembered(file)
  const authUrl = `http://127.0.0.1:${port}`
  const issuer = `${authUrl}/${tenant}`
  const audience = `api://${apiId}`
  const scope = `${audience}/access_as_user`
  const provider = await oidcProvider({ issuer, tenant, audience, scope, clients, jwks: { keys } })
  provider.on('server_error', (_ctx, error) => log(`identity provider: ${error.message}`))
  const answer = answerWith(provider.callback(), port, options)
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      log(`identity provider: ${error.message}`)
      response.destroy()
    })
  })
  await listenOn(server, port, file)
  return {
    ...{ issuer, audience, scope, authUrl },
    tokenUrl: `${issuer}${tokenPath}`,
    jwksUri: `${issuer}${jwksPath}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** Checks path, size and rate of a request before oidc-provider gets it. */
function answerWith(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port: number,
  { clients, tenant, tokenLimit = 1_000, now = () => performance.now() }: IdentityProviderOptions,
): Answer {
  const limit = tokenRateLimit(tokenLimit, now)
  const registered = new Set(clients.map(({ clientId }) => clientId))
  const again = (request: IncomingMessage, path: string, body: Buffer) =>
    copyOf(request, { path, originalUrl: `/${tenant}${path}`, host: `127.0.0.1:${port}`, body })

  return async (request, response) => {
    const path = request.url!.split('?')[0]!
    const inTenant = path.startsWith(`/${tenant}/`) ? path.slice(tenant.length + 1) : undefined
    if (request.method !== 'POST') {
      if (inTenant !== jwksPath && inTenant !== discoveryPath) return send(response, 404, notFound)
      return serve(again(request, inTenant, Buffer.alloc(0)), response)
    }
    const body = await readBody(request)
    if (!body) return send(response, 413, tooLarge, { Connection: 'close' })
    // Entra counts a wrong token address, tenant included, as a failed client authentication.
    if (inTenant !== tokenPath) return send(response, 401, invalidClient('wrong token endpoint URL'))
    const clientId = new URLSearchParams(body.toString()).get('client_id')
    if (!clientId) return send(response, 401, invalidClient('client_id is missing'))
    const seconds = registered.has(clientId) ? limit(clientId) : 0
    if (seconds > 0) return send(response, 429, rateLimited(seconds), { 'Retry-After': String(seconds) })
    return serve(again(request, tokenPath, body), response)
  }
}

/** The same request for oidc-provider, with a body that can still be read and a host of our choice. */
function copyOf(
  request: IncomingMessage,
  { path, originalUrl, host, body }: { path: string; originalUrl: string; host: string; body: Buffer },
): IncomingMessage {
  const copy = new IncomingMessage(request.socket)
  Object.assign(copy, { method: request.method, url: path, originalUrl })
  copy.headers = { host, accept: 'application/json' }
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

async function remembered(file: string): Promise<Remembered> {
  const known = readJson(file) as Partial<Remembered> | undefined
  const made = { port: known?.port ?? (await freePort()), keys: known?.keys ?? [await newSigningKey()] }
  if (!known?.keys || !known.port) writePrivateJson(file, made)
  return made
}

async function newSigningKey(): Promise<JWKS['keys'][number]> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key: JWK = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }
  return { ...key, kid: await calculateJwkThumbprint(key) } as JWKS['keys'][number]
}

const bodyLimit = 32 * 1024

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
