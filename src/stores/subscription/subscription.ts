import type { Recorded } from '../../domain/kernel/event.ts'
import { type Checkpoint, checkHistory } from './checkpoint.ts'
import { createEventQueue, type EventQueue } from './eventQueue.ts'
import { keepTrying } from './keepTrying.ts'
import type { Follower, Receiver, ReceiverOptions } from './receiver.ts'
import { checkpointOf } from './recentEvents.ts'

/**
 * The events of the store after a checkpoint, in a bounded queue. A subscription takes them from the receiver of the
 * process. If the receiver has not kept the event of the checkpoint, the subscription reads the store until it meets
 * the events that the receiver has.
 */
export interface Subscription {
  /**
   * Wait until there are events, and take as many as weigh `most` or little more. Return none once it is closed, or if
   * there are none within so many milliseconds.
   * @throws Failure `event-store-went-back`; StoreUnavailable when the store cannot be reached for long
   */
  take(most: number, withinMs?: number): Promise<readonly Recorded[]>
  /** Settles once the store was seen to have the checkpoint's event, or never. */
  readonly checked: Promise<void>
  close(): Promise<void>
}

export interface SubscriptionOptions {
  readonly from: Checkpoint
  /** Called with the reason why the store cannot be followed, and without one once it can. */
  readonly onCondition?: (message?: string) => void
}

interface Means extends Pick<ReceiverOptions, 'eventStore' | 'clock' | 'capacity' | 'periods'> {
  readonly receiver: Receiver
}

export function openSubscription(means: Means, options: SubscriptionOptions): Subscription {
  const { eventStore, clock, capacity, periods, receiver } = means
  const { from, onCondition = () => {} } = options
  const closing = new AbortController()
  const closed = closing.signal
  const queue = createEventQueue(capacity, closed)
  const checked = Promise.withResolvers<void>()
  /** The last event in the queue. */
  let last = from
  let detached = Promise.withResolvers<void>()
  const follower: Follower = {
    last: () => last,
    push(event) {
      last = checkpointOf(event)
      queue.push(event)
      return !queue.isFull()
    },
    onDetached: () => detached.resolve(),
    onCondition,
    fail: queue.fail,
  }
  receiver.join(follower)
  const following = keepTrying(
    { clock, closed, onCondition, giveUpAfterMs: periods.giveUpAfter, position: () => last.position },
    async (works) => {
      await checkHistory(eventStore, last, closed)
      checked.resolve()
      works()
      await receiver.begun
      if (closed.aborted) return
      detached = Promise.withResolvers()
      const isAttached = receiver.attach(follower)
      if (isAttached || (await readUntilAttached({ ...means, queue, closed }, follower)))
        await detached.promise
      await queue.hasRoom()
    },
  ).catch(queue.fail)
  return {
    checked: checked.promise,
    take: queue.take,
    async close() {
      closing.abort()
      detached.resolve()
      await Promise.all([following, receiver.leave(follower)])
    },
  }
}

/** Read events until the receiver hands over the rest. False if the queue is full before, or the read has ended. */
async function readUntilAttached(
  {
    eventStore,
    receiver,
    queue,
    closed,
  }: Means & { readonly queue: EventQueue; readonly closed: AbortSignal },
  follower: Follower,
): Promise<boolean> {
  if (queue.isFull()) return false
  for await (const portion of eventStore.readAllInPortions(follower.last().position)) {
    if (closed.aborted) return false
    for (const event of portion) follower.push(event)
    if (receiver.attach(follower)) return true
    if (queue.isFull()) return false
  }
  return receiver.attach(follower)
}
