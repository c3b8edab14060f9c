import { randomUUID } from 'node:crypto'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServiceError } from '@grpc/grpc-js'
import { afterAll, describe, expect, it } from 'vitest'
import { until } from '../../../support/until.ts'
import { anEvent, collect, newStream, rejection, storeUnderTest } from '../storeUnderTest.ts'
import { appendOptions, openBatch, rawClient, refusal, streamNamed, uuid } from './rawClient.ts'

const { client, url } = await storeUnderTest()
const raw = rawClient(url)
afterAll(() => raw.close())

describe('status and trailers', () => {
  it('state the limit that a plain append exceeds', async () => {
    const refused = await plainAppend(newStream(), { data: Buffer.alloc(1024 * 1024 + 1) })
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
    expect(await plainAppend(newStream(), { properties: { 'content-type': 'application/json' } })).toEqual(
      missing,
    )
    expect(await plainAppend(newStream(), { properties: { type: 'Happened' } })).toEqual(missing)
  })

  it('do not explain an empty stream name, nor an id that is not a UUID', async () => {
    const unknown = { code: 2, trailers: {} }
    expect(await plainAppend('', {})).toEqual(unknown)
    expect(await plainAppend(newStream(), { id: 'no uuid' })).toEqual(unknown)
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

  function plainAppend(stream: string, { id = randomUUID(), data, properties }: Proposed) {
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

describe('BatchAppend', () => {
  it('answers each append once, by its correlation id, when their parts come mixed', async () => {
    const batch = openBatch(raw)
    const [one, two] = [randomUUID(), randomUUID()]
    const [oneStream, twoStream] = [newStream(), newStream()]
    const id = () => ({ id: randomUUID() })
    batch.send({ correlationId: one, options: { stream: oneStream }, events: [id()], isFinal: false })
    batch.send({ correlationId: two, options: { stream: twoStream }, events: [id()], isFinal: false })
    batch.send({ correlationId: one, events: [id(), id()], isFinal: false })
    batch.send({ correlationId: two, events: [], isFinal: true })
    batch.send({ correlationId: one, events: [id()], isFinal: true })
    await until(() => batch.answers.length === 2)
    expect(batch.answers).toEqual(
      expect.arrayContaining([
        { correlationId: one, stream: oneStream, revision: 3 },
        { correlationId: two, stream: twoStream, revision: 0 },
      ]),
    )
    batch.end()
  })

  it.each([
    [
      'a deadline that has passed',
      4,
      'Timeout',
      () => ({ options: { stream: newStream(), deadline: new Date(0) } }),
    ],
    [
      'no expected revision',
      3,
      'BadRequest',
      () => ({ options: { stream: newStream(), withoutRevision: true } }),
    ],
    ['no UUID', 3, 'BadRequest', () => ({ options: { stream: newStream() }, events: [{ id: 'no uuid' }] })],
    [
      'no type',
      3,
      'BadRequest',
      () => ({ options: { stream: newStream() }, events: [{ id: randomUUID(), type: '' }] }),
    ],
    [
      'too many bytes',
      3,
      'MaximumAppendSizeExceeded',
      () => ({
        options: { stream: newStream() },
        events: [{ id: randomUUID(), data: Buffer.alloc(1024 * 1024 + 1) }],
      }),
    ],
  ])('answers %s with an error in the message, and goes on', async (_what, code, type, part) => {
    const batch = openBatch(raw)
    const correlationId = randomUUID()
    batch.send({ correlationId, isFinal: true, ...part() })
    await until(() => batch.answers.length === 1)
    expect(batch.answers[0]).toMatchObject({
      correlationId,
      error: { code, type: `event_store.client.${type}` },
    })
    const next = {
      correlationId: randomUUID(),
      options: { stream: newStream() },
      events: [{ id: randomUUID() }],
    }
    batch.send({ ...next, isFinal: true })
    await until(() => batch.answers.some(({ correlationId }) => correlationId === next.correlationId))
    expect(batch.answers.at(-1)).toMatchObject({ correlationId: next.correlationId, revision: 0 })
    batch.end()
  })

  it('refuses an append without a stream, and cannot name one in its answer', async () => {
    const batch = openBatch(raw)
    const correlationId = randomUUID()
    batch.send({ correlationId, options: {}, events: [{ id: randomUUID() }], isFinal: true })
    await until(() => batch.answers.length + batch.errors.length > 0)
    for (const answer of batch.answers)
      expect(answer).toEqual({
        correlationId,
        stream: undefined,
        error: expect.objectContaining({ code: 3 }),
      })
    batch.end()
  })

  it('answers an append above the limit once, before its last part has come', async () => {
    const batch = openBatch(raw)
    const correlationId = randomUUID()
    const stream = newStream()
    const big = () => ({ id: randomUUID(), data: Buffer.alloc(700_000) })
    batch.send({ correlationId, options: { stream }, events: [big()], isFinal: false })
    batch.send({ correlationId, events: [big()], isFinal: false })
    batch.send({ correlationId, events: [big()], isFinal: true })
    const after = randomUUID()
    batch.send({ correlationId: after, options: { stream }, events: [{ id: randomUUID() }], isFinal: true })
    await until(() => batch.answers.length >= 2)
    expect(batch.answers.map((answer) => [answer.correlationId, answer.revision])).toEqual([
      [correlationId, undefined],
      [after, 0],
    ])
    batch.end()
  })

  it('ends an append at its deadline when its last part has not come, and writes nothing of it', async () => {
    const batch = openBatch(raw)
    const correlationId = randomUUID()
    const stream = newStream()
    const deadline = new Date(Date.now() + 300)
    batch.send({
      correlationId,
      options: { stream, deadline },
      events: [{ id: randomUUID() }],
      isFinal: false,
    })
    await until(() => batch.answers.length === 1)
    expect(batch.answers[0]).toMatchObject({ error: { code: 4, type: 'event_store.client.Timeout' } })
    batch.send({ correlationId, events: [{ id: randomUUID() }], isFinal: true })
    const after = randomUUID()
    batch.send({ correlationId: after, options: { stream: newStream() }, events: [], isFinal: true })
    await until(() => batch.answers.length === 2)
    expect(batch.answers[1]).toMatchObject({ correlationId: after })
    expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' })
    batch.end()
  })

  it('accepts a deadline in a year', async () => {
    const appended = await client.appendToStream(newStream(), anEvent(), { deadline: 365 * 24 * 3_600_000 })
    expect(appended.success).toBe(true)
  })
})

it.each([
  ['BatchAppend', {}],
  ['Append', { credentials: { username: 'admin', password: 'changeit' } }],
])('accepts an append to $all by %s, because there are no users', async (_way, by) => {
  expect(await client.appendToStream('$all', anEvent(), by)).toMatchObject({ success: true })
})

it('refuses an append whose deadline has passed as deadline-exceeded', async () => {
  const stream = newStream()
  expect(await rejection(client.appendToStream(stream, anEvent(), { deadline: -1000 }))).toMatchObject({
    type: 'deadline-exceeded',
  })
  expect(await rejection(collect(client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' })
})
