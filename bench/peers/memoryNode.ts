import { once } from 'node:events'
import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type serverFeaturesPb from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { supportedMethods } from '../../src/embedded/eventStore/nodeInfo.ts'

/**
 * Does as little as a server on @grpc/grpc-js can: it acknowledges every append without storing it, and answers
 * every read with the same event, EVENTS times, from memory. With SYNCED, it writes each append to that file and waits
 * for the disk before it answers: appends that arrive together share the wait.
 */
const events = Number(process.env.EVENTS ?? 0)
let revision = 0
const file = process.env.SYNCED === undefined ? undefined : openSync(process.env.SYNCED, 'a')
/** Answers to appends that are not on the disk yet. */
let waiting: { readonly bytes: Uint8Array; answer(): void }[] = []

const event = oneEvent()

const server = new Server()
server.addService(streamsService.StreamsService, {
  append(
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    answer: sendUnaryData<streams.AppendResp>,
  ) {
    const messages: streams.AppendReq[] = []
    call.on('data', (message) => messages.push(message))
    call.on('end', () => {
      const done = () => answer(null, appended())
      if (file === undefined) done()
      else sync(file, Buffer.concat(messages.map((message) => message.serializeBinary())), done)
    })
  },
  async read(call: ServerWritableStream<streams.ReadReq, streams.ReadResp>) {
    for (let sent = 0; sent < events && !call.cancelled; sent++)
      if (!call.write(event)) await once(call, 'drain')
    call.end()
  },
} as never)
server.addService(serverFeatures.ServerFeaturesService, {
  getSupportedMethods: (
    _call: ServerUnaryCall<shared.Empty, unknown>,
    answer: sendUnaryData<serverFeaturesPb.SupportedMethods>,
  ) => answer(null, supportedMethods()),
})
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, port) => {
  console.log(`esdb://127.0.0.1:${port}?tls=false`)
})
process.on('SIGTERM', () => process.exit())

/** Answer once the bytes are on the disk. */
function sync(file: number, bytes: Uint8Array, answer: () => void): void {
  waiting.push({ bytes, answer })
  if (waiting.length > 1) return
  setImmediate(() => {
    const group = waiting
    waiting = []
    writeSync(file, Buffer.concat(group.map((one) => one.bytes)))
    fdatasyncSync(file)
    for (const one of group) one.answer()
  })
}

function oneEvent(): streams.ReadResp {
  const id = new shared.UUID()
  id.setString('3f2b8c1e-5a47-4c0d-9b6e-1d2f3a4b5c6d')
  const stream = new shared.StreamIdentifier()
  stream.setStreamName(Buffer.from('bench-stream'))
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
  recorded.setId(id)
  recorded.setStreamIdentifier(stream)
  recorded.setStreamRevision('1')
  recorded.setPreparePosition('1')
  recorded.setCommitPosition('1')
  const metadata = recorded.getMetadataMap()
  metadata.set('type', 'BenchTagUpdated')
  metadata.set('content-type', 'application/json')
  metadata.set('created', `${Date.now()}0000`)
  recorded.setCustomMetadata(Buffer.from(process.env.METADATA ?? '{}'))
  recorded.setData(Buffer.from(process.env.DATA ?? '{}'))
  const event = new streams.ReadResp.ReadEvent()
  event.setEvent(recorded)
  event.setCommitPosition('1')
  const response = new streams.ReadResp()
  response.setEvent(event)
  return response
}

function appended(): streams.AppendResp {
  const success = new streams.AppendResp.Success()
  const position = new streams.AppendResp.Position()
  revision += 1
  position.setCommitPosition(String(revision))
  position.setPreparePosition(String(revision))
  success.setCurrentRevision(String(revision))
  success.setPosition(position)
  const response = new streams.AppendResp()
  response.setSuccess(success)
  return response
}
