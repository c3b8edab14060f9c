import { setTimeout as pause } from 'node:timers/promises'
import { domainEvents } from '../../domain/aggregates.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
import { storeCreated } from '../../projections/engine/schema/store.ts'
import { type EventStore, StoreUnavailable } from '../../stores/eventStore.ts'
import type { Output } from './output.ts'

/** The events to show: those that match every given member. */
interface EventFilter {
  /** In lower case. */
  readonly company?: string | undefined
  readonly stream?: string | undefined
  readonly type?: string | undefined
}

/** Return the time, type, actor and data of an event. An event of another program may have any metadata, or none. */
export function summarise({ type, metadata, data }: Recorded, ...where: string[]): string {
  return [
    metadata?.occurredAt ?? '-',
    type,
    ...where,
    metadata?.actor?.name || metadata?.actor?.id || '-',
    JSON.stringify(data),
  ].join('  ')
}

/** Return a hint for a stream name that ends in `@` and a revision, as `events tail` shows it. */
export function hintOnRevision(stream: string): string {
  const [, name, revision] = stream.match(/^(.+)@(\d+)$/) ?? []
  return name ? `: for a revision, run "heatmark stream show ${name} --revision ${revision}"` : ''
}

const types = [...Object.keys(domainEvents), storeCreated].sort()

const reconnectMs = 500

/** Show the last events and, with a signal, the new ones until then. @throws Error for an unknown type */
export async function tailEvents(
  eventStore: EventStore,
  { filter, count, until }: { filter: EventFilter; count: number; until?: AbortSignal },
  output: Output,
): Promise<void> {
  if (filter.type) await checkType(eventStore, filter.type, until)
  const head = (await eventStore.last())?.position ?? 0
  const latest = await lastMatching(eventStore, filter, count, until)
  for (const event of latest) show(output, event)
  if (latest.length === 0 && count > 0 && !until?.aborted)
    output.note(
      `nothing matched: there is no event${describe(filter)}${until ? ' yet' : ''}${hintOnRevision(filter.stream ?? '')}`,
    )
  let position = Math.max(head, latest.at(-1)?.position ?? 0)
  while (until && !until.aborted) {
    try {
      for await (const event of eventStore.subscribe(position, until)) {
        position = event.position
        if (matches(filter, event)) show(output, event)
      }
    } catch (error) {
      // The server often drops a subscription: open it again where it ended.
      if (!(error instanceof StoreUnavailable)) throw error
      await pause(reconnectMs, undefined, { signal: until }).catch(() => {})
    }
  }
}

/** Show the event at a position. @throws Error when there is none */
export async function showEvent(eventStore: EventStore, position: number, output: Output): Promise<void> {
  const event = await eventStore.eventAt(position)
  if (!event) throw new Error(`there is no event at position ${position}`)
  output.record(event, JSON.stringify(event, null, 2))
}

function matches({ company, stream, type }: EventFilter, event: Recorded): boolean {
  return (
    (!company || (event.data as { companyId?: string } | null)?.companyId === company) &&
    (!stream || event.streamName === stream) &&
    (!type || event.type === type)
  )
}

function show(output: Output, event: Recorded): void {
  output.record(event, `${event.position}  ${summarise(event, `${event.streamName}@${event.revision}`)}`)
}

/** Return the last matching events, oldest first. */
async function lastMatching(
  eventStore: EventStore,
  filter: EventFilter,
  count: number,
  until?: AbortSignal,
): Promise<Recorded[]> {
  const events: Recorded[] = []
  if (count === 0) return events
  for await (const event of eventStore.readBack(filter.stream)) {
    if (matches(filter, event)) events.push(event)
    if (events.length === count || until?.aborted) break
  }
  return events.reverse()
}

/** A newer release may have more types. @throws Error for a type that neither this release nor any event has */
async function checkType(eventStore: EventStore, type: string, until?: AbortSignal): Promise<void> {
  if (types.includes(type)) return
  const [event] = await lastMatching(eventStore, { type }, 1, until)
  if (!event && !until?.aborted)
    throw new Error(`there is no event type ${type}; this release knows ${types.join(', ')}`)
}

/** Return a text such as ` of company X, type Y`. */
function describe(filter: EventFilter): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name} ${value}`)
  return parts.length > 0 ? ` of ${parts.join(', ')}` : ''
}
