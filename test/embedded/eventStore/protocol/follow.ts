import type { AllStreamSubscription, ResolvedEvent } from '@eventstore/db-client'

/** A subscription and everything it has received. */
export interface Followed {
  /** Confirmation, events (by revision) and caught-up, in the order in which the client reported them. */
  seen: (bigint | 'confirmation' | 'caughtUp')[]
  events: ResolvedEvent[]
  ids(): (string | undefined)[]
  isOver(): boolean
  /** Resolves when the subscription ends, rejects with its error. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Takes everything that a subscription sends, as fast as it comes. */
export function follow(subscription: AllStreamSubscription): Followed {
  const seen: Followed['seen'] = []
  const events: ResolvedEvent[] = []
  let over = false
  subscription.on('confirmation', () => seen.push('confirmation'))
  subscription.on('caughtUp' as never, () => seen.push('caughtUp'))
  subscription.on('data', (resolved: ResolvedEvent) => {
    events.push(resolved)
    seen.push(resolved.event!.revision)
  })
  const ended = new Promise<void>((resolve, reject) => {
    subscription.on('error', (error: Error) => {
      over = true
      reject(error)
    })
    subscription.on('end', () => {
      over = true
      resolve()
    })
  })
  // Not every spec looks at the end.
  ended.catch(() => undefined)
  return {
    seen,
    events,
    ids: () => events.map(({ event }) => event?.id),
    isOver: () => over,
    ended,
    stop: () => subscription.unsubscribe(),
  }
}
