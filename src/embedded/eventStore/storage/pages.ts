import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { compileFilter } from '../filter.ts'
import { createFrameWriter, type FrameWriter, takeFrames, writeCheckpoint, writeEvent } from './frames.ts'
import { EVENT_COLUMNS, EVENTS, type Row, toEvent } from './rows.ts'
import { NO_EVENTS, type Page, type ReadRequest, type RecordedEvent } from './types.ts'

/** The most bytes of a page, and the most events that it looks at. */
const PAGE_BYTES = 256 * 1024
const PAGE_EVENTS = 1000

/** Read the log a page at a time, each page from one snapshot. */
export function openPages(database: DatabaseSync): (request: ReadRequest) => Page {
  const begin = database.prepare('BEGIN')
  const commit = database.prepare('COMMIT')
  const statements = prepareStatements(database)
  return (request) => {
    begin.run()
    try {
      const head = statements.head()
      const { stream } = request
      return stream === undefined
        ? readAll(statements, request, head)
        : readStream(statements, { ...request, stream }, head)
    } finally {
      commit.run()
    }
  }
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements(database: DatabaseSync) {
  const selectHead = database.prepare('SELECT max(position) AS head FROM event')
  const selectStream = database.prepare(`
    SELECT id AS key, (SELECT max(revision) FROM event WHERE event.stream = stream.id) AS head
    FROM stream WHERE name = ?`)
  const selectRows = (sql: string): StatementSync => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  return {
    head: () => (selectHead.get()?.head as number | null) ?? 0,
    all: {
      forwards: selectRows(
        `SELECT ${EVENT_COLUMNS} FROM ${EVENTS} WHERE position >= ? ORDER BY position LIMIT ?`,
      ),
      backwards: selectRows(
        `SELECT ${EVENT_COLUMNS} FROM ${EVENTS} WHERE position < ? ORDER BY position DESC LIMIT ?`,
      ),
    },
    ofStream: {
      end(name: string): { key: number; head: number } {
        const row = selectStream.get(name) as { key: number; head: number | null } | undefined
        return { key: row?.key ?? 0, head: row?.head ?? NO_EVENTS }
      },
      forwards: selectRows(`SELECT ${EVENT_COLUMNS} FROM ${EVENTS}
        WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`),
      backwards: selectRows(`SELECT ${EVENT_COLUMNS} FROM ${EVENTS}
        WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?`),
    },
  }
}

function readAll({ all }: Statements, request: ReadRequest, head: number): Page {
  const forwards = request.direction === 'forwards'
  const from = request.from === 'end' ? head + 1 : request.from
  const page = fillPage(request, all[request.direction].iterate(from, PAGE_EVENTS) as Iterable<Row>)
  const { last } = page
  // Backwards the position itself is left out, so the next page starts at the last position seen.
  const next = last === undefined ? from : forwards ? last.position + 1 : last.position
  return { exists: true, ...page.filled, next, end: page.exhausted, head }
}

function readStream({ ofStream }: Statements, request: ReadRequest & { stream: string }, head: number): Page {
  const { stream, direction } = request
  const { key, head: streamHead } = ofStream.end(stream)
  if (streamHead === NO_EVENTS) return { ...emptyPage(request), head, next: 0, exists: false }
  const forwards = direction === 'forwards'
  const from = request.from === 'end' ? streamHead + (forwards ? 1 : 0) : request.from
  const page = fillPage(request, ofStream[direction].iterate(key, from, PAGE_EVENTS) as Iterable<Row>)
  const { last } = page
  const next = last === undefined ? from : last.revision + (forwards ? 1 : -1)
  return { exists: true, ...page.filled, next, end: page.exhausted, head }
}

interface FilledPage {
  filled: Pick<Page, 'frames' | 'events' | 'considered'>
  last: RecordedEvent | undefined
  exhausted: boolean
}

/** Encode the rows that pass the filter until the page is full or the limit is reached. */
function fillPage(request: ReadRequest, rows: Iterable<Row>): FilledPage {
  const isWanted = compileFilter(request.filter)
  const frames = createFrameWriter()
  let { considered } = request
  let read = 0
  let events = 0
  let last: RecordedEvent | undefined
  let full = false
  for (const row of rows) {
    full = events >= request.limit || frames.length >= PAGE_BYTES
    if (full) break
    const event = nextEvent(row, read > 0)
    if (!event) {
      full = true
      break
    }
    last = event
    read++
    considered++
    if (isWanted(event.type)) {
      writeEvent(frames, event)
      events++
    }
    if (isCheckpoint(request, considered)) writeCheckpoint(frames, event.position)
  }
  const exhausted = !full && read < PAGE_EVENTS
  return { filled: { frames: takeFrames(frames), events, considered }, last, exhausted }
}

/** Undefined for a spoilt event behind others: they are served first, and the next page begins with the error. */
function nextEvent(row: Row, isBehindOthers: boolean): RecordedEvent | undefined {
  try {
    return toEvent(row)
  } catch (error) {
    if (isBehindOthers) return undefined
    throw error
  }
}

function isCheckpoint({ checkpointEvery }: ReadRequest, considered: number): boolean {
  return checkpointEvery > 0 && considered % checkpointEvery === 0
}

function emptyPage({ considered }: ReadRequest) {
  const frames: FrameWriter = createFrameWriter(0)
  return { frames: takeFrames(frames), events: 0, considered, end: true }
}
