import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import {
  connectionString,
  eventStoreUrlFault,
  localAuthorization,
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

  it.each([
    ['esdb://u:p%40ss@127.0.0.1:2113?tls=false', 'u:p@ss'],
    ['esdb://u:p@localhost,127.0.0.1:2114?TLS=false', 'u:p'],
    ['esdb://u:p@127.0.0.1:2113', undefined],
    ['esdb://u:p@store:2113?tls=false', undefined],
    ['esdb://u:p@127.0.0.1,store:2113?tls=false', undefined],
    ['esdb://127.0.0.1:2113?tls=false', undefined],
  ])('gives its credential without TLS to this machine alone: %s', (url, credential) => {
    const sent = credential && `Basic ${Buffer.from(credential).toString('base64')}`
    expect(localAuthorization(url)).toBe(sent)
  })
})
