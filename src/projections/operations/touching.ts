import type { Recorded } from '../../domain/event.ts'
import type { EventStore } from '../../eventStore.ts'
import type { Projection } from '../projection.ts'
import { plan } from '../rows/fold.ts'
import { keyText } from '../rows/rows.ts'

/** Which events touch a row: where to look when it is not what it should be. */

export interface TouchingEvent {
  readonly position: number
  readonly type: string
  readonly streamName: string
}

export interface RowInQuestion {
  readonly projection: string
  readonly table: string
  /** The key columns of the row. */
  readonly key: Readonly<Record<string, unknown>>
}

/** Of a row that many events touch, the last ones explain it. */
const most = 10

/** A row of a table that only grows has one event, whose position is in its key. */
const grown = (projection: Projection, table: string, position: unknown): string =>
  `${projection.name}/${table}@${position}`

const keyed = (projection: Projection, table: string, key: readonly unknown[]): string =>
  `${projection.name}/${table}/${keyText(key as (string | number)[])}`

const labelOf = (projection: Projection, { table, key }: RowInQuestion): string => {
  const { appendOnly, key: columns } = projection.tables[table]!
  return appendOnly
    ? grown(projection, table, key.position)
    : keyed(
        projection,
        table,
        columns.map((column) => key[column]),
      )
}

/** Labels of the rows that the event may change, each once. */
const touchedBy = (projection: Projection, event: Recorded): Set<string> => {
  const labels = new Set<string>()
  for (const { declared } of plan(projection, [event]).steps) {
    for (const [table, { appendOnly }] of Object.entries(projection.tables))
      if (appendOnly) labels.add(grown(projection, table, event.position))
    for (const [table, keys] of declared)
      for (const key of keys.values()) labels.add(keyed(projection, table, key))
  }
  return labels
}

/**
 * The last ten events that touch each of the rows, up to where its projection `ends`, in the order of the rows,
 * oldest event first. It reads the whole store, if there are any rows. @throws StoreUnavailable
 */
export const lastTouching = async (
  eventStore: EventStore,
  projections: readonly Projection[],
  rows: readonly RowInQuestion[],
  { ends, signal }: { ends: ReadonlyMap<string, number>; signal?: AbortSignal | undefined },
): Promise<readonly (readonly TouchingEvent[])[]> => {
  const labels = rows.map((row) => labelOf(projections.find(({ name }) => name === row.projection)!, row))
  const events = new Map(labels.map((label): [string, TouchingEvent[]] => [label, []]))
  const end = Math.max(0, ...ends.values())
  if (rows.length === 0) return []
  for await (const event of eventStore.readAll(0)) {
    signal?.throwIfAborted()
    const { position, type, streamName } = event
    if (position > end) break
    for (const projection of projections) {
      if (position > ends.get(projection.name)!) continue
      for (const label of touchedBy(projection, event)) {
        const last = events.get(label)
        last?.push({ position, type, streamName })
        if (last && last.length > most) last.shift()
      }
    }
  }
  return labels.map((label) => events.get(label)!)
}
