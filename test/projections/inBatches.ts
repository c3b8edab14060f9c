import { expect } from 'vitest'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import type { Projection } from '../../src/projections/engine/projection.ts'
import { fold, plan } from '../../src/projections/engine/rows/fold.ts'
import type { Row, Slot } from '../../src/projections/engine/rows/rows.ts'
import { workingRows } from '../../src/projections/engine/rows/workingRows.ts'

/** Fold batch by batch, as the projector does it: with nothing kept between two but the rows. */
export function inBatches(
  projection: Projection,
  batches: readonly Recorded[][],
): Readonly<Record<string, readonly Row[]>> {
  const rows = new Map(Object.keys(projection.tables).map((name) => [name, new Map<string, Slot>()]))
  const added = new Map(Object.keys(projection.tables).map((name) => [name, [] as Row[]]))
  for (const batch of batches) {
    const working = workingRows(projection, (name, key) => rows.get(name)!.get(key) ?? null)
    expect(fold(plan(projection, batch), working)).toBeUndefined()
    for (const [name, table] of working.take()) {
      for (const [key, row] of table.changed) rows.get(name)!.set(key, row)
      added.get(name)!.push(...table.added)
    }
  }
  return Object.fromEntries(
    [...rows].map(([name, slots]) => [
      name,
      [...added.get(name)!, ...[...slots.values()].filter((row) => row !== null)],
    ]),
  )
}
