import type { Term } from '../leading/leading.ts'
import { openSubscription, type Subscription, type SubscriptionOptions } from './subscription.ts'

/** Open the subscription of a leader: it closes when the term is over, and the term notes why it cannot follow. */
export function openTermSubscription(
  { over, underWay, note }: Pick<Term, 'over' | 'underWay' | 'note'>,
  { dropped }: { readonly dropped?: (reason: string) => void },
  options: Pick<SubscriptionOptions, 'eventStore' | 'from' | 'clock' | 'capacity' | 'periods'>,
): Subscription {
  const part = 'event store'
  const subscription = openSubscription({
    ...options,
    ...(dropped && { onDropped: dropped }),
    onCondition: (message) => note(part, message),
  })
  void subscription.checked.then(underWay)
  const close = async () => {
    over.removeEventListener('abort', close)
    await subscription.close()
    note(part)
  }
  over.addEventListener('abort', close)
  if (over.aborted) void close()
  return { ...subscription, close }
}
