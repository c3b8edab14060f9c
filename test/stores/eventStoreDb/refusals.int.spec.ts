import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { Metadata, Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkEventStore } from '../../../src/cli/heatmark/doctor/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'

/** A server that refuses every read, as EventStoreDB refuses `$all` to a user who is no administrator. */
const server = new Server()
let port: number

beforeAll(async () => {
  server.addService(streams.StreamsService, {
    read(call: ServerWritableStream<unknown, unknown>) {
      const metadata = new Metadata()
      metadata.set('exception', 'access-denied')
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

const acl = '{"$acl":{"$r":["$admins","USER"]}}'

it('names the access list that a user without the right to read $all needs, also in the doctor', async () => {
  const url = `esdb://127.0.0.1:${port}?tls=false`
  const store = connectEventStore(url)
  const error = await store.last().catch((refused: unknown) => refused)
  expect(error).toMatchObject({ code: 'store-forbids' })
  expect((error as Error).message).toContain(acl)
  const { findings } = await checkEventStore(store, { url, isEmbedded: false }, () => 0)
  expect(findings).toMatchObject([
    { found: expect.stringContaining(acl), todo: expect.stringMatching(/administrator/) },
  ])
  await store.close()
})

it('says that TLS needs host names when the store has an IP address', async () => {
  const store = connectEventStore(`esdb://127.0.0.1:${port}`)
  await expect(store.last()).rejects.toThrow(
    /^event store: .*TLS needs a host name, and .* names 127\.0\.0\.1; .* NodeHostAdvertiseAs/,
  )
  await store.close()
})
