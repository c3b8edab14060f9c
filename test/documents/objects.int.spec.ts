import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLocalObjects } from '../../src/documents/localObjects.ts'
import type { ObjectStore } from '../../src/documents/objects.ts'
import { claim, ownerOf } from '../../src/documents/owner.ts'
import { bucketIn } from '../../src/documents/place.ts'
import { openS3Objects } from '../../src/documents/s3Objects.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'

/** All stores of objects behave alike. DOCUMENTS_URL and DOCUMENTS_ENDPOINT name another server to check. */

interface UnderTest {
  readonly objects: ObjectStore
  /** Open a store with nothing in it. */
  another(): ObjectStore
  /** Open the same bucket, so that a larger object is copied in parts of so many bytes. */
  inParts?(bytes: number): ObjectStore
  /** The server honours a condition, or there is none to ask. */
  readonly keepsObjects: boolean
  /** The parts and drafts that unfinished uploads have left. */
  leftOvers(): Promise<readonly unknown[]>
  stop(): Promise<void>
}

const dataDir = newDataDir()
afterAll(() => removeDataDir(dataDir))

function localFiles(): UnderTest {
  const folder = join(dataDir, 'documents')
  return {
    objects: openLocalObjects(folder),
    another: () => openLocalObjects(join(dataDir, randomUUID())),
    keepsObjects: true,
    leftOvers: async () =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.part'))
        : [],
    stop: async () => {},
  }
}

async function bucket(): Promise<UnderTest> {
  const { DOCUMENTS_URL, DOCUMENTS_ENDPOINT } = process.env
  process.env.AWS_ACCESS_KEY_ID ??= 'spec'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'spec'
  const region = process.env.AWS_REGION ?? 'us-east-1'
  let server: FauxqsServer | undefined
  if (!DOCUMENTS_URL) server = await startFauxqs({ port: 0, logger: false })
  const endpoint = server ? `http://127.0.0.1:${server.port}` : DOCUMENTS_ENDPOINT
  const given = bucketIn(DOCUMENTS_URL ?? 's3://documents')!
  const client = new S3Client({ region, ...(endpoint && { endpoint, forcePathStyle: true }) })
  if (server) await client.send(new CreateBucketCommand({ Bucket: given.bucket }))
  const place = () => ({ ...given, prefix: `${given.prefix}${randomUUID()}/`, endpoint, region })
  const own = place()
  return {
    objects: openS3Objects(own),
    another: () => openS3Objects(place()),
    inParts: (bytes) => openS3Objects(own, bytes),
    // fauxqs replaces an object although it is asked not to.
    keepsObjects: server === undefined,
    leftOvers: async () => {
      const { Uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket: own.bucket, Prefix: own.prefix }),
      )
      return Uploads
    },
    stop: async () => {
      client.destroy()
      await server?.stop()
    },
  }
}

/** In pieces as a connection brings them. */
async function* inPieces(bytes: Buffer, size = 65_537): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function keysOf(objects: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of objects.list(prefix)) keys.push(key)
  return keys.sort()
}

