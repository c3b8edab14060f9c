import type { Commit, EventHeader } from './storage/types.ts'

/** An event as subscribers get it. */
export interface LiveEvent extends EventHeader {
  /** The encoded `ReadResp`. */
  frame: Uint8Array
}

export type Listener = (events: LiveEvent[]) => void

/** Hands every commit to its listeners, in log order, in the tick in which it arrives. */
export interface LiveFeed {
  /** The position of the last event handed out. */
  head(): number
  publish(commit: Commit): void
  /** @returns stops listening */
  listen(stream: string | undefined, listener: Listener): () => void
}

/** @param head the position of the last event in the log */
export function createLiveFeed(head: number): LiveFeed {
  const toAll = new Set<Listener>()
  const toStream = new Map<string, Set<Listener>>()
  let current = head

  function publish({ headers, frames }: Commit): void {
    const last = headers.at(-1)
    if (!last) return
    current = last.position
    if (toAll.size === 0 && toStream.size === 0) return
    const events = headers.map((header, index) => {
      const start = index === 0 ? 0 : frames.ends[index - 1]
      return { ...header, frame: frames.bytes.subarray(start, frames.ends[index]) }
    })
    for (const listener of toAll) listener(events)
    if (toStream.size > 0) publishByStream(events)
  }

  function publishByStream(events: LiveEvent[]): void {
    for (const [stream, ofStream] of Map.groupBy(events, (event) => event.stream)) {
      for (const listener of toStream.get(stream) ?? []) listener(ofStream)
    }
  }

  function listen(stream: string | undefined, listener: Listener): () => void {
    if (stream === undefined) {
      toAll.add(listener)
      return () => toAll.delete(listener)
    }
    const listeners = toStream.get(stream) ?? new Set()
    toStream.set(stream, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) toStream.delete(stream)
    }
  }

  return { head: () => current, publish, listen }
}
