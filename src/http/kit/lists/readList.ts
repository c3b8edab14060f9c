import type { SortKey } from '../../../projections/engine/reading/listQuery.ts'
import type { ReadValue } from '../../../projections/engine/reading/readCache.ts'
import { portionRows, type StreamReading } from '../../../projections/engine/reading/reader.ts'
import { type Coding, compress, leastBytes } from '../routing/contentCoding.ts'
import { etagOfBody } from '../routing/etags.ts'
import type { Exchange } from '../routing/route.ts'
import type { SerialisedList, Services } from '../services.ts'
import { type ListRequest, type Row, serialise } from './streamList.ts'

/** Read a list, or one page of it, into memory. */

/** Longer lists are streamed and not kept in memory. */
const maxListBytes = 4 * 1_048_576
/** A page ends early when it reaches this size. */
const maxPageBytes = 16 * 1_048_576

export function readPage(
  list: ListRequest,
  limit: number,
  { reader }: Services,
): Promise<ReadValue<SerialisedList>> {
  return reader.read(list.reads, async (reading) => {
    await list.check(reading)
    // One row more than the limit shows whether there is a next page.
    const query = await list.rows(reading, { limit: limit + 1 })
    const portions = limit <= portionRows ? [await reading.query<Row>(query)] : reading.portions<Row>(query)
    const total = await list.count?.(reading)
    const parts: string[] = []
    const pageBefore = (next: SortKey | undefined) => ({ ...serialisedList(parts), next, total })
    let room = limit
    let bytes = 0
    let last: Row | undefined
    for await (const rows of portions) {
      if (room === 0 || bytes > maxPageBytes) return pageBefore(last?.sortKey)
      const page = rows.slice(0, room)
      if (page.length === 0) break
      const part = serialise(await list.complete(reading, page))
      parts.push(part)
      bytes += Buffer.byteLength(part)
      room -= page.length
      last = page.at(-1)
      if (page.length < rows.length) return pageBefore(last?.sortKey)
    }
    return pageBefore(undefined)
  })
}

/**
 * Return the list or its first page, from memory if it has not changed. Each coding that callers ask for is kept beside
 * the list, so that it is compressed once.
 */
export function readOnce(
  list: ListRequest,
  { route, params, query: { separator: _, ...query } }: Exchange,
  services: Services,
  {
    readAnew,
    coding,
  }: { readAnew: () => Promise<ReadValue<SerialisedList | 'large'>>; coding: Coding | undefined },
): Promise<ReadValue<SerialisedList | 'large'>> {
  const { companyId } = params
  if (companyId === undefined) return readAnew()
  const name = JSON.stringify([route.operationId, params, query])
  const { reads } = list
  const isWhole = JSON.stringify(query) === '{}'
  const lists = isWhole ? services.lists : services.filteredLists
  const asIs = () => lists.get({ companyId, name, reads }, readAnew)
  if (!coding) return asIs()
  return lists.get({ companyId, name: `${coding} ${name}`, reads }, async () => {
    const { value, position } = await asIs()
    return { value: value === 'large' ? value : await compressedList(value, coding), position }
  })
}

async function compressedList(list: SerialisedList, coding: Coding): Promise<SerialisedList> {
  if (list.bytes.length < leastBytes) return list
  return { ...list, bytes: await compress(list.bytes, coding), coding }
}

/** Return the whole list, or `large` if it is too large to keep. */
export function readWhole(
  list: ListRequest,
  { reader }: Services,
): Promise<ReadValue<SerialisedList | 'large'>> {
  return reader.read(list.reads, async (reading) => {
    await list.check(reading)
    const parts: string[] = []
    let bytes = 2
    for await (const rows of portionsOf(list, reading)) {
      const part = serialise(await list.complete(reading, rows))
      bytes += Buffer.byteLength(part) + 1
      if (bytes > maxListBytes) return 'large'
      parts.push(part)
    }
    return serialisedList(parts)
  })
}

/** Most lists are one portion, which one query reads. Further portions are read as for a stream. */
async function* portionsOf(list: ListRequest, reading: StreamReading): AsyncIterable<Row[]> {
  const first = await reading.query<Row>(await list.rows(reading, { limit: portionRows }))
  if (first.length > 0) yield first
  const last = first.at(-1)
  if (!last || first.length < portionRows) return
  yield* reading.portions<Row>(await list.rows(reading, { after: last.sortKey }))
}

function serialisedList(parts: readonly string[]): SerialisedList {
  const bytes = Buffer.from(`[${parts.join(',')}]`)
  return { bytes, etag: etagOfBody(bytes) }
}
