import { describe, expect, it } from 'vitest'
import type { Aggregate } from '../src/domain/aggregate.ts'
import { aggregates, domainEvents } from '../src/domain/aggregates.ts'
import type { DomainEvent } from '../src/domain/event.ts'
import { current, understands } from '../src/domain/versions.ts'
import { storedEvents } from './golden/golden.ts'
import { story } from './golden/story.ts'

/* See golden/README.md for what to do when one of these fails. */

const all = aggregates as unknown as readonly Aggregate<unknown, DomainEvent>[]
const asStored = (value: unknown) => JSON.parse(JSON.stringify(value))
const golden = storedEvents()
const names = golden.map(({ name }) => name)
const events = golden.map(({ event }) => event)

describe.each(all)('$name', (aggregate) => {
  const { eventVersions, upcasters = {}, streamName, initial, evolve } = aggregate
  const types = Object.entries(eventVersions)

  it.each(types)(
    'has a golden event of every version of %s, the newest as it is stored today',
    (type, newest) => {
      for (let version = 1; version <= newest; version += 1)
        expect(names, `there is no golden ${type}.${version}`).toContain(`${type}.${version}`)
      const told = story.findLast((event) => event.type === type)
      expect(told, `the story has no ${type}`).toBeDefined()
      expect(events).toContainEqual(asStored(told))
    },
  )

  it.each(types)('has an upcaster from every older version of %s, and no others', (type, newest) => {
    const older = Array.from({ length: newest - 1 }, (_, index) => String(index + 1))
    expect(Object.keys(upcasters[type] ?? {})).toStrictEqual(older)
    expect(newest).toBe(domainEvents.eventVersions[type])
    expect(upcasters[type]).toBe(domainEvents.upcasters?.[type])
  })

  it('folds every golden event of its streams', () => {
    const own = golden.filter(({ event }) => event.streamName.startsWith(streamName('')))
    expect(own.length).toBeGreaterThan(0)
    let state = initial
    for (const { name, event } of own) {
      const after = evolve(state, current(aggregate, event) as never)
      expect(after, `${name} changes nothing`).not.toEqual(state)
      state = after
    }
  })
})

it('has an aggregate for every golden event, and one event at each position', () => {
  for (const event of events) expect(understands(domainEvents, event)).toBe(true)
  expect(new Set(events.map(({ position }) => position)).size).toBe(events.length)
})
