import type { DatabaseSync } from 'node:sqlite'
import { storeStream } from '../../projections/engine/schema/store.ts'
import { localTables, localTablesThat } from '../../stores/localSchema/tables.ts'
import { openForReading } from '../eventStore/storage/database.ts'
import type { LocalRows } from './localRows.ts'

/**
 * Leave out how far policies have followed the events when the events lack one that such a row names: a backup
 * of a store that was rewound holds such rows, and the policies would refuse to go on from there. Without them
 * each policy starts as it does on a new database, and what it does twice changes nothing. Rows of other stores stay.
 * @param events the event store's file
 * @returns the very same rows where there is nothing to leave out
 * @throws Error of one line when the file cannot be used
 */
export function leaveOutStrays(local: LocalRows, events: string): LocalRows {
  const { policy_cursor: cursors = [] } = local.rows
  const database = openForReading(events)
  try {
    const storeId = storeIdIn(database)
    const event = database.prepare('SELECT 1 FROM event WHERE position = ? AND id = ?')
    const isStray = cursors.some(
      ({ store_id, position, event_id }) =>
        store_id === storeId && !event.get(Number(position), String(event_id)),
    )
    return isStray ? { ...local, rows: withoutRewound(local.rows, storeId) } : local
  } finally {
    database.close()
  }
}

/** The id that the store's first event gave it; undefined for a store that no service has written to. */
function storeIdIn(database: DatabaseSync): unknown {
  const first = database
    .prepare('SELECT data FROM event JOIN stream ON stream.id = event.stream WHERE name = ? AND revision = 0')
    .get(storeStream)
  return first && JSON.parse(Buffer.from(first.data as Uint8Array).toString()).storeId
}

function withoutRewound(rows: LocalRows['rows'], storeId: unknown): LocalRows['rows'] {
  const rowsKept = { ...rows }
  for (const table of localTablesThat(({ droppedWhenRewound }) => droppedWhenRewound))
    rowsKept[table] = (rowsKept[table] ?? []).filter(
      (row) => localTables[table].storeKey === 'store_id' && row.store_id !== storeId,
    )
  return rowsKept
}
