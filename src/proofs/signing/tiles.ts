import { notFound, Refusal } from '../../domain/kernel/refusal.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { listLeafPositions, log } from '../../projections/audit/log.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import { entryOf } from '../merkleLog/entry.ts'
import { tileWidth } from '../merkleLog/tree.ts'
import { hashesOf, type LogPart } from './logReading.ts'
import { sizeOf } from './logSize.ts'

/** Tiles of a log: parts of fixed size that hold hashes or entries, as C2SP tlog-tiles defines them. */

export interface TileName {
  readonly path: string
  /** The level of the tile; `entries` for a bundle of entries. */
  readonly level: number | 'entries'
  readonly index: number
  /** The number of hashes or entries: 1 to 256. */
  readonly width: number
}

/** Hashes are read from the read models, and entries from the event store. */
interface TileSources {
  readonly reader: Pick<Reader, 'read'>
  readonly eventStore: Pick<EventStore, 'eventAt'>
}

/** Events of a bundle that are read at the same time. */
const eventsAtOnce = 16

/** @throws Refusal 404 `tile-not-found`, 409 `history-diverged` */
export async function readTile(
  { reader, eventStore }: TileSources,
  companyId: string,
  name: TileName,
): Promise<LogPart<Buffer>> {
  const { level, index, width, path } = name
  const tileLevel = level === 'entries' ? 0 : level
  const run = { tileLevel, first: index * tileWidth, count: width }
  const tile = await reader.read([log], async (reading) => {
    const size = await sizeOf(reading, companyId)
    if (run.first + run.count > size / tileWidth ** tileLevel) throw notFound('tile-not-found', path)
    if (level === 'entries')
      return reading.query<{ position: number }>(listLeafPositions(reading, companyId, run))
    return (await hashesOf(reading, companyId, [run]))[0]!
  })
  if (Buffer.isBuffer(tile.value)) return { ...tile, value: tile.value }
  const entries = await concurrently(eventsAtOnce, tile.value, ({ position }) =>
    entryAt(eventStore, position),
  )
  return { ...tile, value: Buffer.concat(entries) }
}

/** Return an entry as bundles hold it: its length in two bytes, then the entry. */
async function entryAt(eventStore: Pick<EventStore, 'eventAt'>, position: number): Promise<Buffer> {
  const event = await eventStore.eventAt(position)
  if (!event) throw goneRefusal(position)
  const entry = Buffer.from(entryOf(event))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(entry.length)
  return Buffer.concat([length, entry])
}

function goneRefusal(position: number): Refusal {
  return new Refusal(
    'history-diverged',
    `The event at position ${position} is no longer in the event store, so there is no entry for it. Ask the operator to find out who has changed the event store.`,
  )
}