describe.each([
  ['a folder', async () => localFiles()],
  ['a bucket', bucket],
])('objects in %s', (_place, open) => {
  let stage: UnderTest
  let objects: ObjectStore
  beforeAll(async () => {
    stage = await open()
    objects = stage.objects
  })
  afterAll(async () => {
    objects.close()
    await stage.stop()
  })

  it.each([0, 1, 5_242_879, 5_242_880, 12_000_000])(
    'gives back exactly the %i bytes that were put',
    async (size) => {
      const bytes = randomBytes(size)
      const key = `sizes/${randomUUID()}`
      await objects.put(key, inPieces(bytes))
      const found = (await objects.get(key))!
      expect(found.bytes).toBe(size)
      expect(sha256(await buffer(found.content))).toBe(sha256(bytes))
      expect(await objects.head(key)).toMatchObject({ bytes: size })
      expect(Math.abs(Date.now() - (await objects.head(key))!.storedAt.getTime())).toBeLessThan(60_000)
    },
  )

  it('gives back any part, with the size of the whole', async () => {
    const bytes = randomBytes(100_000)
    await objects.put('parts/one', inPieces(bytes))
    for (const [first, last] of [
      [0, 0],
      [0, 99_999],
      [65_000, 66_000],
      [99_999, 99_999],
    ] as const) {
      const found = (await objects.get('parts/one', { first, last }))!
      expect(found.bytes).toBe(100_000)
      expect(sha256(await buffer(found.content))).toBe(sha256(bytes.subarray(first, last + 1)))
    }
  })

  it('replaces an object', async () => {
    await objects.put('again/one', inPieces(Buffer.from('first')))
    await objects.put('again/one', inPieces(Buffer.from('second')))
    expect(String(await buffer((await objects.get('again/one'))!.content))).toBe('second')
  })

  it('has no object where none was put', async () => {
    expect(await objects.get('nothing/here')).toBeUndefined()
    expect(await objects.head('nothing/here')).toBeUndefined()
    expect(await keysOf(objects, 'nothing/')).toEqual([])
    await objects.delete('nothing/here')
  })

  it('moves an object', async () => {
    const key = `to/${sha256(Buffer.from('x'))}/${randomUUID()}`
    await objects.put('incoming/one', inPieces(Buffer.from('moved')))
    await objects.move('incoming/one', key)
    expect(String(await buffer((await objects.get(key))!.content))).toBe('moved')
    expect(await objects.head('incoming/one')).toBeUndefined()
  })

  it('lists the objects under a prefix, and not those that were deleted', async () => {
    for (const key of ['list/a/one', 'list/a/two', 'list/b/one', 'listed'])
      await objects.put(key, inPieces(Buffer.from(key)))
    expect(await keysOf(objects, 'list/')).toEqual(['list/a/one', 'list/a/two', 'list/b/one'])
    expect(await keysOf(objects, 'list/a/')).toEqual(['list/a/one', 'list/a/two'])
    await objects.delete('list/a/one')
    expect(await keysOf(objects, 'list/')).toEqual(['list/a/two', 'list/b/one'])
    for await (const { bytes } of objects.list('listed')) expect(bytes).toBe('listed'.length)
  })

  it.each([10, 7_000_000])('leaves nothing of an upload that breaks off after %i bytes', async (size) => {
    const gone = new Error('the client has gone')
    const broken = async function* () {
      yield* inPieces(randomBytes(size))
      throw gone
    }
    await expect(objects.put('broken/one', broken())).rejects.toBe(gone)
    expect(await objects.head('broken/one')).toBeUndefined()
    expect(await keysOf(objects, 'broken/')).toEqual([])
    expect(await stage.leftOvers()).toEqual([])
  })

  it('keeps uploads at the same moment apart', async () => {
    const all = Array.from({ length: 8 }, (_, n) => ({ key: `many/${n}`, bytes: randomBytes(300_000 + n) }))
    await Promise.all(all.map(({ key, bytes }) => objects.put(key, inPieces(bytes, 10_000))))
    for (const { key, bytes } of all)
      expect(sha256(await buffer((await objects.get(key))!.content))).toBe(sha256(bytes))
  })

  it('has the whole of one of two uploads that write one object at the same moment', async () => {
    const both = [randomBytes(300_000), randomBytes(200_000)]
    await Promise.all(both.map((bytes) => objects.put('twins/one', inPieces(bytes, 10_000))))
    const found = sha256(await buffer((await objects.get('twins/one'))!.content))
    expect(both.map(sha256)).toContain(found)
    expect(await stage.leftOvers()).toEqual([])
  })

  it('belongs to the first event store that claims it, and to no other', async () => {
    const fresh = stage.another()
    const [ours, theirs] = [randomUUID(), randomUUID()]
    await claim(fresh, ours, async () => {})
    await claim(fresh, ours)
    await expect(claim(fresh, theirs)).rejects.toMatchObject({ code: 'objects-of-another-store' })
    fresh.close()
  })

  it('belongs to one of the event stores that claim it at the same moment', async () => {
    const fresh = stage.another()
    await claimTogether(fresh)
    fresh.close()
  })

  it('stores a new object, and leaves one that is there as it is', async () => {
    const fresh = stage.another()
    expect(await fresh.putNew('new', Buffer.from('first'))).toBe(true)
    expect(String(await buffer((await fresh.get('new'))!.content))).toBe('first')
    expect(await keysOf(fresh, '')).toEqual(['new'])
    if (stage.keepsObjects) {
      expect(await fresh.putNew('new', Buffer.from('second'))).toBe(false)
      expect(String(await buffer((await fresh.get('new'))!.content))).toBe('first')
    }
    fresh.close()
  })
})

/** Let several event stores claim the objects at the same moment: only one of them owns the objects, now and later. */
async function claimTogether(objects: ObjectStore): Promise<void> {
  const storeIds = Array.from({ length: 5 }, () => randomUUID())
  const written = storeIds.map(() => Promise.withResolvers<void>())
  const allHaveWritten = Promise.all(written.map(({ promise }) => promise)).then(() => {})
  const claims = await Promise.allSettled(
    storeIds.map((storeId, n) => {
      // A claim that waits for the others, or that has ended, writes nothing more.
      const hasWritten = written[n]!.resolve
      const settled = () => {
        hasWritten()
        return allHaveWritten
      }
      return claim(objects, storeId, settled).finally(hasWritten)
    }),
  )
  const owners = storeIds.filter((_, index) => claims[index]!.status === 'fulfilled')
  expect(owners).toEqual([await ownerOf(objects)])
  for (const one of claims)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'objects-of-another-store' })
  for (const storeId of storeIds)
    if (!owners.includes(storeId))
      await expect(claim(objects, storeId)).rejects.toMatchObject({ code: 'objects-of-another-store' })
}

