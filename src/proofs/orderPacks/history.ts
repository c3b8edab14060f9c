import type { Recorded } from '../../domain/kernel/event.ts'
import { concurrently } from '../../lib/concurrently.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { entryOf, lineOf } from '../merkleLog/entry.ts'
import type { Proofs } from '../signing/companyLog.ts'

/** The history that a pack rests on: the events of its streams, and the proofs that the log of the company has them. */

/** An event of a pack. */
export interface PackedEvent {
  readonly eventId: string
  /** The event as an export has it; undefined when it names another order: customers must not see each other. */
  readonly line: string | undefined
  /** Its entry in the log. */
  readonly entry: string
}

const streamsAtOnce = 16
const proofsAtOnce = 200

/** Read the events of some streams up to a position, stream by stream. @throws StoreUnavailable */
export async function* readHistory(
  eventStore: Pick<EventStore, 'readStream'>,
  streams: readonly string[],
  { position, orderId }: { readonly position: number; readonly orderId: string },
): AsyncIterable<PackedEvent> {
  for (let at = 0; at < streams.length; at += streamsAtOnce) {
    const histories = await concurrently(streamsAtOnce, streams.slice(at, at + streamsAtOnce), (stream) =>
      readUpTo(eventStore, stream, position),
    )
    for (const event of histories.flat()) {
      const line = lineOf(event)
      yield {
        eventId: event.id,
        line: namesAnotherOrder(event.data, orderId) ? undefined : line,
        entry: entryOf(event, line),
      }
    }
  }
}

async function readUpTo(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
  position: number,
): Promise<readonly Recorded[]> {
  const events: Recorded[] = []
  for await (const event of eventStore.readStream(stream, 0)) {
    if (event.position > position) break
    events.push(event)
  }
  return events
}

/** A bar may be cut for several orders, and its events then name all of them. */
export function namesAnotherOrder(data: unknown, orderId: string): boolean {
  if (typeof data !== 'object' || data === null) return false
  return Object.entries(data).some(([name, value]) =>
    name === 'orderId' && typeof value === 'string' && value !== orderId
      ? true
      : namesAnotherOrder(value, orderId),
  )
}

/** Return the lines of `proof/inclusion.ndjson`, some at a time. @throws Refusal as `Proofs.inclusionOf` does */
export async function* inclusionLines(
  proofs: Proofs,
  events: readonly Pick<PackedEvent, 'eventId' | 'entry'>[],
): AsyncIterable<string> {
  for (let at = 0; at < events.length; at += proofsAtOnce) {
    const some = events.slice(at, at + proofsAtOnce)
    const inclusions = await proofs.inclusionOf(some.map(({ eventId }) => eventId))
    yield some
      .map(({ entry }, place) => {
        const { index, hashes } = inclusions[place]!
        return `${JSON.stringify({ entry, index, proof: hashes })}\n`
      })
      .join('')
  }
}
