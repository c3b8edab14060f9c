import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../../../src/domain/kernel/event.ts'
import { storedMetadata } from '../../../../src/domain/kernel/metadata.ts'
import {
  type Handler,
  integer,
  type Projection,
  type Tables,
  table,
  text,
} from '../../../../src/projections/engine/projection.ts'
import { fold, plan } from '../../../../src/projections/engine/rows/fold.ts'
import type { Slot } from '../../../../src/projections/engine/rows/rows.ts'
import { workingRows } from '../../../../src/projections/engine/rows/workingRows.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { histories, portions } from '../../histories.ts'
import { company, items, log, metadata, recorded, samples } from '../../samples.ts'

const put = (item: number, label = 'a') =>
  ({ type: 'ItemPut', data: { companyId: company(1), item, label, tags: [] } }) as const

describe('given events, then rows', () => {
  test('each event is applied to the rows that it declared', () => {
    const { item, companyTotal } = foldInMemory(items, [
      recorded(put(1), 10),
      recorded(put(2), 20),
      recorded({ type: 'ItemCounted', data: { companyId: company(1), items: [1, 3], by: 5 } }, 30),
      recorded({ type: 'ItemRemoved', data: { companyId: company(1), item: 2 } }, 40),
    ])
    expect(item).toMatchObject([{ item: 1, counted: 5, position: 30 }])
    expect(companyTotal).toEqual([{ companyId: company(1), total: 1, fromPosition: 40 }])
  })

  test('an absent value of a nullable column is null', () => {
    expect(foldInMemory(items, [recorded(put(1), 10)]).item).toMatchObject([{ weight: null }])
  })

  test('an event type without a handler is skipped', () => {
    const unknown = { ...recorded(put(1), 10), type: 'SomethingElse' } as unknown as Recorded
    const inherited = { ...recorded(put(1), 20), type: 'toString' } as unknown as Recorded
    expect(Object.values(foldInMemory(items, [unknown, inherited])).flat()).toEqual([])
  })

  test('an event that is not JSON is skipped, whatever its type', () => {
    const bytes: Recorded = { ...recorded(put(1), 10), data: { base64: '' }, isJson: false }
    expect(Object.values(foldInMemory(items, [bytes])).flat()).toEqual([])
  })

  test('a table that only grows has every row in the order of the events', () => {
    const note = (position: number, text: string) =>
      recorded({ type: 'ItemNoted', data: { companyId: company(1), item: 1, note: text } }, position)
    const { entry } = foldInMemory(log, [note(10, 'a|b'), note(20, 'c')])
    expect(entry!.map((row) => row.note)).toEqual(['a', 'b', 'c'])
  })
})

describe('a handler of any event', () => {
  /** Keeps each event as it came. */
  const keeping: Projection = {
    name: 'keeping',
    version: 1,
    tables: { kept: table({ columns: { position: integer, event: text }, key: ['position'] }) as never },
    handlers: {},
    anyEvent: {
      touches: ({ position }) => ({ kept: [[position]] }),
      apply: (rows, event) => rows.kept!.put({ position: event.position, event: JSON.stringify(event) }),
    },
  }
  const strangers: [string, Recorded][] = [
    ['of an unknown type', { ...recorded(put(1), 10), type: 'Unheard' }],
    ['of a type that every object has a property of', { ...recorded(put(1), 10), type: 'constructor' }],
    ['of a newer version', { ...recorded(put(1), 10), metadata: metadata(undefined, 9) }],
    ['that is not JSON', { ...recorded(put(1), 10), data: { base64: 'AA==' }, isJson: false }],
  ]

  test.each(strangers)('sees an event %s, as it is stored', (_, event) => {
    expect(foldInMemory(keeping, [event]).kept).toEqual([{ position: 10, event: JSON.stringify(event) }])
  })

  test('sees the metadata of another program as they are stored beside those that it can read', () => {
    const [row] = foldInMemory(keeping, [{ ...recorded(put(1), 10), metadata: 7 as never }]).kept!
    const event = JSON.parse(row!.event as string)
    expect(event).toMatchObject({ metadata: { actor: { kind: 'service' } }, written: 7 })
    expect(storedMetadata(event)).toBe(7)
  })

  test('sees an event of an old version as it is stored', () => {
    const upcasters = { 1: () => ({ changed: true }) }
    const raised = { ...keeping, events: { ItemPut: { version: 2, upcasters } } }
    const event = recorded(put(1), 10)
    expect(foldInMemory(raised, [event]).kept).toEqual([{ position: 10, event: JSON.stringify(event) }])
  })

  test('leaves events of a type to the handler of that type, unless they are not JSON', () => {
    const silent = { ...keeping, handlers: { ItemPut: { touches: () => ({}), apply: () => {} } } }
    const bytes: Recorded = { ...recorded(put(1), 20), isJson: false }
    expect(foldInMemory(silent, [recorded(put(1), 10), bytes]).kept).toMatchObject([{ position: 20 }])
  })
})

/** A projection of one handler, for what a handler must not do. */
const handling = (handler: Partial<Handler<Tables, Recorded>>): Projection => ({
  name: 'odd',
  version: 1,
  tables: {
    thing: table({ columns: { id: integer, name: text }, key: ['id'] }) as Tables[string],
    line: table({ columns: { id: integer }, key: ['id'], appendOnly: true }) as Tables[string],
  },
  handlers: { ItemPut: { touches: () => ({ thing: [[1]] }), apply: () => {}, ...handler } as never },
})