describe('objects in a folder', () => {
  afterEach(() => vi.restoreAllMocks())

  it('says that the disk is full, and leaves nothing', async () => {
    const folder = join(dataDir, 'full')
    const objects = openLocalObjects(folder)
    const handle = await open(join(dataDir, 'any'), 'w')
    await handle.close()
    let written = 0
    vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockImplementation(async () => {
      written += 1
      if (written > 2) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    })
    await expect(objects.put('incoming/one', inPieces(randomBytes(400_000)))).rejects.toMatchObject({
      code: 'objects-full',
    })
    expect(written).toBe(3)
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  })

  it('says that it is unavailable when the folder cannot be used', async () => {
    const file = join(dataDir, 'file')
    writeFileSync(file, '')
    const objects = openLocalObjects(join(file, 'documents'))
    await expect(objects.put('one', inPieces(Buffer.from('x')))).rejects.toMatchObject({
      code: 'objects-unavailable',
    })
    await expect(objects.get('one')).rejects.toMatchObject({ code: 'objects-unavailable' })
  })

  it.each(['../out', 'a/../../out', '/etc/passwd', 'a//b', 'a\0b', '.', 'a/..'])(
    'refuses %j, which may lead out of the folder',
    async (key) => {
      const objects = openLocalObjects(join(dataDir, 'documents'))
      await expect(objects.put(key, Readable.from([Buffer.from('x')]))).rejects.toThrow('not the key')
    },
  )
})

/** A server of objects, as small as these specs need it. */
async function startServer(onCondition: 'keep' | 'not implemented') {
  let stored = 0
  const objects = new Map<string, Buffer>()
  const refuse = (res: ServerResponse, status: number, code: string) =>
    res.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
  const server = createServer(async (req, res) => {
    const key = new URL(req.url!, 'http://any').pathname
    if (req.method === 'PUT') {
      const content = await buffer(req)
      const isConditional = req.headers['if-none-match'] === '*'
      if (isConditional && onCondition === 'not implemented') return refuse(res, 501, 'NotImplemented')
      if (isConditional && objects.has(key)) return refuse(res, 412, 'PreconditionFailed')
      objects.set(key, content)
      stored += 1
      return res.end()
    }
    const content = objects.get(key)
    return content ? res.end(content) : refuse(res, 404, 'NoSuchKey')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { endpoint: `http://127.0.0.1:${port}`, stored: () => stored, stop: () => server.close() }
}

describe('objects in a bucket', () => {
  it.each(['keep', 'not implemented'] as const)(
    'belong to one event store when the server answers conditions with "%s"',
    async (onCondition) => {
      const { endpoint, stored, stop } = await startServer(onCondition)
      const objects = openS3Objects({ bucket: 'documents', prefix: '', region: 'us-east-1', endpoint })
      await claimTogether(objects)
      if (onCondition === 'keep') expect(stored()).toBe(1)
      objects.close()
      stop()
    },
  )

  it('are moved in parts when they are too large for one request', async () => {
    const stage = await bucket()
    const bytes = randomBytes(12_000_001)
    const objects = stage.inParts!(5_242_880)
    await objects.put('incoming/large', inPieces(bytes))
    await objects.move('incoming/large', 'moved/large')
    expect(sha256(await buffer((await objects.get('moved/large'))!.content))).toBe(sha256(bytes))
    expect(await keysOf(objects, '')).toEqual(['moved/large'])
    expect(await stage.leftOvers()).toEqual([])
    await expect(objects.move('incoming/gone', 'moved/gone')).rejects.toMatchObject({
      code: 'objects-unavailable',
    })
    objects.close()
    stage.objects.close()
    await stage.stop()
  })

  it('names the setting without which no bucket can be asked', async () => {
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined)
    const objects = openS3Objects({ bucket: 'documents', prefix: '', region: undefined, endpoint: undefined })
    await expect(objects.head('one')).rejects.toMatchObject({
      code: 'objects-not-set',
      message: 'the operator has to set AWS_REGION',
    })
    vi.unstubAllEnvs()
    objects.close()
  })

  it('says that it is unavailable when the server does not answer', async () => {
    const place = { bucket: 'documents', prefix: '', region: 'us-east-1', endpoint: 'http://127.0.0.1:1' }
    const objects = openS3Objects(place)
    await expect(objects.head('one')).rejects.toMatchObject({ code: 'objects-unavailable' })
    await expect(objects.put('one', inPieces(Buffer.from('x')))).rejects.toMatchObject({
      code: 'objects-unavailable',
    })
    objects.close()
  })
})
