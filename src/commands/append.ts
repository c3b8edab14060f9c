import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../domain/refusal.ts'
import {
  type Appended,
  AppendTooLarge,
  type EventStore,
  maxAppendBytes,
  type NewEvent,
  StoreUnavailable,
} from '../eventStore.ts'

const attempts = 5
/** The pause doubles after every attempt. */
const firstPauseMs = 50
/** No further attempt begins after this time, because a caller waits. */
const patienceMs = 10_000

export interface AppendMeans {
  readonly store: EventStore
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
}

/**
 * Append, and try again with the same event ids while the store does not answer. The store answers a repeat of an
 * append that succeeded unheard as if it were the first.
 * @throws WrongRevision; Refusal `too-large-to-record`, `store-unavailable` (nothing was recorded) or
 * `outcome-unknown`
 */
export async function appendReliably(
  { store, clock }: AppendMeans,
  stream: string,
  expected: number,
  events: readonly NewEvent[],
): Promise<Appended> {
  refuseTooLarge(events)
  const began = clock()
  let sent = false
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.append(stream, expected, events)
    } catch (error) {
      if (error instanceof AppendTooLarge) throw tooLarge()
      if (!(error instanceof StoreUnavailable)) throw error
      sent ||= error.sent
      if (attempt === attempts || clock() - began > patienceMs)
        throw sent
          ? new Refusal(
              'outcome-unknown',
              'The event store did not say whether this was recorded. Repeat it with the same Idempotency-Key to find out.',
            )
          : new Refusal('store-unavailable', 'The event store cannot be reached; nothing was recorded.')
      await pause(firstPauseMs * 2 ** (attempt - 1))
    }
  }
}

/** @throws Refusal `too-large-to-record` when the events do not fit into one append */
export function refuseTooLarge(events: readonly NewEvent[]): void {
  if (sizeOf(events) > maxAppendBytes) throw tooLarge()
}

function sizeOf(events: readonly NewEvent[]): number {
  return events.reduce(
    (sum, { id, type, data, metadata }) =>
      sum +
      id.length +
      type.length +
      Buffer.byteLength(JSON.stringify(data)) +
      Buffer.byteLength(JSON.stringify(metadata)),
    0,
  )
}

function tooLarge(): Refusal {
  return new Refusal(
    'too-large-to-record',
    `What would be recorded exceeds ${maxAppendBytes} bytes, the most that one append can hold.`,
  )
}
