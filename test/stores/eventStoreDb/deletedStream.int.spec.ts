import { StreamDeletedError } from '@eventstore/db-client'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EventStore, StoreUnavailable } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'

/** A server whose every stream is deleted, as EventStoreDB says it. The local node has no deletes. */

const stream = 'order-1'
const server = new Server()
function deleted() {
  const metadata = new Metadata()
  metadata.set('exception', 'stream-deleted')
  metadata.set('stream-name', stream)
  return { code: status.FAILED_PRECONDITION, details: 'deleted', metadata }
}
let store: EventStore

beforeAll(async () => {
  server.addService(streams.StreamsService, {
    read: (call: ServerWritableStream<streamsPb.ReadReq, streamsPb.ReadResp>) =>
      void call.emit('error', deleted()),
    append: (
      _call: ServerReadableStream<streamsPb.AppendReq, streamsPb.AppendResp>,
      answer: sendUnaryData<streamsPb.AppendResp>,
    ) => answer(deleted()),
  } as never)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  store = connectEventStore(`esdb://127.0.0.1:${port}?tls=false`)
})
afterAll(async () => {
  await store.close()
  server.forceShutdown()
})

it.each([
  ['a read', () => Array.fromAsync(store.readStream(stream, 0))],
  ['a read backwards', () => Array.fromAsync(store.readBack(stream))],
  [
    'an append',
    () =>
      store.append(stream, 0, [
        { id: crypto.randomUUID(), type: 'Happened', data: {}, metadata: {} as never },
      ]),
  ],
] as const)(
  'fails %s of a deleted stream as unavailable, with the words of the server',
  async (_what, call) => {
    const error = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect((error as Error).cause).toBeInstanceOf(StreamDeletedError)
  },
)
