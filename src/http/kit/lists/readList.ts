import type { SortKey } from '../../../projections/engine/reading/listQuery.ts'
import type { ReadValue, Subject } from '../../../projections/engine/reading/readCache.ts'
import { portionRows, type StreamReading } from '../../../projections/engine/reading/reader.ts'
import { type Coding, compress, leastBytes } from '../routing/contentCoding.ts'
import { etagOfBody } from '../routing/etags.ts'
import type { Exchange } from '../routing/route.ts'
import type { ListPlace, SerialisedList, Services } from '../services.ts'
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

interface Place extends ListPlace {
  /** The list is kept in this coding beside the list as it is, so that it is compressed once. */
  readonly coded: { readonly coding: Coding; readonly asIs: Subject } | undefined
}

/** Return undefined for a list of no company, which is not kept. */
export function placeOf(
  { reads }: ListRequest,
  { route, params, query: { separator: _, ...query } }: Exchange,
  { lists, filteredLists }: Pick<Services, 'lists' | 'filteredLists'>,
  coding: Coding | undefined,
): Place | undefined {
  const { companyId } = params
  if (companyId === undefined) return undefined
  const isWhole = JSON.stringify(query) === '{}'
  const asIs = { companyId, name: JSON.stringify([route.operationId, params, query]), reads }
  return {
    cache: isWhole ? lists : filteredLists,
    subject: coding ? { ...asIs, name: `${coding} ${asIs.name}` } : asIs,
    coded: coding && { coding, asIs },
  }
}

/** Return the list or its first page, from memory if it has not changed. */
export function readOnce(
  { cache, subject, coded }: Place,
  readAnew: () => Promise<ReadValue<SerialisedList | 'large'>>,
): Promise<ReadValue<SerialisedList | 'large'>> {
  if (!coded) return cache.get(subject, readAnew)
  return cache.get(subject, async () => {
    const { value, position } = await cache.get(coded.asIs, readAnew)
    return { value: value === 'large' ? value : await compressedList(value, coded.coding), position }
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
  const { rowsAtOnce: limit = portionRows } = list
  const first = await reading.query<Row>(await list.rows(reading, { limit }))
  if (first.length > 0) yield first
  const last = first.at(-1)
  if (!last || first.length < limit) return
  yield* reading.portions<Row>(await list.rows(reading, { after: last.sortKey }))
}

function serialisedList(parts: readonly string[]): SerialisedList {
  const bytes = Buffer.from(`[${parts.join(',')}]`)
  return { bytes, etag: etagOfBody(bytes) }
}
