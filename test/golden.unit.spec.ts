import { describe, expect, it } from 'vitest'
import { aggregates, domainEvents } from '../src/domain/aggregates.ts'
import type { Aggregate } from '../src/domain/kernel/aggregate.ts'
import type { DomainEvent } from '../src/domain/kernel/event.ts'
import { newestVersion, toNewestVersion, understands } from '../src/domain/kernel/versions.ts'
import { nameOf, storedEvents } from './golden/golden.ts'
import { story } from './golden/story.ts'

/* See golden/README.md for what to do when one of these fails. */

const all = aggregates as unknown as readonly Aggregate<unknown, DomainEvent>[]
const golden = storedEvents()
const files = new Map(golden.map(({ name, event }) => [name, event]))

describe('a golden event', () => {
  it.each(story)('of the type $type is what is stored today', (event) => {
    expect(files.get(nameOf(event))).toStrictEqual(JSON.parse(JSON.stringify(event)))
  })

  it.each(golden)('$name has its type and version as its name, and is understood', ({ name, event }) => {
    expect(name).toBe(nameOf(event))
    expect(understands(domainEvents, event)).toBe(true)
  })

  it('has a position that only the other versions of its type have', () => {
    const types = new Set(golden.map(({ event }) => event.type))
    expect(new Set(golden.map(({ event }) => event.position)).size).toBe(types.size)
  })
})

describe.each(all)('$name', (aggregate) => {
  const { events, streamName, initial, evolve } = aggregate
  const types = Object.keys(events).map((type) => [type, newestVersion(events, type)!] as const)

  it.each(types)('has a golden event of every version of %s, and tells the newest', (type, newest) => {
    const versions = golden.flatMap(({ event }) => (event.type === type ? event.metadata.schemaVersion : []))
    expect(versions.sort()).toStrictEqual(Array.from({ length: newest }, (_, index) => index + 1))
    const told = story.filter((event) => event.type === type)
    expect(told.map(({ metadata }) => metadata.schemaVersion)).toStrictEqual([newest])
  })

  it.each(types)('has an upcaster from every older version of %s, and no others', (type, newest) => {
    const older = Array.from({ length: newest - 1 }, (_, index) => String(index + 1))
    expect(Object.keys(events[type]!.upcasters ?? {})).toStrictEqual(older)
    expect(events[type]).toBe(domainEvents[type])
  })

  it('folds every golden event of its streams', () => {
    const own = golden.filter(({ event }) => event.streamName.startsWith(streamName('')))
    expect(own.length).toBeGreaterThan(0)
    let state = initial
    // The versions of an event are at one position, and each of them can be the one that is there.
    for (const versions of Map.groupBy(own, ({ event }) => event.position).values()) {
      const states = versions.map(({ event }) => evolve(state, toNewestVersion(events, event) as never))
      for (const [index, after] of states.entries())
        expect(after, `${versions[index]!.name} changes nothing`).not.toEqual(state)
      state = states.at(-1)
    }
  })
})
