import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerReadableStream, sendUnaryData } from '@grpc/grpc-js'
import {
  type Fault,
  invalidArgument,
  MAX_APPEND_SIZE,
  maximumAppendSizeExceeded,
  storeFull,
  timedOut,
  unavailable,
} from './faults.ts'
import { decodeEvent, decodeExpected, decodeStreamName, toFault } from './requests.ts'
import type { Store } from './storage/store.ts'
import type { ExpectedRevision, WriteOutcome, WriteRequest } from './storage/types.ts'

export type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>

/**
 * Answer the client-streaming Append: options first, then one message for each event.
 * @returns refuses the append if its last message has not come yet
 */
export function append(
  store: Store,
  call: AppendCall,
  answer: sendUnaryData<streams.AppendResp>,
): () => void {
  let request: WriteRequest | undefined
  let size = 0
  /** The append is refused or complete: no message of it is taken any more. */
  let over = false

  function refuse(fault: Fault): void {
    if (over) return
    over = true
    answer(fault)
  }

  call.on('data', (message: streams.AppendReq) => {
    if (over) return
    try {
      if (!request) {
        request = decodeOptions(message)
        return
      }
      const event = decodeEvent(message.getProposedMessage() ?? new streams.AppendReq.ProposedMessage())
      size += event.data.length
      if (size > MAX_APPEND_SIZE) return refuse(maximumAppendSizeExceeded())
      request.events.push(event)
    } catch (error) {
      refuse(toFault(error))
    }
  })

  call.on('end', () => {
    if (over) return
    if (!request) return refuse(invalidArgument('The append has no options.'))
    over = true
    const { expected } = request
    store.write(
      request,
      () => call.cancelled,
      (outcome) => {
        if (!outcome) return answer(timedOut())
        if (outcome.result === 'full') return answer(storeFull())
        answer(null, encode(outcome, expected))
      },
    )
  })

  return () => refuse(unavailable())
}

function decodeOptions(message: streams.AppendReq): WriteRequest {
  const options = message.getOptions()
  if (!options) throw invalidArgument('The append does not begin with its options.')
  const stream = decodeStreamName(options.getStreamIdentifier())
  return { stream, expected: decodeExpected(options), events: [] }
}

function encode(outcome: Exclude<WriteOutcome, { result: 'full' }>, expected: ExpectedRevision) {
  const response = new streams.AppendResp()
  if (outcome.result === 'success') response.setSuccess(encodeSuccess(outcome))
  else response.setWrongExpectedVersion(wrongVersion(outcome.current, expected))
  return response
}

function encodeSuccess({ revision, position }: WriteOutcome & { result: 'success' }) {
  const success = new streams.AppendResp.Success()
  if (revision < 0) success.setNoStream(new shared.Empty())
  else success.setCurrentRevision(String(revision))
  if (position === undefined) {
    success.setNoPosition(new shared.Empty())
    return success
  }
  const written = new streams.AppendResp.Position()
  written.setCommitPosition(String(position))
  written.setPreparePosition(String(position))
  success.setPosition(written)
  return success
}

/** A conflict is part of the answer, not a status. */
function wrongVersion(current: number, expected: ExpectedRevision) {
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (current < 0) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(current))
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'noStream') wrong.setExpectedNoStream(new shared.Empty())
  else wrong.setExpectedRevision(String(expected))
  return wrong
}
