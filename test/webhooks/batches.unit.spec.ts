import { expect, it } from 'vitest'
import type { CloudEvent } from '../../src/changes/cloudEvents.ts'
import { batchesOf } from '../../src/webhooks/batches.ts'

/** The changes of some events, each with so many. */
function pageOf(...counts: number[]) {
  const changes = counts.flatMap((count, index) =>
    Array.from(
      { length: count },
      (_, n) => ({ id: `${index}/${n}`, position: String(10 * (index + 1)) }) as CloudEvent,
    ),
  )
  return { changes, next: 500, position: 500 }
}
const shapeOf = (...counts: number[]) =>
  batchesOf(pageOf(...counts), 5).map(({ changes, reached }) => [changes.length, reached])

it.each([
  ['sends nothing when nothing has changed', [], []],
  ['sends all in one request, and moves on past what it leaves out', [1, 2], [[3, 500]]],
  [
    'divides more than a hundred',
    [60, 40, 30],
    [
      [100, 20],
      [30, 500],
    ],
  ],
  [
    'keeps the place before an event that it has sent a part of',
    [60, 60, 1],
    [
      [100, 10],
      [21, 500],
    ],
  ],
  [
    'divides a single large event',
    [250],
    [
      [100, 5],
      [100, 5],
      [50, 500],
    ],
  ],
])('%s', (_, counts, expected) => expect(shapeOf(...counts)).toEqual(expected))
