import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { addressFault, answerInTime, fetchDocument, findEndpoints } from '../../src/identity/provider.ts'
import { soonMs, until } from '../support/until.ts'

const servers: Server[] = []
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

function fetched(where: string) {
  return fetchDocument(where, false, answerInTime(soonMs))
}
async function discovered(document: (issuer: string) => unknown) {
  const issuer: string = await serve((_, res) => res.end(JSON.stringify(document(issuer))))
  return findEndpoints({ issuer, jwksUrl: undefined, allowHttp: false }, answerInTime(soonMs))
}
function sized(bytes: number) {
  return JSON.stringify('x'.repeat(bytes - 2))
}

it('accepts 256 KiB, and not one byte more', async () => {
  const where = await serve((req, res) => res.end(sized(Number(req.url!.slice(1)))))
  expect((await fetched(`${where}/262144`)).content).toHaveLength(262_142)
  await expect(fetched(`${where}/262145`)).rejects.toThrow('its answer is larger than 262144 bytes')
})

it('limits the decompressed size of a response', async () => {
  const where = await serve((_, res) => {
    res.writeHead(200, { 'content-encoding': 'gzip' })
    res.end(gzipSync(sized(50_000_000)))
  })
  await expect(fetched(where)).rejects.toThrow('its answer is larger')
})

it('closes the connection on a response without end', async () => {
  let closed = false
  const where = await serve((_, res) => {
    const chunk = 'x'.repeat(65_536)
    const write = () => {
      while (!res.destroyed && res.write(chunk));
    }
    res.on('drain', write).on('close', () => {
      closed = true
    })
    write()
  })
  await expect(fetched(where)).rejects.toThrow('its answer is larger')
  await until(() => closed)
})

it.each([301, 302, 303, 307, 308])('does not follow a redirect with %d', async (status) => {
  let visits = 0
  const elsewhere = await serve((_, res) => {
    visits += 1
    res.end('{"keys":[]}')
  })
  const where = await serve((_, res) => res.writeHead(status, { location: elsewhere }).end())
  await expect(fetched(where)).rejects.toThrow(`it answered ${status}, and redirects are not followed`)
  expect(visits).toBe(0)
})

it.each([
  'http://login.example/keys',
  'http://10.0.0.7/keys',
  'http://127.0.0.1.login.example/keys',
  'http://localhost.login.example/keys',
  'http://[::2]/keys',
  'data:application/json,{"keys":[]}',
  'file:///etc/keys.json',
  'ftp://login.example/keys',
])('does not fetch keys from %s, though the discovery document names it', async (jwksUri) => {
  const { keys: where } = await discovered((issuer) => ({ issuer, jwks_uri: jwksUri }))
  await expect(fetched(where)).rejects.toThrow(/the address must start with https:\/\//)
})

it.each([{}, { jwks_uri: 7 }, { jwks_uri: '/keys' }, { jwks_uri: ['https://login.example'] }])(
  'reports a discovery document without an address of the keys: %j',
  async (more) => {
    await expect(discovered((issuer) => ({ issuer, ...more }))).rejects.toThrow(/jwks_uri is missing/)
  },
)

it('names the token endpoint, unless that is no URL', async () => {
  const keys = 'https://login.example/keys'
  const tokenUrlOf = async (endpoint: unknown) =>
    (await discovered((issuer) => ({ issuer, jwks_uri: keys, token_endpoint: endpoint }))).token
  expect(await tokenUrlOf('https://login.example/token')).toBe('https://login.example/token')
  for (const endpoint of [undefined, 7, '/token']) expect(await tokenUrlOf(endpoint)).toBeUndefined()
})

it.each([null, 7, [], { issuer: 'https://login.example' }, { issuer: { toString: 1 } }])(
  'refuses a discovery document of another issuer: %j',
  async (document) => {
    await expect(discovered(() => document)).rejects.toMatchObject({ code: 'provider-unavailable' })
  },
)

it.each([
  'https://login.example/keys',
  'http://127.0.0.1:1/keys',
  'http://localhost/keys',
  'http://[::1]/keys',
])('accepts the address %s', (address) => {
  expect(addressFault(address, false)).toBeUndefined()
})

it('accepts plain HTTP from any host when allowed, and still no other scheme', () => {
  expect(addressFault('http://login.example', true)).toBeUndefined()
  expect(addressFault('data:,{}', true)).toMatch(/https/)
})
