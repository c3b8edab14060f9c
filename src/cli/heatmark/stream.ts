import { aggregates } from '../../domain/aggregates.ts'
import { type Aggregate, fold } from '../../domain/kernel/aggregate.ts'
import type { DomainEvent, Recorded, Stored } from '../../domain/kernel/event.ts'
import { withMetadata } from '../../domain/kernel/metadata.ts'
import { toNewestVersion, versionOf, whyUnreadable } from '../../domain/kernel/versions.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { hintOnRevision, summarise } from './events.ts'
import type { Output } from './output.ts'

type AnyAggregate = Aggregate<unknown, DomainEvent>

interface Folded {
  /** Null when an event cannot be folded. */
  readonly state: unknown
  /** The events that are not in the state. */
  readonly unreadable: readonly Unreadable[]
  /** The event that stopped the fold, and why. */
  readonly fault: { readonly event: Recorded; readonly message: string } | null
}

interface Unreadable {
  readonly event: Recorded
  readonly why: string
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
  const folded = aggregate ? foldAll(aggregate, events) : { state: null, unreadable: [], fault: null }
  const lines = events.map((event) => `${event.revision}  @${event.position}  ${summarise(event)}`)
  output.record(
    {
      stream,
      aggregate: aggregate?.name ?? null,
      events,
      state: folded.state,
      unreadable: folded.unreadable.map(({ event: { revision }, why }) => ({ revision, why })),
      fault: folded.fault && { revision: folded.fault.event.revision, message: folded.fault.message },
    },
    [...lines, ...(aggregate ? ['', stateText(aggregate, folded, revision ?? last)] : [])].join('\n'),
  )
  return folded.unreadable.length === 0 && folded.fault === null
}

function aggregateOf(stream: string): AnyAggregate | undefined {
  return aggregates.find((aggregate) => stream.startsWith(aggregate.streamName(''))) as
    | AnyAggregate
    | undefined
}

function foldAll(aggregate: AnyAggregate, events: readonly Recorded[]): Folded {
  const unreadable: Unreadable[] = []
  let state = aggregate.initial
  let before = ''
  for (const stored of events) {
    const event = withMetadata(stored, before)
    before = event.metadata.occurredAt
    const why = whyUnreadable(aggregate.events, event)
    if (why !== undefined) {
      unreadable.push({ event, why: stored.metadata ? why : `${why}, and it has no metadata` })
      continue
    }
    try {
      state = fold(aggregate, state, [toNewestVersion(aggregate.events, event) as Stored<DomainEvent>])
    } catch (error) {
      return { state: null, unreadable, fault: { event, message: (error as Error).message } }
    }
  }
  return { state: state ?? null, unreadable, fault: null }
}

function stateText({ name }: AnyAggregate, { state, unreadable, fault }: Folded, revision: number): string {
  if (fault)
    return `${name} cannot be folded: ${fault.event.type} at revision ${fault.event.revision} (position ${fault.event.position}) is malformed: ${fault.message}`
  return [
    `${name} at revision ${revision}:`,
    JSON.stringify(state, null, 2),
    ...unreadable.map(
      ({ event, why }) =>
        `Revision ${event.revision}, ${event.type} of version ${versionOf(event)}, is not in this state: ${why}`,
    ),
  ].join('\n')
}
