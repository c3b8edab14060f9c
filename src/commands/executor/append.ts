import { setTimeout as pause } from 'node:timers/promises'
import type { BytesByAuthor } from '../../admission/dailyBytes.ts'
import { type EventMetadata, isPerson } from '../../domain/kernel/event.ts'
import { invalid, Refusal } from '../../domain/kernel/refusal.ts'
import { Failure, isFailure } from '../../lib/failure.ts'
import {
  type Appended,
  type EventStore,
  maxAppendBytes,
  type NewEvent,
  StoreUnavailable,
} from '../../stores/eventStore.ts'

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
 * @throws Failure `wrong-revision`, `wrong-revision-after-silence`; Refusal `too-large-to-record`, `validation-failed`,
 * `store-unavailable` or `store-full` (nothing was recorded), or `outcome-unknown`
 */
export async function appendReliably(
  { store, clock }: AppendMeans,
  stream: string,
  expected: number,
  events: readonly NewEvent[],
): Promise<Appended & { readonly bytes: BytesByAuthor }> {
  const bytes = refuseUnrecordable(events)
  const began = clock()
  let sent = false
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ...(await store.append(stream, expected, events)), bytes }
    } catch (error) {
      if (isFailure(error, 'append-too-large')) throw tooLarge()
      if (isFailure(error, 'wrong-revision') && sent)
        throw new Failure('wrong-revision-after-silence', error.message, { cause: error })
      if (!(error instanceof StoreUnavailable)) throw error
      sent ||= error.sent
      // A full store refuses a repeat, too, so it does not tell whether an earlier attempt was recorded.
      const isLast = error.code === 'store-full' || attempt === attempts || clock() - began > patienceMs
      if (isLast) throw sent ? outcomeUnknown() : refusalOf(error)
      await pause(firstPauseMs * 2 ** (attempt - 1))
    }
  }
}

/**
 * Return the bytes of the events, by who they are of.
 * @throws Refusal `too-large-to-record` when the events do not fit into one append; `validation-failed` when PostgreSQL
 * could not store one of their texts
 */
export function refuseUnrecordable(events: readonly NewEvent[]): BytesByAuthor {
  const bytes = { persons: 0, others: 0 }
  for (const { id, type, data, metadata } of events) {
    const author = isPerson((metadata as EventMetadata).actor) ? 'persons' : 'others'
    for (const text of [id, type, JSON.stringify(data), JSON.stringify(metadata)]) {
      if (unstorable.test(text)) throw notStorable()
      bytes[author] += Buffer.byteLength(text)
    }
  }
  if (bytes.persons + bytes.others > maxAppendBytes) throw tooLarge()
  return bytes
}

/**
 * NUL and unpaired surrogates, as JSON has them. Every way into the service names the place of such a text. This is the
 * last guard, because the read models of all companies would stop at the event for ever.
 */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function notStorable(): Refusal {
  const message = 'must not contain NUL or unpaired surrogates'
  return invalid(
    [{ path: '', code: 'not-storable', message }],
    'A text cannot be stored; nothing was recorded.',
  )
}

export function outcomeUnknown(): Refusal {
  return new Refusal(
    'outcome-unknown',
    'The event store did not say whether this was recorded. Repeat it with the same Idempotency-Key to find out.',
  )
}

function refusalOf(error: StoreUnavailable): Refusal {
  return error.code === 'store-full'
    ? new Refusal(
        'store-full',
        'The disk of the event store is full, so nothing was recorded; reads still work. Ask the operator to make room.',
      )
    : new Refusal(
        'store-unavailable',
        'The event store cannot be reached, so nothing was recorded. Try again later.',
      )
}

function tooLarge(): Refusal {
  return new Refusal(
    'too-large-to-record',
    `The change takes more than ${maxAppendBytes} bytes, the most that can be recorded at once, so nothing was recorded. Send it in parts.`,
  )
}
