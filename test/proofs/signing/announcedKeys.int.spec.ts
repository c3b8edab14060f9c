import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ensureStore, storeStream } from '../../../src/projections/engine/schema/store.ts'
import { createKeys, replaceKey } from '../../../src/proofs/signing/announcedKeys.ts'
import { readSigningKey, thumbprintOf } from '../../../src/proofs/signing/signingKey.ts'
import type { EventStore } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { startStore, type TestStore } from '../../support/store.ts'

/** The keys that the store names, beside a real event store. */

const folder = mkdtempSync(join(tmpdir(), 'heatmark-keys-'))
const stamp = { newId: randomUUID, now: () => new Date() }
let node: TestStore
let store: EventStore
let storeId: string
beforeAll(() => {
  for (const name of ['first', 'second', 'third']) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(join(folder, name), pem, { mode: 0o600 })
  }
})
beforeEach(async () => {
  node = await startStore()
  store = connectEventStore(node.url)
  storeId = await ensureStore(store, randomUUID, () => new Date())
  return async () => {
    await store.close()
    await node.stop()
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const keysWith = (name: string | undefined) =>
  createKeys({ eventStore: store, storeId, stamp, place: name ? { file: join(folder, name) } : undefined })
const key = (name: string) => readSigningKey({ file: join(folder, name) })
const replace = (by: string, old: string | undefined) =>
  replaceKey(store, { storeId, stamp, key: key(by), old: old === undefined ? undefined : key(old) })
const announced = async () =>
  (await keysWith(undefined).list()).map(({ publicKey, isVouchedFor }) => [
    ['first', 'second', 'third'].find((name) => key(name).publicKey.equals(publicKey)),
    isVouchedFor,
  ])

describe('the keys of a store', () => {
  it('are the first that a process announces, however many begin at once', async () => {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => keysWith('first').own()))
    for (const other of others) expect(other!.publicKey).toEqual(first!.publicKey)
    expect(await announced()).toEqual([['first', null]])
  })

  it('do not include that of a process with another one, which signs nothing', async () => {
    await keysWith('first').own()
    await expect(keysWith('second').own()).rejects.toMatchObject({
      code: 'signing-key-differs',
      message: expect.stringContaining(thumbprintOf(key('second').publicKey)),
    })
    expect(await announced()).toEqual([['first', null]])
    await expect(keysWith(undefined).own()).rejects.toMatchObject({ code: 'signing-key-missing' })
  })

  it('are replaced with the signatures of both, and then the old one signs nothing', async () => {
    const [old, present] = [keysWith('first'), keysWith('second')]
    await old.own()
    await expect(replace('third', 'second')).rejects.toThrow('the key to replace is')
    await replace('second', 'first')
    await replace('second', 'first')
    expect(await announced()).toEqual([
      ['second', true],
      ['first', null],
    ])
    expect((await present.own()).publicKey).toEqual(key('second').publicKey)
    await expect(old.own()).rejects.toMatchObject({ code: 'signing-key-differs' })
  })

  it('tell that a lost key did not vouch for the next one', async () => {
    await keysWith('first').own()
    await replace('second', undefined)
    await replace('third', 'second')
    expect(await announced()).toEqual([
      ['third', true],
      ['second', false],
      ['first', null],
    ])
  })

  it('do not include one that its own key did not announce, or that replaces another than the last', async () => {
    await keysWith('first').own()
    await replace('second', 'first')
    const events: { data: { x: string } }[] = []
    for await (const event of store.readStream(storeStream, 1)) events.push(event as never)
    const [first, second] = events
    const x = key('third').publicKey.toString('base64url')
    const forged = [{ ...second!.data, x }, { ...second!.data, replaces: second!.data.x, x }, first!.data]
    const copies = forged.map((data) => ({ ...second!, id: randomUUID(), data }))
    await store.append(storeStream, 2, copies as never)
    expect(await announced()).toEqual([
      ['second', true],
      ['first', null],
    ])
  })
})

describe('the file of a private key', () => {
  it('must be closed to other accounts', () => {
    const file = join(folder, 'first')
    for (const mode of [0o640, 0o604, 0o644]) {
      chmodSync(file, mode)
      expect(() => readSigningKey({ file }), mode.toString(8)).toThrow(`chmod 600 ${file}`)
    }
    for (const mode of [0o600, 0o400]) {
      chmodSync(file, mode)
      expect(readSigningKey({ file }).publicKey).toHaveLength(32)
    }
  })

  it('must hold an Ed25519 key', () => {
    const file = join(folder, 'other')
    for (const content of [
      'no PEM',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ]) {
      writeFileSync(file, content, { mode: 0o600 })
      expect(() => readSigningKey({ file })).toThrow(`SIGNING_KEY: ${file} is not a PEM file with an Ed25519`)
    }
  })
})
