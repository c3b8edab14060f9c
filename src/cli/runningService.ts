import { join } from 'node:path'
import { z } from 'zod'
import { defaultDataDir } from '../config/config.ts'
import { readDevFile as readText } from '../embedded/devFile.ts'
import { isLoopback } from '../lib/loopback.ts'

const devFileSchema = z.object({
  baseUrl: z.url(),
  // Absent where the environment names an identity provider of its own.
  tokenUrl: z.url().optional(),
  scope: z.string().optional(),
  companyId: z.guid(),
  clients: z.record(z.string(), z.object({ clientId: z.string(), clientSecret: z.string() })),
})

/** The members of `dev.json` that the commands read. The embedded stack writes the file when it starts. */
export type DevFile = z.infer<typeof devFileSchema>

type Environment = Readonly<Record<string, string | undefined>>

/** A running service. `dev` is set only for the embedded stack, whose clients may be used. */
export type Service = { readonly baseUrl: string; readonly dev?: DevFile }

/** Read `dev.json` in `HEATMARK_DATA_DIR` (default `.heatmark`); undefined when no service runs there. */
export function readDevFile(env: Environment): DevFile | undefined {
  const dataDir = env.HEATMARK_DATA_DIR || defaultDataDir
  const path = join(dataDir, 'dev.json')
  const text = readText(dataDir)
  if (text === undefined) return undefined

  const parsed = devFileSchema.safeParse(parseJson(text, path))
  if (parsed.success) return parsed.data
  const fault = parsed.error.issues[0]!
  throw new Error(`${path} is not a dev.json of this release: ${fault.path.join('.')}: ${fault.message}`)
}

/** @throws Error when no service runs there */
export function requireDevFile(env: Environment): DevFile {
  const dev = readDevFile(env)
  if (dev) return dev
  const folder = env.HEATMARK_DATA_DIR || defaultDataDir
  throw new Error(`no service found: none runs on ${folder}; start one with "npm start"`)
}

/** Find the service: `url` (from `--url`), else `HEATMARK_URL`, else the one that wrote `dev.json`. */
export function findService(url: string | undefined, env: Environment): Service {
  const dev = readDevFile(env)
  const named = url ?? env.HEATMARK_URL
  if (named) return { baseUrl: checkUrl(named), ...(dev && mayUseDevClients(named, dev) && { dev }) }
  if (dev) return { baseUrl: checkUrl(dev.baseUrl), dev }
  throw new Error(
    `no service found: start one with "npm start", or name one with --url or HEATMARK_URL ` +
      `(none runs on ${env.HEATMARK_DATA_DIR || defaultDataDir})`,
  )
}

/** Request an access token for one of the embedded stack's clients, by client credentials. */
export async function fetchToken(dev: DevFile, clientName: string): Promise<string> {
  const { tokenUrl, scope } = dev
  if (!tokenUrl || !scope) {
    throw new Error(`${dev.baseUrl} uses another identity provider than the embedded one: get a token there`)
  }
  const client = dev.clients[clientName]
  if (!client) {
    throw new Error(`no client "${clientName}": there are ${Object.keys(dev.clients).join(', ')}`)
  }
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    scope,
  })
  const response = await reach(tokenUrl, { method: 'POST', body: form })
  const answer = (await response.json().catch(() => ({}))) as Record<string, string | undefined>
  if (response.ok && answer.access_token) return answer.access_token
  const reason = answer.error_description ?? answer.message ?? ''
  throw new Error(
    `no token for "${clientName}": ${response.status} ${answer.error ?? ''} ${reason}`.trimEnd(),
  )
}

/**
 * Call `fetch`, with one clear line when nothing answers at that address. The caller may be busy for longer than a server
 * keeps an idle connection, so no connection is used twice.
 */
export async function reach(url: string, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('Connection', 'close')
  try {
    return await fetch(url, { ...init, headers })
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
    throw new Error(`nothing answers at ${new URL(url).origin} (${code ?? message}): is the service running?`)
  }
}

/** The embedded clients' tokens are sent only to this machine, also with `--url`. */
function mayUseDevClients(url: string, dev: DevFile): boolean {
  const { origin, hostname } = new URL(checkUrl(url))
  return origin === new URL(dev.baseUrl).origin || isLoopback(hostname)
}

function checkUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new Error(`"${url}" is not an http or https address`)
  }
  return url.replace(/\/+$/, '')
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${path} is not JSON`)
  }
}