describe('a handler', () => {
  const seen = (apply: Handler<Tables, Recorded>['apply']) => () =>
    foldInMemory(handling({ apply }), [recorded(put(1), 10)])

  test.each([
    ['reads', (rows) => rows.thing!.get([2])],
    ['puts', (rows) => rows.thing!.put({ id: 2, name: 'a' })],
    ['updates', (rows) => rows.thing!.update([2], { name: 'a' })],
    ['deletes', (rows) => rows.thing!.delete([2])],
    ['looks up in a table that only grows', (rows) => rows.line!.get([1])],
  ] as [string, Handler<Tables, Recorded>['apply']][])(
    'that %s a row it did not declare is stopped',
    (_, apply) => {
      expect(seen(apply)).toThrow(expect.objectContaining({ code: 'undeclared-row' }))
      expect(seen(apply)).toThrow(expect.objectContaining({ code: 'undeclared-row' }))
    },
  )

  test('cannot leave out a column that is not nullable', () => {
    expect(seen((rows) => rows.thing!.put({ id: 1 }))).toThrow(
      expect.objectContaining({ code: 'misshapen-row' }),
    )
    expect(seen((rows) => rows.thing!.put({ id: 1, name: null }))).toThrow('odd.thing: name is missing')
  })

  test('cannot change the key of a row', () => {
    const apply: Handler<Tables, Recorded>['apply'] = (rows) => {
      rows.thing!.put({ id: 1, name: 'a' })
      rows.thing!.update([1], { id: 2 })
    }
    expect(seen(apply)).toThrow(expect.objectContaining({ code: 'misshapen-row' }))
  })

  test('updates only what is there, and sees what it has just written', () => {
    const apply: Handler<Tables, Recorded>['apply'] = (rows) => {
      rows.thing!.update([1], { name: 'never' })
      expect(rows.thing!.get([1])).toBeUndefined()
      rows.thing!.put({ id: 1, name: 'a' })
      rows.thing!.update([1], (row) => ({ name: `${row.name}b` }))
      expect(rows.thing!.get([1])).toEqual({ id: 1, name: 'ab' })
      rows.thing!.delete([1])
      expect(rows.thing!.get([1])).toBeUndefined()
    }
    expect(seen(apply)()).toEqual({ thing: [], line: [] })
  })

  test('that meets an event of a newer version than its own is stopped', () => {
    const newer = { ...recorded(put(1), 10), metadata: metadata(undefined, 2) } as Recorded
    expect(() => foldInMemory(handling({}), [newer])).toThrow(
      expect.objectContaining({ code: 'newer-release-running' }),
    )
    const knowing = { ...handling({}), events: { ItemPut: { version: 2 } } }
    expect(() => foldInMemory(knowing, [newer])).not.toThrow()
  })
})

describe('an event that cannot be folded', () => {
  const failsAt = (position: number): Projection =>
    handling({
      apply: (rows, event) => {
        const before = rows.thing!.get([1]) as { name: string } | undefined
        rows.thing!.put({ id: 1, name: `${before?.name ?? ''}${event.position}` })
        rows.line!.put({ id: event.position })
        if (event.position === position) throw new Error('boom')
      },
    })
  const events = [1, 2, 3].map((position) => recorded(put(1), position))

  test('leaves nothing behind, and what came before stands', () => {
    const projection = failsAt(3)
    const working = workingRows(projection, () => null)
    const failure = fold(plan(projection, events), working)
    expect(failure).toMatchObject({ event: { position: 3 }, error: { message: 'boom' } })
    const changes = working.take()
    expect([...changes.get('thing')!.changed.values()]).toEqual([{ id: 1, name: '12' }])
    expect(changes.get('line')!.added).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('is found as well when it is what it touches that throws', () => {
    const projection = handling({
      touches: (event) => {
        if (event.position === 2) throw new Error('boom')
        return { thing: [[1]] }
      },
    })
    const planned = plan(projection, events)
    expect(planned.steps.map(({ event }) => event.position)).toEqual([1])
    expect(planned.failure).toMatchObject({ event: { position: 2 } })
  })
})

test('folded in batches of any size, any history comes to the same rows', () => {
  fc.assert(
    fc.property(histories, portions, (events, sizes) => {
      for (const projection of samples) {
        const stored = new Map<string, Map<string, Slot>>()
        const grown = new Map<string, unknown[]>()
        const working = workingRows(projection, (name, key) => stored.get(name)?.get(key) ?? null)
        for (const batch of sizes(events)) {
          expect(fold(plan(projection, batch), working)).toBeUndefined()
          for (const [name, { changed, added }] of working.take()) {
            stored.set(name, new Map([...(stored.get(name) ?? []), ...changed]))
            grown.set(name, [...(grown.get(name) ?? []), ...added])
          }
        }
        for (const [name, rows] of Object.entries(foldInMemory(projection, events))) {
          const batched = [...(grown.get(name) ?? []), ...(stored.get(name)?.values() ?? [])].filter(Boolean)
          expect(new Set(batched)).toEqual(new Set(rows))
        }
      }
    }),
  )
})
