import shared from '@eventstore/db-client/generated/shared_pb.js'
import rpcStatus from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { status } from '@grpc/grpc-js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { MAX_APPEND_SIZE, STORE_FULL } from './faults.ts'
import type { ExpectedRevision, WriteOutcome } from './storage/types.ts'

/** Encodes the answers of BatchAppend. An error is a message: a `google.rpc.Status` with one detail that names it. */

export interface BatchError {
  code: status
  message: string
  /** The name of the detail's type, within `event_store.client`. */
  type: string
  detail: { serializeBinary(): Uint8Array }
}

export function timeout(): BatchError {
  return error(status.DEADLINE_EXCEEDED, 'Timeout', 'Timeout', new shared.Timeout())
}

export function badRequest(message: string): BatchError {
  const detail = new shared.BadRequest()
  detail.setMessage(message)
  return error(status.INVALID_ARGUMENT, message, 'BadRequest', detail)
}

export function maximumAppendSizeExceeded(): BatchError {
  const detail = new shared.MaximumAppendSizeExceeded()
  detail.setMaxappendsize(MAX_APPEND_SIZE)
  const message = `Maximum Append Size of ${MAX_APPEND_SIZE} Exceeded.`
  return error(status.INVALID_ARGUMENT, message, 'MaximumAppendSizeExceeded', detail)
}

/** The client knows no such type, and reports the message. */
export function storeFull(): BatchError {
  return error(status.RESOURCE_EXHAUSTED, STORE_FULL, 'StoreFull', new empty.Empty())
}

export function encodeSuccess(
  id: string,
  stream: string,
  { revision, position }: WriteOutcome & { result: 'success' },
) {
  const success = new streams.BatchAppendResp.Success()
  if (revision < 0) success.setNoStream(new empty.Empty())
  else success.setCurrentRevision(String(revision))
  if (position === undefined) success.setNoPosition(new empty.Empty())
  else success.setPosition(allPosition(position))
  const response = answerTo(id, stream)
  response.setSuccess(success)
  return response
}

export function encodeError(
  id: string,
  stream: string | undefined,
  { code, message, type, detail }: BatchError,
) {
  const details = new any.Any()
  details.pack(detail.serializeBinary(), `event_store.client.${type}`)
  const failure = new rpcStatus.Status()
  failure.setCode(code as number)
  failure.setMessage(message)
  failure.setDetails(details)
  const response = answerTo(id, stream)
  response.setError(failure)
  return response
}

export function wrongExpectedVersion(current: number, expected: ExpectedRevision): BatchError {
  const detail = new shared.WrongExpectedVersion()
  if (current < 0) detail.setCurrentNoStream(new empty.Empty())
  else detail.setCurrentStreamRevision(String(current))
  if (expected === 'any') detail.setExpectedAny(new empty.Empty())
  else if (expected === 'noStream') detail.setExpectedNoStream(new empty.Empty())
  else detail.setExpectedStreamPosition(String(expected))
  return error(status.ALREADY_EXISTS, 'WrongExpectedVersion', 'WrongExpectedVersion', detail)
}

/** An answer has no stream identifier when the request had none. */
function answerTo(id: string, stream: string | undefined) {
  const correlationId = new shared.UUID()
  correlationId.setString(id)
  const response = new streams.BatchAppendResp()
  response.setCorrelationId(correlationId)
  if (stream !== undefined) response.setStreamIdentifier(identifier(stream))
  return response
}

function identifier(stream: string) {
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from(stream))
  return name
}

function allPosition(position: number) {
  const all = new shared.AllStreamPosition()
  all.setCommitPosition(String(position))
  all.setPreparePosition(String(position))
  return all
}

function error(code: status, message: string, type: string, detail: BatchError['detail']): BatchError {
  return { code, message, type, detail }
}
