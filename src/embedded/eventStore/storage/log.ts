import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../../lib/atMost.ts'
import type { StreamView } from './appendRules.ts'
import { checksumOf } from './checksum.ts'
import { NO_EVENTS, type RecordedEvent } from './types.ts'

/** The log as its one writer sees it: the file, with the ends of streams kept in memory. */
export interface Log {
  view(stream: string): StreamView
  positionAt(stream: string, revision: number): number | undefined
  /** Adds an event at the end of the log; the transaction makes it durable. */
  add(event: Omit<RecordedEvent, 'position'>): RecordedEvent
}

interface StreamEnd {
  /** The row of the stream; undefined until its first event. */
  key: number | undefined
  head: number
}

const STREAMS_IN_MEMORY = 50_000
const RECENT_IDS = 50_000

/** Read and write the log within the transaction that is open. */
export function openLog(database: DatabaseSync): Log {
  const statements = prepareStatements(database)
  const endOf = rememberEnds(statements)
  /** The events that were written last, over all streams, by id. */
  const recent = new LRUCache<string, { stream: string; revision: number }>(atMost(RECENT_IDS))
  let nextPosition = firstFreePosition(database)

  function eventAt(stream: string, revision: number) {
    const { key } = endOf(stream)
    return key === undefined ? undefined : statements.eventAt(key, revision)
  }

  function add(event: Omit<RecordedEvent, 'position'>): RecordedEvent {
    const { stream, revision, id, type, data, metadata } = event
    const end = endOf(stream)
    end.key ??= statements.addStream(stream)
    const recorded = { ...event, position: nextPosition }
    statements.addEvent(end.key, recorded)
    nextPosition += recordSize(stream, type, data.length + metadata.length)
    end.head = revision
    recent.set(id, { stream, revision })
    return recorded
  }

  return {
    view: (stream) => ({
      head: endOf(stream).head,
      idAt: (revision) => eventAt(stream, revision)?.id,
      recentRevisionOf(id) {
        const event = recent.get(id)
        return event?.stream === stream ? event.revision : undefined
      },
    }),
    positionAt: (stream, revision) => eventAt(stream, revision)?.position,
    add,
  }
}

type Statements = ReturnType<typeof prepareStatements>

/** The ends of the streams that were used last; other ends are read. */
function rememberEnds(statements: Statements): (stream: string) => StreamEnd {
  const ends = new LRUCache<string, StreamEnd>(atMost(STREAMS_IN_MEMORY))
  return (stream) => {
    const end = ends.get(stream) ?? statements.streamEnd(stream)
    ends.set(stream, end)
    return end
  }
}

function prepareStatements(database: DatabaseSync) {
  const selectEnd = database.prepare(`
    SELECT stream.id AS key, (SELECT max(revision) FROM event WHERE event.stream = stream.id) AS head
    FROM stream WHERE name = ?`)
  const selectAt = database.prepare('SELECT position, id FROM event WHERE stream = ? AND revision = ?')
  const insertStream = database.prepare('INSERT INTO stream (name) VALUES (?)')
  const insertEvent = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  return {
    streamEnd(stream: string): StreamEnd {
      const row = selectEnd.get(stream) as { key: number; head: number | null } | undefined
      return { key: row?.key, head: row?.head ?? NO_EVENTS }
    },
    eventAt: (key: number, revision: number) =>
      selectAt.get(key, revision) as { position: number; id: string } | undefined,
    addStream: (stream: string) => Number(insertStream.run(stream).lastInsertRowid),
    addEvent(key: number, event: RecordedEvent) {
      const { position, revision, id, type, isJson, created, data, metadata } = event
      const checksum = checksumOf(event)
      insertEvent.run(position, key, revision, id, type, isJson ? 1 : 0, created, data, metadata, checksum)
    },
  }
}

/**
 * The size of an event in the log, roughly. Positions grow by it, as byte offsets do on a real server, so that no
 * code can count on positions without gaps.
 */
function recordSize(stream: string, type: string, bytes: number): number {
  return 64 + Buffer.byteLength(stream) + Buffer.byteLength(type) + bytes
}

function firstFreePosition(database: DatabaseSync): number {
  const last = database
    .prepare(`SELECT position, name, type, length(data) + length(metadata) AS bytes
      FROM event JOIN stream ON stream.id = event.stream ORDER BY position DESC LIMIT 1`)
    .get() as { position: number; name: string; type: string; bytes: number } | undefined
  return last ? last.position + recordSize(last.name, last.type, last.bytes) : 1
}
