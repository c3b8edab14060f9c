import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import { type CompleteAppend, createAppendParts } from './appendParts.ts'
import { encodeError, encodeSuccess, storeFull, timeout, wrongExpectedVersion } from './batchResponses.ts'
import { cancelled } from './faults.ts'
import { decodeUuid, toFault } from './requests.ts'
import type { Store } from './storage/store.ts'

export type BatchAppendCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

/** Above this many appends under way for one client, the node reads no more from it until half are done. */
const MAX_IN_FLIGHT = 2000

/**
 * Answers the bidirectional BatchAppend. Each append is answered exactly once, because the client throws at
 * an answer that it does not expect.
 * @returns ends the call once the appends under way are answered
 */
export function batchAppend(store: Store, call: BatchAppendCall, now: () => Date): () => void {
  const parts = createAppendParts(now, (id, stream, error) => send(encodeError(id, stream, error)))
  let inFlight = 0
  let ending: (() => void) | undefined

  call.on('data', (part: streams.BatchAppendReq) => {
    let id: string
    try {
      id = decodeUuid(part.getCorrelationId())
    } catch (error) {
      call.emit('error', toFault(error))
      return
    }
    const append = parts.add(id, part)
    if (append) submit(id, append)
  })
  call.on('end', () => endWhenIdle(() => call.end()))
  call.on('cancelled', parts.clear)

  function submit(id: string, { request, deadline }: CompleteAppend): void {
    inFlight++
    if (inFlight >= MAX_IN_FLIGHT) call.pause()
    store.write(
      request,
      () => call.cancelled || deadline <= now().getTime(),
      (outcome) => {
        inFlight--
        if (!ending && call.isPaused() && inFlight <= MAX_IN_FLIGHT / 2) call.resume()
        const { stream, expected } = request
        if (!outcome) send(encodeError(id, stream, timeout()))
        else if (outcome.result === 'success') send(encodeSuccess(id, stream, outcome))
        else if (outcome.result === 'full') send(encodeError(id, stream, storeFull()))
        else send(encodeError(id, stream, wrongExpectedVersion(outcome.current, expected)))
        if (ending && inFlight === 0) ending()
      },
    )
  }

  function send(response: streams.BatchAppendResp): void {
    if (!call.cancelled && !call.writableEnded) call.write(response)
  }

  function endWhenIdle(end: () => void): void {
    ending = end
    if (inFlight === 0) end()
  }

  return () => {
    call.pause()
    endWhenIdle(() => call.emit('error', cancelled()))
  }
}
