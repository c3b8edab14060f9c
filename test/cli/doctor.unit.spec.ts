import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  comparePostgresClock,
  eventStoreClock,
  httpAddressOf,
  httpClock,
} from '../../src/cli/heatmark/doctor/clocks.ts'
import { duration, sizeText } from '../../src/cli/heatmark/doctor/finding.ts'
import { providerAddress } from '../../src/cli/heatmark/doctor/identityProvider.ts'
import { checkRoom } from '../../src/cli/heatmark/doctor/machine.ts'
import { findConditions } from '../../src/projections/engine/operations/conditions.ts'
import { createReadModels } from '../../src/projections/engine/schema/readModels.ts'
import type { ProjectionState } from '../../src/projections/engine/schema/schema.ts'
import type { EventStore } from '../../src/stores/eventStore.ts'

describe('clocks', () => {
  it('are compared with the middle of question and answer', () => {
    expect(comparePostgresClock({ askedAt: 1_000, heard: 1_200, time: 1_100 })).toEqual({
      check: 'clock of PostgreSQL',
      status: 'ok',
      found: "0 ms ahead of this machine's, ± 100 ms",
    })
  })

  it.each([
    [4_900, 'problem', '3.8 s ahead of'],
    [-2_700, 'problem', '3.8 s behind'],
    [3_000, 'ok', '1.9 s ahead of'],
  ])('that show %d ms, asked at 1,000 and heard at 1,200, give the status %s', (time, status, found) => {
    expect(comparePostgresClock({ askedAt: 1_000, heard: 1_200, time })).toMatchObject({
      status,
      found: expect.stringContaining(found),
    })
  })

  it.each([
    [301_500, /refuses every command/],
    [-301_500, /refuses every command/],
    [299_500, /^set both clocks by the same time server \(NTP\)$/],
  ])('that are %d ms apart give a finding that says whether the service still records', (time, todo) => {
    expect(comparePostgresClock({ askedAt: 0, heard: 1_000, time })).toMatchObject({
      status: 'problem',
      todo: expect.stringMatching(todo),
    })
  })

  it('are no problem when the answer took as long as they are apart', () => {
    expect(comparePostgresClock({ askedAt: 0, heard: 8_000, time: 0 })).toMatchObject({ status: 'ok' })
  })

  it('that tell whole seconds count as right anywhere in that second', () => {
    const date = 'Sat, 21 Nov 2026 03:16:03 GMT'
    const time = Date.parse(date)
    const told = { askedAt: time + 400, heard: time + 400 }
    expect(httpClock('it', date, told)).toMatchObject({
      status: 'ok',
      found: "100 ms ahead of this machine's, ± 500 ms",
    })
    expect(httpClock('it', undefined, told)).toMatchObject({ status: 'unknown' })
  })

  it.each([
    ['esdb://127.0.0.1:2113?tls=false', 'http://127.0.0.1:2113'],
    ['esdb://admin:changeit@a.example:2113,b.example:2114?nodePreference=leader', 'https://a.example:2113'],
    ['kurrentdb+discover://cluster.example', 'https://cluster.example:2113'],
  ])('are read from the store %s at the address %s', (url, address) => {
    expect(httpAddressOf(url)).toBe(address)
  })

  it('are unknown for a store that ends its connections without an answer', async () => {
    const proxy = createServer((socket) => socket.once('data', () => socket.end()))
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const clock = await eventStoreClock(`esdb://127.0.0.1:${port}?tls=false`, () => new Date(0))
    expect(clock).toMatchObject({ status: 'unknown', found: 'it does not tell the time' })
    proxy.close()
  })
})

it.each([
  [500, 1_000_000, 'problem'],
  [2 ** 30, 2 ** 40, 'problem'],
  [2 ** 31, 2 ** 33, 'ok'],
])('gives %d free bytes of %d the status %s', (free, total, status) => {
  expect(checkRoom('disk', { free, total }, '')).toMatchObject({ status })
})

it.each([
  [0, '0 B'],
  [2_048, '2 KiB'],
  [5 * 2 ** 20, '5 MiB'],
  [2.5 * 2 ** 30, '2.5 GiB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

it.each([
  [12, '12 ms'],
  [2_500, '2.5 s'],
  [600_000, '10 min'],
])('writes %d milliseconds as %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text)
})

it('takes the identity provider from the environment, else from dev.json', () => {
  const dev = { authUrl: 'http://127.0.0.1:9', tenant: 't' }
  expect(providerAddress({}, dev)).toEqual({
    issuer: 'http://127.0.0.1:9/t',
    jwksUrl: undefined,
    allowHttp: false,
    isEmbedded: true,
  })
  const named = { OIDC_ISSUER: 'https://login.example', OIDC_JWKS_URL: 'https://login.example/keys' }
  expect(providerAddress(named, dev)).toEqual({
    issuer: 'https://login.example',
    jwksUrl: 'https://login.example/keys',
    allowHttp: false,
    isEmbedded: false,
  })
  expect(providerAddress({}, { authUrl: 'http://127.0.0.1:9' })).toBeUndefined()
})

it.each([
  ['newer-release-running', /^run the newer release on every node/],
  [
    'error',
    /^run a release that can fold this event, then "heatmark projections rebuild tags"; if no release ever will, "heatmark projections skip tags --reason …" passes over it$/,
  ],
  [
    '42703',
    /^"heatmark projections rebuild tags", if somebody has changed its rows or tables by hand; else /,
  ],
])('gives advice for a projection that stopped with %s', async (code, todo) => {
  const place = { streamName: 's', revision: 0, position: 7, companyIds: [] }
  const event = { id: 'e', type: 'TagCreated', ...place, schemaVersion: 1 }
  const failure = { code, message: 'no', ofFold: true, event, at: '' }
  const state: ProjectionState = {
    name: 'tags',
    version: 1,
    status: 'failed',
    position: 0,
    eventId: null,
    generation: 1,
    failure,
  }
  const stores = { eventStore: {} as EventStore, postgres: { query: async () => [] } }
  const conditions = await findConditions({ ...stores, readModels: createReadModels('s', []) }, [state])
  expect(conditions.get('tags')).toEqual({
    status: 'failed',
    what: `stopped before TagCreated at 7: ${code}: no`,
    todo: expect.stringMatching(todo),
  })
})
