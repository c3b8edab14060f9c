import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { StreamView } from './appendRules.ts'
import { metastreamOf, noMetadata, originalOf, parseMetadata, type StreamMetadata } from './streamMetadata.ts'
import { NO_EVENTS, type RecordedEvent, TOMBSTONE } from './types.ts'

/** The log as its one writer sees it: what is in the file, with the ends of streams kept in memory. */
export interface Log {
  view(stream: string): StreamView
  head(stream: string): number
  /** The data of the stream's last `$metadata` event. */
  rawMetadata(stream: string): Uint8Array | undefined
  positionAt(stream: string, revision: number): number | undefined
  /** Adds an event at the end of the log; it is durable once the transaction is. */
  add(event: Omit<RecordedEvent, 'position'>): RecordedEvent
}

interface StreamEnd {
  /** The row of the stream; undefined until its first event. */
  key: number | undefined
  head: number
}

const STREAMS_IN_MEMORY = 50_000
const RECENT_IDS = 50_000

/** Reads and writes the log within whatever transaction is open. */
export function openLog(database: DatabaseSync): Log {
  const selectEnd = database.prepare(`
    SELECT stream.id AS key, (SELECT max(revision) FROM event WHERE event.stream = stream.id) AS head
    FROM stream WHERE name = ?`)
  const selectAt = database.prepare('SELECT position, id FROM event WHERE stream = ? AND revision = ?')
  const selectData = database.prepare(
    'SELECT data FROM event WHERE stream = ? ORDER BY revision DESC LIMIT 1',
  )
  const insertStream = database.prepare('INSERT INTO stream (name) VALUES (?)')
  const insertEvent = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')

  const ends = new LRUCache<string, StreamEnd>({ max: STREAMS_IN_MEMORY })
  const metadatas = new LRUCache<string, StreamMetadata>({ max: STREAMS_IN_MEMORY })
  const recent = createRecentIds()
  let nextPosition = firstFreePosition(database)

  function end(stream: string): StreamEnd {
    const known = ends.get(stream)
    if (known) return known
    const row = selectEnd.get(stream) as { key: number; head: number | null } | undefined
    const found = { key: row?.key, head: row?.head ?? NO_EVENTS }
    ends.set(stream, found)
    return found
  }

  /** The metadata of a closed stream are closed with it. */
  function head(stream: string): number {
    const original = originalOf(stream)
    if (original !== undefined && end(original).head === TOMBSTONE) return TOMBSTONE
    return end(stream).head
  }

  function rawMetadata(stream: string): Uint8Array | undefined {
    const { key } = end(metastreamOf(stream))
    if (key === undefined) return undefined
    return selectData.get(key)?.data as Uint8Array | undefined
  }

  function metadata(stream: string): StreamMetadata {
    if (originalOf(stream) !== undefined) return noMetadata
    const known = metadatas.get(stream)
    if (known) return known
    const raw = rawMetadata(stream)
    const found = raw ? parseMetadata(raw) : noMetadata
    metadatas.set(stream, found)
    return found
  }

  function at(stream: string, revision: number) {
    const { key } = end(stream)
    if (key === undefined) return undefined
    return selectAt.get(key, revision) as { position: number; id: string } | undefined
  }

  return {
    view: (stream) => ({
      head: head(stream),
      softDeleted: () => metadata(stream).softDeleted,
      idAt: (revision) => at(stream, revision)?.id,
      recentRevisionOf: (id) => recent.revisionOf(stream, id),
    }),
    head,
    rawMetadata,
    positionAt: (stream, revision) => at(stream, revision)?.position,
    add(event) {
      const { stream, revision, id, type, isJson, created, data } = event
      const streamEnd = end(stream)
      streamEnd.key ??= Number(insertStream.run(stream).lastInsertRowid)
      const position = nextPosition
      insertEvent.run(
        position,
        streamEnd.key,
        revision,
        id,
        type,
        isJson ? 1 : 0,
        created,
        data,
        event.metadata,
      )
      nextPosition += recordSize(stream, type, data.length + event.metadata.length)
      streamEnd.head = revision
      recent.add(stream, id, revision)
      const original = originalOf(stream)
      if (original !== undefined) metadatas.set(original, parseMetadata(data))
      return { ...event, position }
    },
  }
}

/**
 * Positions grow by what an event takes up, about, as byte offsets would: nobody shall come to count on
 * positions without gaps, for a real server's have them.
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

/** The ids of the last events written, of all streams together. */
function createRecentIds() {
  const ids = new Map<string, { stream: string; revision: number }>()
  return {
    revisionOf(stream: string, id: string): number | undefined {
      const found = ids.get(id)
      return found?.stream === stream ? found.revision : undefined
    },
    add(stream: string, id: string, revision: number): void {
      ids.set(id, { stream, revision })
      if (ids.size <= RECENT_IDS) return
      for (const oldest of ids.keys()) {
        ids.delete(oldest)
        return
      }
    },
  }
}
