import { type Aggregate, fold } from '../../domain/aggregate.ts'
import { aggregates } from '../../domain/aggregates.ts'
import type { DomainEvent, Stored } from '../../domain/event.ts'
import type { EventStore } from '../../eventStore.ts'
import { summary } from './events.ts'
import type { Output } from './output.ts'

const aggregateOf = (stream: string): Aggregate<unknown, DomainEvent> | undefined =>
  aggregates.find((aggregate) => stream.startsWith(aggregate.streamName(''))) as
    | Aggregate<unknown, DomainEvent>
    | undefined

/** Shows a stream's events and the state they fold to, as of a revision or now. @throws Error for an unknown stream */
export const showStream = async (
  eventStore: EventStore,
  stream: string,
  revision: number | undefined,
  output: Output,
): Promise<void> => {
  const all = await Array.fromAsync(eventStore.readStream(stream, 0))
  const events = all.filter((event) => revision === undefined || event.revision <= revision)
  if (events.length === 0)
    throw new Error(`stream ${stream} has no events${all.length > 0 ? ` up to revision ${revision}` : ''}`)
  const aggregate = aggregateOf(stream)
  const state = aggregate && fold(aggregate, aggregate.initial, events as unknown as Stored<DomainEvent>[])
  const lines = events.map((event) => `${event.revision}  @${event.position}  ${summary(event)}`)
  const folded = aggregate
    ? `\n${aggregate.name} at revision ${events.at(-1)!.revision}:\n${JSON.stringify(state, null, 2)}`
    : ''
  output.record(
    { stream, aggregate: aggregate?.name ?? null, events, state: state ?? null },
    lines.join('\n') + folded,
  )
}
