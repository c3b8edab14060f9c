import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../../../src/domain/kernel/event.ts'
import type { Projection } from '../../../../src/projections/engine/projection.ts'
import { fold, plan } from '../../../../src/projections/engine/rows/fold.ts'
import type { Row } from '../../../../src/projections/engine/rows/rows.ts'
import { workingRows } from '../../../../src/projections/engine/rows/workingRows.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { histories } from '../../histories.ts'
import { company, items, recorded } from '../../samples.ts'

/** The former rows of versioned tables. */

const put = (item: number, label: string, tags: unknown = []) =>
  ({ type: 'ItemPut', data: { companyId: company(1), item, label, tags } }) as const
const removed = (item: number) => ({ type: 'ItemRemoved', data: { companyId: company(1), item } }) as const

describe('a versioned table', () => {
  test('keeps the row that an event replaces, with the positions between which it counted', () => {
    const { item, itemPast } = foldInMemory(items, [recorded(put(1, 'a'), 10), recorded(put(1, 'b'), 20)])
    expect(item).toMatchObject([{ label: 'b', fromPosition: 20 }])
    expect(itemPast).toMatchObject([{ label: 'a', fromPosition: 10, toPosition: 20 }])
  })

  test('keeps the row that an event deletes', () => {
    const { item, itemPast } = foldInMemory(items, [recorded(put(1, 'a'), 10), recorded(removed(1), 20)])
    expect(item).toEqual([])
    expect(itemPast).toMatchObject([{ label: 'a', fromPosition: 10, toPosition: 20 }])
  })

  test('has no former row of an event that changes no value', () => {
    const { companyTotal, companyTotalPast } = foldInMemory(items, [
      recorded(put(1, 'a'), 10),
      recorded(put(1, 'b'), 20),
    ])
    expect(companyTotal).toMatchObject([{ total: 1, fromPosition: 10 }])
    expect(companyTotalPast).toEqual([])
  })

  test('has no former row of an event that deletes a row and puts the same again', () => {
    const again: Projection = {
      ...items,
      handlers: {
        ...items.handlers,
        ItemCounted: {
          touches: () => ({ companyTotal: [[company(1)]] }),
          apply: (rows) => {
            const before = rows.companyTotal!.get([company(1)])!
            rows.companyTotal!.delete([company(1)])
            rows.companyTotal!.put({ companyId: before.companyId, total: before.total })
          },
        },
      },
    }
    const counted = { type: 'ItemCounted', data: { companyId: company(1), items: [], by: 1 } } as const
    const { companyTotal, companyTotalPast } = foldInMemory(again, [
      recorded(put(1, 'a'), 10),
      recorded(counted, 20),
    ])
    expect(companyTotal).toMatchObject([{ total: 1, fromPosition: 10 }])
    expect(companyTotalPast).toEqual([])
  })

  test('has no former rows of an event that cannot be folded', () => {
    const failing: Projection = {
      ...items,
      handlers: {
        ItemPut: {
          ...items.handlers.ItemPut!,
          apply: (rows, event) => {
            items.handlers.ItemPut!.apply(rows, event)
            if (event.position === 20) throw new Error('boom')
          },
        },
      },
    }
    const working = workingRows(failing, () => null)
    const events = [recorded(put(1, 'a'), 10), recorded(put(2, 'b'), 20)]
    expect(fold(plan(failing, events), working)).toMatchObject({ event: { position: 20 } })
    const changes = working.take()
    expect([...changes.get('companyTotal')!.changed.values()]).toMatchObject([{ total: 1, fromPosition: 10 }])
    expect(changes.has('companyTotalPast')).toBe(false)
  })
})

/** The rows that counted at a position, by the positions in the table and in its past. */
function asOf(position: number, rows: readonly Row[], past: readonly Row[]): Row[] {
  const counted = past.filter(({ toPosition }) => (toPosition as number) > position)
  return [...rows, ...counted.map(({ toPosition: _, fork: __, ...row }) => row)].filter(
    ({ fromPosition }) => (fromPosition as number) <= position,
  )
}

test('shows as of any position the rows that a fold up to there gives', () => {
  fc.assert(
    fc.property(histories, fc.nat(500), (events: Recorded[], position) => {
      const { item, itemPast, companyTotal, companyTotalPast } = foldInMemory(items, events)
      const until = foldInMemory(
        items,
        events.filter((event) => event.position <= position),
      )
      expect(new Set(asOf(position, item!, itemPast!))).toEqual(new Set(until.item))
      expect(new Set(asOf(position, companyTotal!, companyTotalPast!))).toEqual(new Set(until.companyTotal))
    }),
  )
})
