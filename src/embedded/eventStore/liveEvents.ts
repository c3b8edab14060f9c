import type { Commit, EventHeader } from './storage/types.ts'

/** An event as subscribers get it. */
export interface LiveEvent extends EventHeader {
  /** The encoded `ReadResp`. */
  frame: Uint8Array
}

export type Listener = (events: LiveEvent[]) => void

/** Hands every commit to its listeners, in log order, in the tick in which it arrives. */
export interface LiveEvents {
  /** The position of the last event handed out. */
  head(): number
  publish(commit: Commit): void
  /** @returns stops listening */
  listen(listener: Listener): () => void
}

/** @param head the position of the last event in the log */
export function createLiveEvents(head: number): LiveEvents {
  const listeners = new Set<Listener>()
  let current = head
  return {
    head: () => current,
    publish({ headers, frames }) {
      const last = headers.at(-1)
      if (!last) return
      current = last.position
      if (listeners.size === 0) return
      const events = headers.map((header, index) => {
        const start = index === 0 ? 0 : frames.ends[index - 1]
        return { ...header, frame: frames.bytes.subarray(start, frames.ends[index]) }
      })
      for (const listener of listeners) listener(events)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
