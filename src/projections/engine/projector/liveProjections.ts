import type { Recorded } from '../../../domain/kernel/event.ts'
import type { Checkpoint } from '../../../stores/subscription/checkpoint.ts'
import type { Projection } from '../projection.ts'
import { type WorkingRows, workingRows } from '../rows/workingRows.ts'
import { shareCheckpoint } from '../schema/checkpoints.ts'
import type { ReadModels } from '../schema/readModels.ts'
import type { ProjectionState } from '../schema/schema.ts'
import { type Skip, type SkippedEvents, skippedBy } from '../schema/skips.ts'
import { type LiveRows, liveRows } from '../storage/liveRows.ts'

/** The projections that the leader runs, and how far they are. */

/** A projection as the live projector runs it. */
export interface LiveProjection {
  readonly projection: Projection
  readonly generation: number
  readonly stored: LiveRows
  /** It has no changes between two batches. Creating it takes longer than folding an event, so it is kept. */
  readonly working: WorkingRows
  readonly skipped: SkippedEvents
  /** Its checkpoint while it is not level with the others. */
  own: Checkpoint | undefined
}

export interface LiveProjections {
  /** The checkpoint that all level projections share. */
  shared: Checkpoint
  all(): readonly LiveProjection[]
  /** The projections that handle events of that type. */
  handling(event: Pick<Recorded, 'type' | 'isJson'>): readonly LiveProjection[]
  remove(stopped: readonly LiveProjection[]): void
}

/** Rows remembered of each projection: some 50 MB in all. */
const rememberedRows = 10_000

/** `states` are those of the projections that run. */
export function liveProjections(
  readModels: ReadModels,
  states: readonly ProjectionState[],
  skips: readonly Skip[],
): LiveProjections {
  const { shared, stored } = shareCheckpoint(states)
  let all = stored.map(({ name, generation, own }): LiveProjection => {
    const projection = readModels.find(name)!
    const rows = liveRows(projection, (table) => readModels.tableName(table, generation), rememberedRows)
    const working = workingRows(projection, rows.lookUp)
    return { projection, generation, stored: rows, working, skipped: skippedBy(skips, name), own }
  })
  let byType = handlersByType(all)
  return {
    shared,
    all: () => all,
    handling: ({ type, isJson }) => (isJson !== false && byType.get(type)) || byType.get(anyType)!,
    remove(stopped) {
      all = all.filter((live) => !stopped.includes(live))
      byType = handlersByType(all)
    },
  }
}

/** No type of an event. */
const anyType = ''

/** The projections with a handler of each type, and those that handle any event. */
function handlersByType(all: readonly LiveProjection[]): ReadonlyMap<string, readonly LiveProjection[]> {
  const types = new Set([anyType, ...all.flatMap(({ projection }) => Object.keys(projection.handlers))])
  return new Map(
    Array.from(types, (type) => [
      type,
      all.filter(({ projection: { handlers, anyEvent } }) => anyEvent || Object.hasOwn(handlers, type)),
    ]),
  )
}
