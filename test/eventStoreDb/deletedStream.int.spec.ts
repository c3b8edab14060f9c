import { StreamDeletedError } from '@eventstore/db-client'
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { encodeError } from '../../src/embedded/eventStore/batchResponses.ts'
import { supportedMethods } from '../../src/embedded/eventStore/nodeInfo.ts'
import { type EventStore, StoreUnavailable } from '../../src/eventStore.ts'
import { connectEventStore } from '../../src/eventStoreDb/connect.ts'

/** A server whose every stream is deleted, as EventStoreDB says it. The local node has no deletes. */

const stream = 'order-1'
const server = new Server()
let store: EventStore

beforeAll(async () => {
  server.addService(serverFeatures.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: sendUnaryData<unknown>) => answer(null, supportedMethods()),
  })
  server.addService(streams.StreamsService, {
    read(call: ServerWritableStream<streamsPb.ReadReq, streamsPb.ReadResp>) {
      const metadata = new Metadata()
      metadata.set('exception', 'stream-deleted')
      metadata.set('stream-name', stream)
      call.emit('error', { code: status.FAILED_PRECONDITION, details: 'deleted', metadata })
    },
    batchAppend(call: ServerDuplexStream<streamsPb.BatchAppendReq, streamsPb.BatchAppendResp>) {
      call.on('data', (part: streamsPb.BatchAppendReq) => {
        const detail = new shared.StreamDeleted()
        detail.setStreamIdentifier(part.getOptions()!.getStreamIdentifier())
        const error = { code: status.NOT_FOUND, message: 'deleted', type: 'StreamDeleted', detail }
        call.write(encodeError(part.getCorrelationId()!.getString(), stream, error))
      })
      call.on('end', () => call.end())
    },
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
