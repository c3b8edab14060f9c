import type { Term } from '../leading/leading.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Intake } from './intake.ts'
import type { Subscription } from './subscription.ts'

/** Open the subscription of a leader: it closes when the term is over, and the term notes why it cannot follow. */
export function openTermSubscription(
  { over, underWay, note }: Pick<Term, 'over' | 'underWay' | 'note'>,
  intake: Intake,
  from: Checkpoint,
): Subscription {
  const part = 'event store'
  const subscription = intake.subscribe({ from, onCondition: (message) => note(part, message) })
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
