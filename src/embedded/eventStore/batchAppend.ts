import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import {
  type BatchError,
  badRequest,
  encodeError,
  encodeSuccess,
  maximumAppendSizeExceeded,
  outcomeError,
  timeout,
} from './batchResponses.ts'
import { cancelled, MAX_APPEND_SIZE } from './faults.ts'
import { decodeEvent, decodeExpected, decodeStreamName, decodeUuid, messageOf, toFault } from './requests.ts'
import type { Store } from './storage/store.ts'
import type { WriteRequest } from './storage/types.ts'

export type BatchAppendCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

/** An append whose last part has not come yet. */
interface PendingAppend {
  request: WriteRequest
  size: number
  /** Milliseconds since 1970. */
  deadline: number
  timer: NodeJS.Timeout | undefined
}

/** So many appends of one client may wait; then no more is read from it until half of them are done. */
const MAX_IN_FLIGHT = 2000

const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Answers the bidirectional BatchAppend: appends in parts, told apart by correlation id, each answered
 * exactly once, for the client throws at an answer that it does not expect.
 * @returns what ends the call once its appends are answered
 */
export function batchAppend(store: Store, call: BatchAppendCall, now: () => number): () => void {
  const pending = new Map<string, PendingAppend>()
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
    try {
      receive(id, part)
    } catch (error) {
      refuse(id, part, badRequest(messageOf(error)))
    }
  })
  call.on('end', () => endWhenIdle(() => call.end()))
  call.on('cancelled', () => {
    for (const { timer } of pending.values()) clearTimeout(timer)
    pending.clear()
  })

  function receive(id: string, part: streams.BatchAppendReq) {
    const append = pending.get(id) ?? begin(id, part)
    if (!append) return
    for (const message of part.getProposedMessagesList()) {
      const event = decodeEvent(message)
      append.size += event.data.length
      append.request.events.push(event)
    }
    if (append.size > MAX_APPEND_SIZE) return refuse(id, part, maximumAppendSizeExceeded())
    if (part.getIsFinal()) submit(id, append)
  }

  /** Parts of an append that was refused already have no options and no place any more. */
  function begin(id: string, part: streams.BatchAppendReq): PendingAppend | undefined {
    const options = part.getOptions()
    if (!options) return undefined
    const stream = decodeStreamName(options.getStreamIdentifier())
    const deadline = options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY
    if (deadline <= now()) return refuse(id, part, timeout())
    const expected = decodeExpected(
      options,
      options.hasStreamPosition() ? options.getStreamPosition() : undefined,
    )
    const append: PendingAppend = {
      request: { kind: 'append', stream, expected, events: [] },
      size: 0,
      deadline,
      timer: part.getIsFinal() ? undefined : expireLater(id, part, deadline),
    }
    pending.set(id, append)
    return append
  }

  function expireLater(id: string, part: streams.BatchAppendReq, deadline: number) {
    return setTimeout(() => refuse(id, part, timeout()), Math.min(deadline - now(), LONGEST_TIMER)).unref()
  }

  function forget(id: string): void {
    clearTimeout(pending.get(id)?.timer)
    pending.delete(id)
  }

  function refuse(id: string, part: streams.BatchAppendReq, error: BatchError): undefined {
    const stream = pending.get(id)?.request.stream ?? nameIn(part)
    forget(id)
    send(encodeError(id, stream, error))
  }

  function submit(id: string, { request, deadline }: PendingAppend): void {
    forget(id)
    inFlight++
    if (inFlight >= MAX_IN_FLIGHT) call.pause()
    store.write(
      request,
      () => call.cancelled || deadline <= now(),
      (outcome) => {
        inFlight--
        if (!ending && call.isPaused() && inFlight <= MAX_IN_FLIGHT / 2) call.resume()
        const { stream, expected } = request
        if (!outcome) send(encodeError(id, stream, timeout()))
        else if (outcome.result === 'success') send(encodeSuccess(id, stream, outcome))
        else send(encodeError(id, stream, outcomeError(outcome, stream, expected)))
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

function nameIn(part: streams.BatchAppendReq): string | undefined {
  const identifier = part.getOptions()?.getStreamIdentifier()
  return identifier && Buffer.from(identifier.getStreamName_asU8()).toString()
}
