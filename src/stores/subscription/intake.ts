import { type IntakePeriods, type Receiver, type ReceiverOptions, startReceiving } from './receiver.ts'
import { openSubscription, type Subscription, type SubscriptionOptions } from './subscription.ts'

/** All parts of a process that follow the store, each from its own checkpoint. */
export interface Intake {
  subscribe(options: SubscriptionOptions): Subscription
}

/** `capacity` is the weight of the events that may wait in each subscription as well. */
type IntakeOptions = Pick<ReceiverOptions, 'eventStore' | 'clock'> &
  Partial<Pick<ReceiverOptions, 'capacity' | 'periods' | 'onDropped'>>

const usualCapacity = 10_000
const usualPeriods: IntakePeriods = { watchEvery: 3_000, giveUpAfter: 10_000 }

/** Create an intake. It receives events while somebody follows it. */
export function createIntake({
  eventStore,
  clock,
  capacity = usualCapacity,
  periods = usualPeriods,
  onDropped = () => {},
}: IntakeOptions): Intake {
  const options = { eventStore, clock, capacity, periods, onDropped }
  let receiver: Receiver | undefined
  return {
    subscribe(own) {
      if (!receiver || receiver.hasEnded()) receiver = startReceiving(options)
      return openSubscription({ ...options, receiver }, own)
    },
  }
}
