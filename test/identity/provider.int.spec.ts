import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import {
  addressFault,
  answerInTime,
  fetchDocument,
  findKeysAddress,
  ProviderUnavailable,
} from '../../src/identity/provider.ts'
import { until } from '../support/until.ts'

/** Requests to a provider that is broken, or not who it should be. */

const servers: Server[] = []
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const fetched = (where: string) => fetchDocument(where, false, answerInTime())
const discovered = async (document: (issuer: string) => unknown) => {
  const issuer: string = await serve((_, res) => res.end(JSON.stringify(document(issuer))))
  return findKeysAddress({ issuer, jwksUrl: undefined, allowHttp: false }, answerInTime())
}
const sized = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))

it('takes 256 KiB, and no byte more', async () => {
  const where = await serve((req, res) => res.end(sized(Number(req.url!.slice(1)))))
  expect((await fetched(`${where}/262144`)).content).toHaveLength(262_142)
  await expect(fetched(`${where}/262145`)).rejects.toThrow('its answer is larger than 262144 bytes')
})

it('counts bytes as they are unpacked', async () => {
  const where = await serve((_, res) => {
    res.writeHead(200, { 'content-encoding': 'gzip' })
    res.end(gzipSync(sized(50_000_000)))
  })
  await expect(fetched(where)).rejects.toThrow('its answer is larger')
})

it('hangs up on an answer without end', async () => {
  let closed = false
  const where = await serve((_, res) => {
    const piece = 'x'.repeat(65_536)
    const write = () => {
      while (!res.destroyed && res.write(piece));
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
  const where = await discovered((issuer) => ({ issuer, jwks_uri: jwksUri }))
  await expect(fetched(where)).rejects.toThrow(/the address must start with https:\/\//)
})

it.each([{}, { jwks_uri: 7 }, { jwks_uri: '/keys' }, { jwks_uri: ['https://login.example'] }])(
  'says that the discovery document names no address: %j',
  async (more) => {
    await expect(discovered((issuer) => ({ issuer, ...more }))).rejects.toThrow(/jwks_uri is missing/)
  },
)

it.each([null, 7, [], { issuer: 'https://login.example' }, { issuer: { toString: 1 } }])(
  'wants a discovery document to name the issuer itself, not %j',
  async (document) => {
    await expect(discovered(() => document)).rejects.toThrow(ProviderUnavailable)
  },
)

it.each([
  'https://login.example/keys',
  'http://127.0.0.1:1/keys',
  'http://localhost/keys',
  'http://[::1]/keys',
])('finds no fault with the address %s', (address) => {
  expect(addressFault(address, false)).toBeUndefined()
})

it('takes plain HTTP from anywhere when that is allowed, and nothing else', () => {
  expect(addressFault('http://login.example', true)).toBeUndefined()
  expect(addressFault('data:,{}', true)).toMatch(/https/)
})
