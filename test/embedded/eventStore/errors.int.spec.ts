import { randomUUID } from 'node:crypto'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServiceError } from '@grpc/grpc-js'
import { afterAll, describe, expect, it } from 'vitest'
import { startStore } from '../../support/store.ts'
import { appendOptions, rawClient, refusal, streamNamed, uuid } from './rawClient.ts'
import { anEvent, collect, newStream, rejection, storeUnderTest } from './storeUnderTest.ts'

// Always a local node: such calls harm a real server, which others may use.
const { client, url } = await storeUnderTest(startStore())
const raw = rawClient(url)
afterAll(() => raw.close())

describe('status and trailers', () => {
  it('state the limit that an append exceeds', async () => {
    const refused = await append(newStream(), { data: Buffer.alloc(1024 * 1024 + 1) })
    expect(refused).toEqual({
      code: 3,
      trailers: { exception: 'maximum-append-size-exceeded', 'maximum-append-size': '1048576' },
    })
  })

  it('name the properties that every event needs', async () => {
    const missing = {
      code: 3,
      trailers: {
        exception: 'missing-required-metadata-property',
        'required-metadata-properties': 'type,content-type',
      },
    }
    expect(await append(newStream(), { properties: { 'content-type': 'application/json' } })).toEqual(missing)
    expect(await append(newStream(), { properties: { type: 'Happened' } })).toEqual(missing)
  })

  it('do not explain an empty stream name, nor an id that is not a UUID', async () => {
    const unknown = { code: 2, trailers: {} }
    expect(await append('', {})).toEqual(unknown)
    expect(await append(newStream(), { id: 'no uuid' })).toEqual(unknown)
    expect((await readError('')).code).toBe(2)
  })

  function readError(stream: string): Promise<ServiceError> {
    const start = new streams.ReadReq.Options.StreamOptions()
    start.setStreamIdentifier(streamNamed(stream))
    start.setStart(new shared.Empty())
    const options = new streams.ReadReq.Options()
    options.setStream(start)
    options.setCount('10')
    options.setNoFilter(new shared.Empty())
    const uuidOption = new streams.ReadReq.Options.UUIDOption()
    uuidOption.setString(new shared.Empty())
    options.setUuidOption(uuidOption)
    const request = new streams.ReadReq()
    request.setOptions(options)
    return new Promise((resolve) => {
      raw
        .read(request)
        .on('data', () => undefined)
        .on('error', (error) => resolve(error as ServiceError))
    })
  }

  interface Proposed {
    id?: string
    data?: Buffer
    properties?: Record<string, string>
  }

  function append(stream: string, { id = randomUUID(), data, properties }: Proposed) {
    const message = new streams.AppendReq.ProposedMessage()
    message.setId(uuid(id))
    message.setData(data ?? Buffer.from('{}'))
    const set = properties ?? { type: 'Happened', 'content-type': 'application/json' }
    for (const [key, value] of Object.entries(set)) message.getMetadataMap().set(key, value)
    const second = new streams.AppendReq()
    second.setProposedMessage(message)
    return refusal((answer) => {
      const call = raw.append(answer)
      call.on('error', () => undefined)
      call.write(appendOptions(stream))
      call.write(second)
      call.end()
    })
  }
})

it('accepts a deadline in a year', async () => {
  const appended = await client.appendToStream(newStream(), anEvent(), { deadline: 365 * 24 * 3_600_000 })
  expect(appended.success).toBe(true)
})

it('accepts an append to $all, because there are no users', async () => {
  expect(await client.appendToStream('$all', anEvent())).toMatchObject({ success: true })
})

it('refuses an append whose deadline has passed as deadline-exceeded', async () => {
  const stream = newStream()
  expect(await rejection(client.appendToStream(stream, anEvent(), { deadline: -1000 }))).toMatchObject({
    type: 'deadline-exceeded',
  })
  expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' })
})
