import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import {
  answersWithinMs,
  connectionString,
  eventStoreUrlFault,
  socketOf,
  socketUrl,
} from '../../../src/stores/eventStoreDb/url.ts'

describe('the address of the event store', () => {
  it.each([
    ['esdb://127.0.0.1:2113', 'esdb://127.0.0.1:2113?keepAliveTimeout=3000'],
    ['esdb+discover://store/', 'esdb+discover://store?keepAliveTimeout=3000'],
    ['esdb://store/?tls=false', 'esdb://store?tls=false&keepAliveTimeout=3000'],
    ['kurrentdb+discover://store', 'esdb+discover://store?keepAliveTimeout=3000'],
    [
      'esdb://u:p%40ss@a:2113,b:2114,c:2115?tls=false',
      'esdb://u:p%40ss@a:2113,b:2114,c:2115?tls=false&keepAliveTimeout=3000',
    ],
    ['esdb://a?keep_alive_timeout=9', 'esdb://a?keep_alive_timeout=9'],
    ['esdb://a?nodePreference=Leader', 'esdb://a?nodePreference=Leader&keepAliveTimeout=3000'],
    ['esdb://a?TLSVerifyCert=true', 'esdb://a?TLSVerifyCert=true&keepAliveTimeout=3000'],
  ])('%s is used as %s', async (url, used) => {
    expect(connectionString(url)).toBe(used)
    await connectEventStore(url).close()
  })

  it.each([
    ['esdb://u:hush@a?tsl=false&tls=false&colour=red', 'unknown options: "tsl", "colour"'],
    ['esdb://u:hush@a?tls=false&', 'unknown options: ""'],
    // With it, an append at a wrong revision would look as if it had succeeded.
    ['esdb://u:hush@a?throwOnAppendFailure=false', 'unknown options: "throwOnAppendFailure"'],
    ['esdb://u:hush@a?tls=', 'options without a value: "tls"'],
    ['esdb://u:hush@a?tlsVerifyCert=false', 'tlsVerifyCert, which has no effect'],
    ...['follower', 'random', 'readOnlyReplica', 'hush'].map((node) => [
      `esdb+discover://u:hush@a?node_preference=${node}`,
      'a nodePreference other than leader',
    ]),
    ['esdb://u:hu%sh@a', 'a % that begins no character'],
    ['esdb://u:hu%FFsh@a', 'a % that begins no character'],
    ['esdb://u:hu@sh@a', 'must be esdb://'],
    ['esdb://u:hu?sh=1@a', 'must be esdb://'],
    ['esdb://u:hu/sh@a', 'must be esdb://'],
    ['esdb://u:1?hush=x@a', 'must be esdb://'],
    ['esdb://', 'must be esdb://'],
    ['', 'must be esdb://'],
  ])('%s is refused', (url, fault) => {
    expect(eventStoreUrlFault(url)).toContain(fault)
    expect(() => connectEventStore(url)).toThrow(fault)
  })
})

it.each([
  ['esdb://store', 5_000],
  ['esdb+unix:///data/events.socket', 5_000],
  ['esdb://a:2113,b:2113?tls=false&default_deadline=12000', 12_000],
])('%s answers within %i ms', (url, ms) => {
  expect(eventStoreUrlFault(url)).toBeUndefined()
  expect(answersWithinMs(url)).toBe(ms)
})

describe('a password in it', () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each([
    'esdb://admin:hush@store:2113?tsl=false',
    'esdb://admin:hush@store:2113?tlsVerifyCert=false',
    'esdb://admin:hush@store:2113?tls=maybe',
    'esdb://admin:hush@store:2113?nodePreference=hush',
    'esdb://admin:hush@store:port',
    'esdb://admin:hush',
    'esdb://admin:hush@store:2113?tlsCAFile=nowhere.pem',
    'esdb://admin:hu%FFsh@store',
    'esdb://admin:hush@',
    'esdb://ad:min:hush@store',
    'http://admin:hush@store',
  ])('is in no output and no error: %s', (url) => {
    const printed: unknown[] = []
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...all) => void printed.push(all))
    let thrown: unknown
    try {
      connectEventStore(url)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(Error)
    const { stack: _, ...rest } = Object.getOwnPropertyDescriptors(thrown)
    expect(inspect([rest, printed], { depth: 9 })).not.toMatch(/hush|sh@/)
    expect(printed).toEqual([])
  })
})

it.each(['/data/events.sqlite.socket', '/home/Jürgen Höfer/100 % #1?/events.sqlite.socket'])(
  'names a socket by its path: %s',
  (path) => {
    expect(eventStoreUrlFault(socketUrl(path))).toBeUndefined()
    expect(socketOf(socketUrl(path))).toBe(path)
  },
)

it.each(['esdb+unix://data/events.socket', 'esdb+unix:///', 'esdb+unix:///data/%', 'esdb://store:2113/a'])(
  'finds no socket in %s',
  (url) => {
    expect(eventStoreUrlFault(url)).not.toBeUndefined()
    expect(socketOf(url)).toBeUndefined()
  },
)
