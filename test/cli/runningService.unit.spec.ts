import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storeUrls } from '../../src/cli/heatmark/stores.ts'
import { fetchToken, findService, reach, requireDevFile } from '../../src/cli/runningService.ts'
import { lockDataDir } from '../../src/embedded/dataDirLock.ts'

const dev = {
  baseUrl: 'http://127.0.0.1:8080',
  tokenUrl: 'http://127.0.0.1:8090/tenant/oauth2/v2.0/token',
  scope: 'api://heatmark/access_as_user',
  companyId: '3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d',
  clients: { editor: { clientId: 'editor', clientSecret: 'of the editor' } },
}

let dataDir: string
/** Ends the service on the data directory. */
let unlock: (() => void) | undefined
const writeDevFile = (text: string) => writeFileSync(join(dataDir, 'dev.json'), text)
const env = (more: Record<string, string> = {}) => ({ HEATMARK_DATA_DIR: dataDir, ...more })

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heatmark-service-'))
  unlock = lockDataDir(dataDir)
})
afterEach(() => {
  unlock?.()
  rmSync(dataDir, { recursive: true })
})

describe('findService', () => {
  it('prefers --url to HEATMARK_URL, and that to dev.json', () => {
    writeDevFile(JSON.stringify(dev))
    const other = env({ HEATMARK_URL: 'https://b.example' })
    expect(findService('https://a.example/', other).baseUrl).toBe('https://a.example')
    expect(findService(undefined, other).baseUrl).toBe('https://b.example')
    expect(findService(undefined, env())).toEqual({ baseUrl: dev.baseUrl, dev })
  })

  it('needs no dev.json when an address is given', () => {
    expect(findService('https://a.example', env())).toEqual({ baseUrl: 'https://a.example' })
  })

  it('reads no dev.json that a killed service has left', () => {
    writeDevFile(JSON.stringify(dev))
    unlock!()
    unlock = undefined
    expect(() => findService(undefined, env())).toThrow(`(none runs on ${dataDir})`)
    expect(findService(dev.baseUrl, env())).toEqual({ baseUrl: dev.baseUrl })
    expect(() => storeUrls(env())).toThrow(/^no stores found: /)
  })

  it.each(['http://127.0.0.1:9999', 'http://localhost:8080', 'http://[::1]:8080'])(
    'uses the embedded clients for %s, on this machine',
    (url) => {
      writeDevFile(JSON.stringify(dev))
      expect(findService(url, env()).dev).toEqual(dev)
    },
  )

  it.each(['https://a.example', 'http://127.a.example', 'http://10.0.0.7:8080'])(
    'never uses the embedded clients for %s',
    (url) => {
      writeDevFile(JSON.stringify(dev))
      expect(findService(url, env()).dev).toBeUndefined()
    },
  )

  it('says in one line what is missing or wrong', () => {
    expect(() => findService(undefined, env())).toThrow(
      /^no service found: start one with "npm start".*--url/,
    )
    expect(() => findService('ftp://a.example', env())).toThrow('"ftp://a.example" is not an http')
    writeDevFile('{')
    expect(() => findService(undefined, env())).toThrow(`${join(dataDir, 'dev.json')} is not JSON`)
    writeDevFile(JSON.stringify({ ...dev, companyId: 'mine' }))
    expect(() => findService(undefined, env())).toThrow(
      /dev\.json is not a dev\.json of this release: companyId/,
    )
  })
})

describe('fetchToken and reach', () => {
  let server: Server
  let answer: { status: number; body: unknown }
  let asked: URLSearchParams
  let origin: string

  beforeEach(async () => {
    server = createServer((request, response) => {
      let form = ''
      request.on('data', (chunk) => {
        form += chunk
      })
      request.on('end', () => {
        asked = new URLSearchParams(form)
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer.body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.close()
  })

  it('asks for a token by client credentials', async () => {
    answer = { status: 200, body: { token_type: 'Bearer', expires_in: 3600, access_token: 'a.b.c' } }
    expect(await fetchToken({ ...dev, tokenUrl: `${origin}/token` }, 'editor')).toBe('a.b.c')
    expect(Object.fromEntries(asked)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'editor',
      client_secret: 'of the editor',
      scope: dev.scope,
    })
  })

  it('reports why a token was refused, without the secret', async () => {
    answer = { status: 401, body: { error: 'invalid_client', error_description: 'unknown client' } }
    await expect(fetchToken({ ...dev, tokenUrl: `${origin}/token` }, 'editor')).rejects.toThrow(
      /^no token for "editor": 401 invalid_client unknown client$/,
    )
    await expect(fetchToken(dev, 'planner')).rejects.toThrow('no client "planner": there are editor')
  })

  it('refuses to get a token from another identity provider than the embedded one', async () => {
    const { tokenUrl: _, scope: __, ...own } = { ...dev, clients: {} }
    writeDevFile(JSON.stringify(own))
    const { dev: found } = findService(undefined, env())
    await expect(fetchToken(found!, 'editor')).rejects.toThrow(
      'http://127.0.0.1:8080 uses another identity provider than the embedded one: get a token there',
    )
  })

  it('names the address where nothing answers', async () => {
    await new Promise((resolve) => server.close(resolve))
    await expect(reach(`${origin}/x`)).rejects.toThrow(
      `nothing answers at ${origin} (ECONNREFUSED): is the service running?`,
    )
  })
})

it('takes nothing from the dev.json that a killed service has left', () => {
  writeDevFile(JSON.stringify(dev))
  expect(requireDevFile(env())).toEqual(dev)
  unlock!()
  unlock = undefined
  expect(() => requireDevFile(env())).toThrow(`none runs on ${dataDir}; start one with "npm start"`)
})
