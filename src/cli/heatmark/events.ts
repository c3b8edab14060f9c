import { setTimeout as pause } from 'node:timers/promises'
import type { Recorded } from '../../domain/event.ts'
import { type EventStore, StoreUnavailable } from '../../eventStore.ts'
import type { Output } from './output.ts'

/** Which events to show: all of what is told must hold. */
export interface EventFilter {
  readonly company?: string | undefined
  readonly stream?: string | undefined
  readonly type?: string | undefined
}

const matches = ({ company, stream, type }: EventFilter, event: Recorded): boolean =>
  (!company || (event.data as { companyId?: string } | null)?.companyId === company.toLowerCase()) &&
  (!stream || event.streamName === stream) &&
  (!type || event.type === type)

/** When, what, by whom; another program's event may have no metadata, or any. */
export const summary = ({ type, metadata, data }: Recorded, ...where: string[]): string =>
  [metadata?.occurredAt ?? '-', type, ...where, metadata?.actor?.name ?? '-', JSON.stringify(data)].join('  ')

const show = (output: Output, event: Recorded): void =>
  output.record(event, `${event.position}  ${summary(event, `${event.streamName}@${event.revision}`)}`)

/** The last so many that match, oldest first. */
const lastMatching = async (
  eventStore: EventStore,
  filter: EventFilter,
  count: number,
): Promise<Recorded[]> => {
  const found: Recorded[] = []
  if (count === 0) return found
  for await (const event of eventStore.readBack()) {
    if (matches(filter, event)) found.unshift(event)
    if (found.length === count) break
  }
  return found
}

const reconnectMs = 500

/** Shows the last events, and with `follow` those that come, until interrupted. */
export const tailEvents = async (
  eventStore: EventStore,
  {
    filter,
    count,
    follow,
    signal,
  }: { filter: EventFilter; count: number; follow: boolean; signal: AbortSignal },
  output: Output,
): Promise<void> => {
  const head = (await eventStore.last())?.position ?? 0
  const latest = await lastMatching(eventStore, filter, count)
  for (const event of latest) show(output, event)
  let position = Math.max(head, latest.at(-1)?.position ?? 0)
  while (follow && !signal.aborted) {
    try {
      for await (const event of eventStore.subscribe(position, signal)) {
        position = event.position
        if (matches(filter, event)) show(output, event)
      }
    } catch (error) {
      // A dropped subscription is daily life: it is taken up where it was.
      if (!(error instanceof StoreUnavailable)) throw error
      await pause(reconnectMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** Shows the event at a position. @throws Error when none stands there */
export const showEvent = async (eventStore: EventStore, position: number, output: Output): Promise<void> => {
  const event = await eventStore.eventAt(position)
  if (!event) throw new Error(`no event stands at position ${position}`)
  output.record(event, JSON.stringify(event, null, 2))
}
