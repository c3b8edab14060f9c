import { once } from 'node:events'
import type { Response } from 'express'
import type { ListQuery, Page } from '../../../projections/reading/listQuery.ts'
import type { Reader, Reading } from '../../../projections/reading/reader.ts'
import type { Named } from '../../../projections/reading/waitFor.ts'
import type { SortKey } from './page.ts'

/** A list as one request asks for it. */
export interface AskedList {
  /** Whose list it is; empty: no company's. */
  readonly companyId: string
  readonly reads: readonly Named[]
  /** After the place that the request names, if it names one. */
  rows(reading: Reading, page?: Page): ListQuery
  /** @throws Refusal 404 when what the list is within is not there */
  check(reading: Reading): Promise<void>
}

/** A row of a list query: the record as it is answered, and its place. */
export interface Row {
  readonly sortKey: SortKey
}

/** Rows as the members of a JSON array, without its brackets. */
export function serialised(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(({ sortKey: _, ...record }) => record)).slice(1, -1)
}

/** A client that takes nothing for this long is let go. */
const stalledAfterMs = 5_000

/**
 * Answers a list that is too large for memory, from one moment of the read models, no faster than the
 * client takes it. A fault in mid-stream breaks the connection, so that a short list never looks whole.
 */
export function streamList(asked: AskedList, res: Response, reader: Reader): Promise<void> {
  return reader.stream(asked.companyId, asked.reads, async (reading) => {
    // It may have waited long for its turn.
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

/** Hands text to the client: true once it has taken enough of it to go on, false when it is gone. */
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
