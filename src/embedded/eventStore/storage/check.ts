import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { explainFailure, openForReading } from './database.ts'
import { EVENT_COLUMNS, EVENTS, type Row, toEvent } from './rows.ts'

/** The size of a store. */
export interface Checked {
  events: number
  streams: number
  /** The position of the last event; 0 in an empty store. */
  head: number
}

/** Each query counts rows that must not exist. */
const FAULTS = [
  {
    fault: 'events of a stream that is not there',
    sql: 'SELECT count(*) AS found FROM event WHERE stream NOT IN (SELECT id FROM stream)',
  },
  {
    fault: 'streams with a gap between their revisions',
    sql: `SELECT count(*) AS found FROM (
      SELECT stream FROM event GROUP BY stream
      HAVING min(revision) <> 0 OR max(revision) <> count(*) - 1)`,
  },
  {
    fault: 'events of a stream whose positions are not in the order of their revisions',
    sql: `SELECT count(*) AS found FROM event earlier JOIN event later
      ON later.stream = earlier.stream AND later.revision = earlier.revision + 1
      WHERE later.position <= earlier.position`,
  },
]

/**
 * Check the whole file, while a node may use it: every page and index by SQLite's own check, then the rules of
 * an event store, then the checksum of each event.
 * @throws Error of one line that names the damage
 */
export function checkStore(file: string): Checked {
  const database = openForReading(file)
  try {
    return explainFailure(file, () => {
      // One snapshot, so that appends of a running node do not look like damage.
      database.exec('BEGIN')
      checkPages(database, file)
      for (const { fault, sql } of FAULTS) {
        const count = database.prepare(sql).get()?.found
        if (count !== 0) throw new Error(`${file}: is damaged: ${count} ${fault}`)
      }
      for (const row of selectRows(database, `FROM ${EVENTS}`).iterate())
        checkRow(file, row as unknown as Row)
      return count(database)
    })
  } finally {
    database.close()
  }
}

/**
 * Check the checksums of some events, spread by chance, and of the last one, while a node may use the file. A small store
 * is checked whole.
 * @returns how many were checked
 * @throws Error of one line that names the damage
 */
export function checkSample(file: string, most: number, chance: () => number = Math.random): number {
  const database = openForReading(file)
  try {
    return explainFailure(file, () => {
      const { events, head } = count(database)
      if (events <= most) {
        for (const row of selectRows(database, `FROM ${EVENTS}`).iterate())
          checkRow(file, row as unknown as Row)
        return events
      }
      const next = selectRows(database, `FROM ${EVENTS} WHERE position >= ? ORDER BY position LIMIT 1`)
      const places = Array.from({ length: most - 1 }, () => 1 + Math.floor(chance() * head))
      const revisions = new Set<number>()
      for (const place of [...places, head]) {
        const row = next.get(place) as unknown as Row | undefined
        if (row) revisions.add(checkRow(file, row))
      }
      return revisions.size
    })
  } finally {
    database.close()
  }
}

function selectRows(database: DatabaseSync, from: string): StatementSync {
  const statement = database.prepare(`SELECT ${EVENT_COLUMNS} ${from}`)
  statement.setReturnArrays(true)
  return statement
}

/** Return the position of a sound event. */
function checkRow(file: string, row: Row): number {
  try {
    return toEvent(row).position
  } catch (error) {
    throw new Error(`${file}: is damaged: ${(error as Error).message}`)
  }
}

function checkPages(database: DatabaseSync, file: string): void {
  const faults = database.prepare('PRAGMA integrity_check(1)').all()
  const fault = String(faults[0]?.integrity_check)
  if (fault !== 'ok') throw new Error(`${file}: is damaged: ${fault.replaceAll('\n', ' ')}`)
}

function count(database: DatabaseSync): Checked {
  const sql = `SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM stream) AS streams,
    (SELECT ifnull(max(position), 0) FROM event) AS head`
  return { ...database.prepare(sql).get() } as unknown as Checked
}
