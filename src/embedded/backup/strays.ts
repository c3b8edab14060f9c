import { openForReading } from '../eventStore/storage/database.ts'
import type { LocalRows } from './localRows.ts'

/**
 * Leaves out how far the rule policy has got when the events do not have the one that it saw last: a backup
 * of a store that went back holds such rows, and the policy would refuse to go on from there. Without them it
 * begins again from the first event, and what it does twice changes nothing.
 * @param events the event store's file
 * @returns the very same rows where there is nothing to leave out
 * @throws Error of one line when the file cannot be used
 */
export const leaveOutStrays = (local: LocalRows, events: string): LocalRows => {
  const { policy_cursor: cursors = [] } = local.rows
  if (cursors.length === 0) return local
  const database = openForReading(events)
  try {
    const event = database.prepare('SELECT 1 FROM event WHERE position = ? AND id = ?')
    // Where this store's own stands, what is beside it is of stores that were here before, and nobody reads it.
    if (cursors.some(({ position, event_id }) => event.get(Number(position), String(event_id)))) return local
  } finally {
    database.close()
  }
  return { ...local, rows: { ...local.rows, policy_cursor: [], rule_evaluation: [] } }
}
