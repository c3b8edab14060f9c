import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { Metadata, Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adviceOn } from '../../../src/cli/heatmark/advice.ts'
import { checkEventStore } from '../../../src/cli/heatmark/doctor/eventStore.ts'
import { changedText } from '../../../src/embedded/eventStore/storage/checksum.ts'
import type { RecordedEvent } from '../../../src/embedded/eventStore/storage/types.ts'
import { problemOf } from '../../../src/http/kit/problem.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'

/**
 * A server that refuses every read: `$all` as EventStoreDB refuses it to a user who is no administrator, and a stream as
 * the local node does whose file has changed.
 */
const server = new Server()
let port: number
let knowsNobody = false

beforeAll(async () => {
  server.addService(streams.StreamsService, {
    read(call: ServerWritableStream<{ getOptions(): { hasStream(): boolean } }, unknown>) {
      const metadata = new Metadata()
      metadata.set('exception', 'access-denied')
      if (knowsNobody)
        return call.emit('error', { code: status.UNAUTHENTICATED, details: 'Not Authenticated', metadata })
      if (call.request.getOptions().hasStream())
        return call.emit('error', { code: status.UNKNOWN, details: changedText(spoilt) })
      call.emit('error', { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata })
    },
  } as never)
  port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
})
afterAll(() => server.forceShutdown())

const spoilt = { position: 7, stream: 'spoilt', revision: 1, type: 'Happened' } as RecordedEvent

it('tells an event that has changed from a store that is away', async () => {
  const store = connectEventStore(`esdb://127.0.0.1:${port}?tls=false`)
  const error = await Array.fromAsync(store.readStream('spoilt', 0)).catch((refused: unknown) => refused)
  expect(error).toMatchObject({ code: 'event-damaged', message: expect.stringContaining('position 7') })
  expect(problemOf(error)).toMatchObject({ code: 'event-damaged', status: 503 })
  await store.close()
})

const acl = '{"$acl":{"$r":["$admins","USER"]}}'

it('names the access list that a user without the right to read $all needs, also to operators', async () => {
  const url = `esdb://127.0.0.1:${port}?tls=false`
  const store = connectEventStore(url)
  const error = await store.last().catch((refused: unknown) => refused)
  expect(error).toMatchObject({ code: 'store-forbids' })
  expect((error as Error).message).toContain(acl)
  const { findings } = await checkEventStore(store, { url, isEmbedded: false }, () => 0)
  expect(findings).toMatchObject([
    { found: expect.stringContaining(acl), todo: expect.stringMatching(/administrator/) },
  ])
  expect(adviceOn(error, { EVENTSTORE_URL: url })).toMatch(/administrator/)
  await store.close()
})

it('tells a user whom the store does not know from one who lacks a right', async () => {
  const store = connectEventStore(`esdb://stranger:hush@127.0.0.1:${port}?tls=false`)
  knowsNobody = true
  await expect(store.last()).rejects.toMatchObject({ code: 'store-refuses-user' })
  knowsNobody = false
  await store.close()
})

it('says that TLS needs host names when the store has an IP address', async () => {
  const store = connectEventStore(`esdb://127.0.0.1:${port}`)
  await expect(store.last()).rejects.toThrow(
    /^event store: .*TLS needs a host name, and .* names 127\.0\.0\.1; .* NodeHostAdvertiseAs/,
  )
  await store.close()
})
