import { aggregates } from '../../domain/aggregates.ts'
import { type Aggregate, fold } from '../../domain/kernel/aggregate.ts'
import type { DomainEvent, Recorded, Stored } from '../../domain/kernel/event.ts'
import { withMetadata } from '../../domain/kernel/metadata.ts'
import { current, understands } from '../../domain/kernel/versions.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { hintOnRevision, summary } from './events.ts'
import type { Output } from './output.ts'

type AnyAggregate = Aggregate<unknown, DomainEvent>

interface Folded {
  /** Null when an event cannot be folded. */
  readonly state: unknown
  /** Events that this release does not understand; they are not in the state. */
  readonly newer: readonly Recorded[]
  /** The event that stopped the fold, and why. */
  readonly fault: { readonly event: Recorded; readonly message: string } | null
}

/**
 * Show a stream's events and the state they fold to, at a revision or now. Return false when some cannot be folded.
 * @throws Error for an unknown stream or a system stream, and for a revision that the stream has not reached
 */
export async function showStream(
  eventStore: EventStore,
  stream: string,
  revision: number | undefined,
  output: Output,
): Promise<boolean> {
  if (stream.startsWith('$'))
    throw new Error(
      `"stream show" shows streams of aggregates, and ${stream} is a system stream: "heatmark events tail" shows the events of all others`,
    )
  const all = await Array.fromAsync(eventStore.readStream(stream, 0))
  const last = all.at(-1)?.revision
  if (last === undefined) throw new Error(`stream ${stream} has no events${hintOnRevision(stream)}`)
  if (revision !== undefined && revision > last)
    throw new Error(`stream ${stream} has no revision ${revision}: its last is ${last}`)
  const events = all.filter((event) => revision === undefined || event.revision <= revision)
  const aggregate = aggregateOf(stream)
  const folded = aggregate ? foldAll(aggregate, events) : { state: null, newer: [], fault: null }
  const lines = events.map((event) => `${event.revision}  @${event.position}  ${summary(event)}`)
  output.record(
    {
      stream,
      aggregate: aggregate?.name ?? null,
      events,
      state: folded.state,
      newer: folded.newer.map((event) => event.revision),
      fault: folded.fault && { revision: folded.fault.event.revision, message: folded.fault.message },
    },
    [...lines, ...(aggregate ? ['', stateText(aggregate, folded, revision ?? last)] : [])].join('\n'),
  )
  return folded.newer.length === 0 && folded.fault === null
}

function aggregateOf(stream: string): AnyAggregate | undefined {
  return aggregates.find((aggregate) => stream.startsWith(aggregate.streamName(''))) as
    | AnyAggregate
    | undefined
}

function foldAll(aggregate: AnyAggregate, events: readonly Recorded[]): Folded {
  const newer: Recorded[] = []
  let state = aggregate.initial
  let before = ''
  for (const stored of events) {
    const event = withMetadata(stored, before)
    before = event.metadata.occurredAt
    if (!understands(aggregate, event)) {
      newer.push(event)
      continue
    }
    try {
      state = fold(aggregate, state, [current(aggregate, event) as Stored<DomainEvent>])
    } catch (error) {
      return { state: null, newer, fault: { event, message: (error as Error).message } }
    }
  }
  return { state: state ?? null, newer, fault: null }
}

function versioned({ type, revision, metadata }: Recorded): string {
  return `${type} of version ${metadata?.schemaVersion ?? 1} at revision ${revision}`
}

function stateText({ name }: AnyAggregate, { state, newer, fault }: Folded, revision: number): string {
  if (fault)
    return `${name} cannot be folded: ${fault.event.type} at revision ${fault.event.revision} (position ${fault.event.position}) is malformed: ${fault.message}`
  const events =
    newer.length === 1 ? '1 event of a newer release is' : `${newer.length} events of a newer release are`
  const missing = newer.length > 0 ? `\n${events} not in this state: ${newer.map(versioned).join(', ')}` : ''
  return `${name} at revision ${revision}:\n${JSON.stringify(state, null, 2)}${missing}`
}
