import type { Recorded } from '../../src/domain/kernel/event.ts'
import { withMetadata } from '../../src/domain/kernel/metadata.ts'
import type { Projection } from '../../src/projections/engine/projection.ts'
import { fold, plan } from '../../src/projections/engine/rows/fold.ts'
import type { Row } from '../../src/projections/engine/rows/rows.ts'
import { workingRows } from '../../src/projections/engine/rows/workingRows.ts'

/**
 * Fold events into rows in memory, from nothing, and return every table's rows in the order of their first
 * events. @throws what a handler throws
 */
export function foldInMemory(
  projection: Projection,
  events: Iterable<Recorded>,
): Readonly<Record<string, readonly Row[]>> {
  const working = workingRows(projection, () => null)
  const readable = Array.from(events, (event) => withMetadata(event))
  const failure = fold(plan(projection, readable), working)
  if (failure) throw failure.error
  const changes = working.take()
  return Object.fromEntries(
    Object.keys(projection.tables).map((name) => {
      const { added = [], changed = new Map<string, Row>() } = changes.get(name) ?? {}
      return [name, [...added, ...[...changed.values()].filter((row) => row !== null)]]
    }),
  )
}
