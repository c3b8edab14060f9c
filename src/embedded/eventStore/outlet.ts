import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type { Fault } from './faults.ts'
import type { Frames } from './storage/types.ts'

/** The answering side of a read or a subscription: it takes encoded messages and sends them to the client. */
export interface Outlet {
  send(frame: Uint8Array): void
  /** Sends frames and waits until the client's connection has taken them, or the call is over. */
  sendAll(frames: Frames): Promise<void>
  /** The number of messages that the connection has not taken yet. */
  unsent(): number
  /** True once the node has ended the call or the client has cancelled it. */
  isOver(): boolean
  /** Calls back once when the call is over. */
  onOver(callback: () => void): void
  end(): void
  fail(fault: Fault): void
}

export type ReadCall = ServerWritableStream<streams.ReadReq, Uint8Array>

export function createOutlet(call: ReadCall): Outlet {
  let sent = 0
  let taken = 0
  let over = false
  const callbacks: (() => void)[] = []
  const take = () => {
    taken++
  }

  function finish(): void {
    if (over) return
    over = true
    for (const callback of callbacks) callback()
  }

  call.on('cancelled', finish)
  call.on('close', finish)

  return {
    send(frame) {
      if (over) return
      sent++
      call.write(frame, take)
    },
    sendAll({ bytes, ends }) {
      if (over || ends.length === 0) return Promise.resolve()
      return new Promise((resolve) => {
        callbacks.push(resolve)
        const last = ends.length - 1
        let start = 0
        for (const [index, end] of ends.entries()) {
          sent++
          call.write(bytes.subarray(start, end), index < last ? take : lastTaken)
          start = end
        }
        function lastTaken(): void {
          taken++
          callbacks.splice(callbacks.indexOf(resolve), 1)
          resolve()
        }
      })
    },
    unsent: () => sent - taken,
    isOver: () => over,
    onOver(callback) {
      if (over) callback()
      else callbacks.push(callback)
    },
    end() {
      if (over) return
      call.end()
      finish()
    },
    fail(fault) {
      if (over) return
      call.emit('error', fault)
      finish()
    },
  }
}
