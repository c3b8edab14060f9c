import { createRequire } from 'node:module'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { credentials, InterceptingCall, type Interceptor, type ServiceError } from '@grpc/grpc-js'
import timestamp from 'google-protobuf/google/protobuf/timestamp_pb.js'

/** Makes calls that the official client never makes, for the rules about wrong requests. */

const { StreamsClient } = createRequire(import.meta.url)(
  '@eventstore/db-client/generated/streams_grpc_pb.js',
) as {
  StreamsClient: new (...args: unknown[]) => streamsGrpc.StreamsClient
}

/** @param url the connection string of the store */
export function rawClient(url: string): streamsGrpc.StreamsClient {
  const { host, username, password } = new URL(url.replace(/^esdb/, 'http'))
  const sayWho: Interceptor = (options, next) =>
    new InterceptingCall(next(options), {
      start: (metadata, listener, start) => {
        metadata.set('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
        start(metadata, listener)
      },
    })
  return new StreamsClient(host, credentials.createInsecure(), { interceptors: username ? [sayWho] : [] })
}

export function streamNamed(stream: string) {
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from(stream))
  return name
}

export function uuid(id: string) {
  const value = new shared.UUID()
  value.setString(id)
  return value
}

/** The first message of a plain append, at any revision. */
export function appendOptions(stream: string) {
  const options = new streams.AppendReq.Options()
  options.setStreamIdentifier(streamNamed(stream))
  options.setAny(new shared.Empty())
  const message = new streams.AppendReq()
  message.setOptions(options)
  return message
}

export interface BatchPart {
  correlationId: string
  /** Only the first part has options. */
  options?: { stream?: string; deadline?: Date; withoutRevision?: boolean }
  events?: { id: string; type?: string; data?: Buffer }[]
  isFinal: boolean
}

/** A part of a BatchAppend, at any revision. */
function batchPart({ correlationId, options, events = [], isFinal }: BatchPart) {
  const part = new streams.BatchAppendReq()
  part.setCorrelationId(uuid(correlationId))
  part.setIsFinal(isFinal)
  if (options) {
    const set = new streams.BatchAppendReq.Options()
    if (options.stream !== undefined) set.setStreamIdentifier(streamNamed(options.stream))
    if (!options.withoutRevision) set.setAny(new shared.Empty() as never)
    if (options.deadline) set.setDeadline(timestamp.Timestamp.fromDate(options.deadline))
    part.setOptions(set)
  }
  for (const { id, type = 'Happened', data = Buffer.from('{}') } of events) {
    const message = new streams.BatchAppendReq.ProposedMessage()
    message.setId(uuid(id))
    if (type !== '') message.getMetadataMap().set('type', type)
    message.getMetadataMap().set('content-type', 'application/json')
    message.setData(data)
    part.addProposedMessages(message)
  }
  return part
}

/** An answer of BatchAppend in short. */
export interface BatchAnswer {
  correlationId: string
  stream: string | undefined
  revision?: number
  error?: { code: number; type: string }
}

/** Opens a BatchAppend and gathers its answers. */
export function openBatch(client: streamsGrpc.StreamsClient) {
  const call = client.batchAppend()
  const answers: BatchAnswer[] = []
  const errors: ServiceError[] = []
  call.on('data', (response: streams.BatchAppendResp) => answers.push(inShort(response)))
  call.on('error', (error: ServiceError) => errors.push(error))
  return { answers, errors, send: (part: BatchPart) => call.write(batchPart(part)), end: () => call.end() }
}

function inShort(response: streams.BatchAppendResp): BatchAnswer {
  const identifier = response.getStreamIdentifier()
  const answer = {
    correlationId: response.getCorrelationId()!.getString(),
    stream: identifier && Buffer.from(identifier.getStreamName_asU8()).toString(),
  }
  const error = response.getError()
  if (!error) return { ...answer, revision: Number(response.getSuccess()!.getCurrentRevision()) }
  return { ...answer, error: { code: error.getCode(), type: error.getDetails()!.getTypeName() } }
}

/** The status and the trailers of the call's refusal. */
export function refusal<Response>(
  call: (answer: (error: ServiceError | null, response: Response) => void) => void,
): Promise<{ code: number; trailers: Record<string, string> }> {
  return new Promise((resolve, reject) => {
    call((error) => {
      if (!error) return reject(new Error('the call was not refused'))
      resolve({ code: error.code, trailers: trailersOf(error) })
    })
  })
}

/** The trailers of the protocol. A server may send more, such as its name. */
const protocolTrailers = ['exception', 'maximum-append-size', 'required-metadata-properties']

function trailersOf({ metadata }: ServiceError): Record<string, string> {
  const trailers = Object.entries(metadata.getMap()).filter(([name]) => protocolTrailers.includes(name))
  return Object.fromEntries(trailers) as Record<string, string>
}
