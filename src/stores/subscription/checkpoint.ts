import { Failure, isFailure } from '../../lib/failure.ts'
import type { EventStore } from '../eventStore.ts'
import { storeAnswer } from './storeAnswer.ts'

/** The last position that somebody has applied, with the id of its event: 0 and null before the first event. */
export interface Checkpoint {
  readonly position: number
  readonly eventId: string | null
}

export const rewoundCode = 'event-store-went-back'

/** Say that the store is rewound. */
export function storeRewound(reason: string): Failure<typeof rewoundCode> {
  return new Failure(rewoundCode, `${rewoundCode}: ${reason}`)
}

/**
 * Check that the store has the checkpoint's event where it was. @throws Failure `event-store-went-back`,
 * StoreUnavailable
 */
export async function checkHistory(
  eventStore: EventStore,
  { position, eventId }: Checkpoint,
  closed?: AbortSignal,
): Promise<void> {
  if (position === 0) return
  const event = await storeAnswer(eventStore.eventAt(position), `what is at position ${position}`, closed)
  if (event?.id === eventId) return
  throw storeRewound(
    `event ${eventId} was at position ${position}; now the store has ` +
      `${event ? `event ${event.id}` : 'no event'} there`,
  )
}

/** @throws Failure `event-store-went-back` for the first checkpoint that is of another history; StoreUnavailable */
export async function checkHistories(
  eventStore: EventStore,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  for (const rewound of (await findRewound(eventStore, checkpoints)).values()) throw rewound
}

/**
 * Find the checkpoints whose event is no longer in the store. Many checkpoints share an event, so the store is
 * asked once for each event. @throws StoreUnavailable
 */
export async function findRewound<Kept extends Checkpoint>(
  eventStore: EventStore,
  checkpoints: readonly Kept[],
): Promise<ReadonlyMap<Kept, Failure>> {
  const answers = new Map<string, Failure | undefined>()
  const rewindings = new Map<Kept, Failure>()
  for (const checkpoint of checkpoints) {
    const event = `${checkpoint.position} ${checkpoint.eventId}`
    if (!answers.has(event)) answers.set(event, await rewoundAt(eventStore, checkpoint))
    const rewound = answers.get(event)
    if (rewound) rewindings.set(checkpoint, rewound)
  }
  return rewindings
}

async function rewoundAt(eventStore: EventStore, checkpoint: Checkpoint): Promise<Failure | undefined> {
  try {
    await checkHistory(eventStore, checkpoint)
    return undefined
  } catch (error) {
    if (isFailure(error, 'event-store-went-back')) return error
    throw error
  }
}
