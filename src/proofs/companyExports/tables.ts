import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Projection } from '../../projections/engine/projection.ts'
import type { SortKey } from '../../projections/engine/reading/listQuery.ts'
import type { StreamReading } from '../../projections/engine/reading/reader.ts'

/** A list of companies as a table. */
export interface CompanyTable {
  readonly name: string
  readonly reads: readonly Projection[]
  /** Whether it can be read as of an earlier time. */
  readonly hasAsOf: boolean
  /** Return the first line of the CSV, with the names of the columns. */
  heading(): string
  /** Read the rows behind the one with the sort key `after`; all by default. */
  portions(reading: StreamReading, companyId: string, after?: SortKey): AsyncIterable<CsvPortion>
}

/** Lines of CSV, with the sort key of the last row. */
export interface CsvPortion {
  readonly lines: string
  readonly last: SortKey
}

/** Runs `work` in one snapshot, and once more in another one if the connection was lost. */
export type InSnapshot = (
  work: (behind: (after?: SortKey) => AsyncIterable<CsvPortion>) => Promise<boolean>,
) => Promise<boolean>

/** A snapshot ends after a minute. The rest of that time is for the caller to take the rows that were read. */
const readForMs = 20_000

/**
 * Write a table as CSV. A long table is read in several snapshots, each of which goes on behind the last row, because a
 * snapshot may not be kept for long.
 * @param clock milliseconds that never run backwards
 * @returns its text; it ends with an error when the table cannot be read
 */
export async function* csvOfTable(
  heading: string,
  inSnapshot: InSnapshot,
  clock: () => number,
): AsyncIterable<Uint8Array> {
  const text = new PassThrough()
  write(text, heading, inSnapshot, clock).then(
    () => text.end(),
    (error: Error) => text.destroy(error),
  )
  yield* text as AsyncIterable<Buffer>
}

async function write(
  text: PassThrough,
  heading: string,
  inSnapshot: InSnapshot,
  clock: () => number,
): Promise<void> {
  const gone = new AbortController()
  text.once('close', () => gone.abort())
  const take = async (lines: string) => {
    if (!text.write(lines)) await once(text, 'drain', { signal: gone.signal })
  }
  await take(heading)
  let after: SortKey | undefined
  let isWhole: boolean
  do {
    isWhole = await inSnapshot(async (behind) => {
      const until = clock() + readForMs
      for await (const { lines, last } of behind(after)) {
        await take(lines)
        after = last
        if (clock() >= until) return false
      }
      return true
    })
  } while (!isWhole)
}
