import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js'
import { invalidArgument, streamDeleted, timedOut, wrongExpectedVersion } from './faults.ts'
import { decodeExpected, decodeStreamName, toFault } from './requests.ts'
import type { Store } from './storage/store.ts'
import type { ExpectedRevision, WriteRequest } from './storage/types.ts'

export type DeleteCall = ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>
export type TombstoneCall = ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>

/** Answers Delete, which is soft: reads no longer show the events, and the next append numbers on after them. */
export function softDelete(store: Store, call: DeleteCall, answer: sendUnaryData<streams.DeleteResp>): void {
  deleteStream(store, 'softDelete', call, answer, (position) => {
    const response = new streams.DeleteResp()
    response.setPosition(fill(new streams.DeleteResp.Position(), position))
    return response
  })
}

/** Answers Tombstone, which closes the stream for ever. */
export function tombstone(
  store: Store,
  call: TombstoneCall,
  answer: sendUnaryData<streams.TombstoneResp>,
): void {
  deleteStream(store, 'tombstone', call, answer, (position) => {
    const response = new streams.TombstoneResp()
    response.setPosition(fill(new streams.TombstoneResp.Position(), position))
    return response
  })
}

function deleteStream<Response>(
  store: Store,
  kind: 'softDelete' | 'tombstone',
  call: ServerUnaryCall<streams.DeleteReq | streams.TombstoneReq, Response>,
  answer: sendUnaryData<Response>,
  encode: (position: number) => Response,
) {
  let request: WriteRequest
  try {
    request = decode(kind, call.request)
  } catch (error) {
    return answer(toFault(error))
  }
  const { stream, expected } = request
  store.write(
    request,
    () => call.cancelled,
    (outcome) => {
      if (!outcome) return answer(timedOut())
      if (outcome.result === 'streamDeleted') return answer(streamDeleted(stream))
      if (outcome.result === 'success') return answer(null, encode(outcome.position ?? 0))
      answer(wrongExpectedVersion(stream, asNumber(expected), outcome.current))
    },
  )
}

function decode(
  kind: 'softDelete' | 'tombstone',
  message: streams.DeleteReq | streams.TombstoneReq,
): WriteRequest {
  const options = message.getOptions()
  if (!options) throw invalidArgument('The delete has no options.')
  const stream = decodeStreamName(options.getStreamIdentifier())
  const expected = decodeExpected(options, options.hasRevision() ? options.getRevision() : undefined)
  return { kind, stream, expected, events: [] }
}

function fill<P extends streams.DeleteResp.Position | streams.TombstoneResp.Position>(
  target: P,
  position: number,
): P {
  target.setCommitPosition(String(position))
  target.setPreparePosition(String(position))
  return target
}

function asNumber(expected: ExpectedRevision): number {
  if (expected === 'any') return -2
  if (expected === 'noStream') return -1
  return expected === 'streamExists' ? -4 : expected
}
