import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeUrl, rememberedPassword } from '../../../src/embedded/eventStore/access.ts'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { newDataDir, removeDataDir } from '../../support/dataDir.ts'
import { startStore, type TestStore } from '../../support/store.ts'
import { appendOptions, rawClient, refusal } from './rawClient.ts'
import { anEvent, collect, newStream, rejection } from './storeUnderTest.ts'

let store: TestStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store.stop())

const unauthenticated = 16

describe.each([
  ['without a credential', (url: string) => url.replace(/\/\/.*@/, '//')],
  ['with another password', (url: string) => url.replace(/.@/, '@')],
  ['with another user', (url: string) => url.replace('//', '//x')],
])('a caller %s', (_who, otherwise) => {
  it('is refused every call', async () => {
    const client = openClient(otherwise(store.url))
    const raw = rawClient(otherwise(store.url))
    const refused = { code: unauthenticated }
    expect(await rejection(collect(client.readAll()))).toMatchObject(refused)
    expect(await rejection(collect(client.readStream('tags')))).toMatchObject(refused)
    expect(await rejection(collect(client.subscribeToAll()))).toMatchObject(refused)
    expect(await rejection(client.appendToStream(newStream(), anEvent()))).toMatchObject(refused)
    const plain = refusal((answer) => {
      const call = raw.append(answer)
      call.on('error', () => undefined)
      call.end(appendOptions(newStream()))
    })
    expect(await plain).toMatchObject(refused)
    raw.close()
    await client.dispose()
  })
})

it('answers a caller with the credential, which nothing of the refused calls has reached', async () => {
  const client = openClient(store.url)
  await client.appendToStream(newStream(), anEvent('Known'))
  expect((await collect(client.readAll())).map(({ event }) => event?.type)).toEqual(['Known'])
  await client.dispose()
})

it('keeps one password for each folder, in a file for its owner alone', () => {
  const folders = [newDataDir(), newDataDir()] as const
  const [one, other] = folders.map((folder) => join(folder, 'events.sqlite')) as [string, string]
  expect(rememberedPassword(one)).toMatch(/^[0-9a-f]{48}$/)
  expect(rememberedPassword(one)).toBe(rememberedPassword(one))
  expect(rememberedPassword(other)).not.toBe(rememberedPassword(one))
  expect(nodeUrl(one, 7)).toBe(`esdb://heatmark:${rememberedPassword(one)}@127.0.0.1:7?tls=false`)
  expect(statSync(join(folders[0], 'eventStore.json')).mode & 0o777).toBe(0o600)
  folders.forEach(removeDataDir)
})
