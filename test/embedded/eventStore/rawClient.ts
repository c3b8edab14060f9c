import { createRequire } from 'node:module'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { credentials, type ServiceError } from '@grpc/grpc-js'

/** Makes calls that the official client never makes, for the rules about wrong requests. */

const { StreamsClient } = createRequire(import.meta.url)(
  '@eventstore/db-client/generated/streams_grpc_pb.js',
) as { StreamsClient: new (...args: unknown[]) => streamsGrpc.StreamsClient }

/** @param url the connection string of the store */
export function rawClient(url: string): streamsGrpc.StreamsClient {
  const { host } = new URL(url.replace(/^esdb/, 'http'))
  return new StreamsClient(host, credentials.createInsecure())
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

/** The first message of an append, at any revision. */
export function appendOptions(stream: string) {
  const options = new streams.AppendReq.Options()
  options.setStreamIdentifier(streamNamed(stream))
  options.setAny(new shared.Empty())
  const message = new streams.AppendReq()
  message.setOptions(options)
  return message
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

/** The trailers of the protocol. */
const protocolTrailers = ['exception', 'maximum-append-size', 'required-metadata-properties']

function trailersOf({ metadata }: ServiceError): Record<string, string> {
  const trailers = Object.entries(metadata.getMap()).filter(([name]) => protocolTrailers.includes(name))
  return Object.fromEntries(trailers) as Record<string, string>
}
