import { once } from 'node:events'
import type { Response } from 'express'
import type { ListQuery, Page } from '../../../projections/reading/listQuery.ts'
import type { Reader, Reading } from '../../../projections/reading/reader.ts'
import type { Named } from '../../../projections/reading/waitFor.ts'
import type { SortKey } from './page.ts'

/** The list that one request reads. */
export interface AskedList {
  /** The company that owns the list; empty if none does. */
  readonly companyId: string
  readonly reads: readonly Named[]
  /** The rows after the cursor of the request, if it has one. */
  rows(reading: Reading, page?: Page): ListQuery
  /** @throws Refusal 404 when the record that the list belongs to is missing */
  check(reading: Reading): Promise<void>
}

/** A row of a list query: the record and its sort key. */
export interface Row {
  readonly sortKey: SortKey
}

/** Serialise rows as the members of a JSON array, without brackets. */
export function serialised(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(({ sortKey: _, ...record }) => record)).slice(1, -1)
}

/** The connection of a client that reads nothing for this long is closed. */
const stalledAfterMs = 5_000

/**
 * Stream a list that is too large for memory, from one snapshot of the read models, as fast as the client
 * reads. An error in mid-stream breaks the connection, so that a truncated list never looks complete.
 */
export function streamList(asked: AskedList, res: Response, reader: Reader): Promise<void> {
  return reader.stream(asked.companyId, asked.reads, async (reading) => {
    // The request may have waited a long time for its turn.
    if (res.destroyed) return
    await asked.check(reading)
    res.statusCode = 200
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Cache-Control', 'private, no-cache')
    res.setHeader('Read-Position', reading.position)
    if (res.req.method === 'HEAD') {
      res.end()
      return
    }
    const taken = takenBy(res)
    let before = '['
    for await (const rows of reading.portions<Row>(asked.rows(reading))) {
      if (!(await taken(before + serialised(rows)))) return
      before = ','
    }
    res.end(before === '[' ? '[]' : ']')
  })
}

/** Write text to the client. Resolves to true once it has read enough to go on, to false when it has gone. */
export function takenBy(res: Response) {
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  return async (text: string): Promise<boolean> => {
    if (res.destroyed) return false
    if (res.write(text)) return true
    const stalled = setTimeout(() => res.destroy(), stalledAfterMs)
    try {
      await once(res, 'drain', { signal: gone.signal })
      return true
    } catch {
      return false
    } finally {
      clearTimeout(stalled)
    }
  }
}
