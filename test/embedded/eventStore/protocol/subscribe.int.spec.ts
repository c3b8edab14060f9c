import { END, type EventData, type ResolvedEvent, START } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import { until } from '../../../support/until.ts'
import { anEvent, events, newStream, storeUnderTest } from '../storeUnderTest.ts'
import { type Followed, follow } from './follow.ts'

const { client } = await storeUnderTest()

describe('a subscription to $all', () => {
  /** Our events. Other clients may write to a given server at the same time. */
  const ofThese = (followed: Followed, ...events: EventData[]) =>
    followed.ids().filter((id) => events.some((event) => event.id === id))

  it('is confirmed, gives past events, reports caught-up once, and gives new events', async () => {
    const { position } = await client.appendToStream(newStream(), anEvent())
    const stream = newStream()
    await client.appendToStream(stream, events(3))
    const followed = follow(client.subscribeToAll({ fromPosition: position! }))
    await until(() => followed.seen.includes('caughtUp'))
    await client.appendToStream(stream, events(2))
    await until(() => followed.seen.length === 7)
    expect(followed.seen).toEqual(['confirmation', 0n, 1n, 2n, 'caughtUp', 3n, 4n])
    await followed.stop()
  })

  it('begins after the position that it names and reports caught-up once', async () => {
    const [one, two, three] = [anEvent(), anEvent(), anEvent()]
    const { position } = await client.appendToStream(newStream(), one)
    await client.appendToStream(newStream(), two)
    const followed = follow(client.subscribeToAll({ fromPosition: position! }))
    await until(() => followed.seen.includes('caughtUp'))
    await client.appendToStream(newStream(), three)
    await until(() => followed.ids().includes(three.id))
    expect(ofThese(followed, one, two, three)).toEqual([two.id, three.id])
    expect(followed.seen.filter((seen) => seen === 'caughtUp')).toHaveLength(1)
    await followed.stop()
  })

  it('gives only new events from the end', async () => {
    const [before, after] = [anEvent(), anEvent()]
    await client.appendToStream(newStream(), before)
    const followed = follow(client.subscribeToAll({ fromPosition: END }))
    await until(() => followed.seen.includes('caughtUp'))
    await client.appendToStream(newStream(), after)
    await until(() => followed.ids().includes(after.id))
    expect(ofThese(followed, before, after)).toEqual([after.id])
    await followed.stop()
  })

  it('gives all events from the start and from position 0', async () => {
    await client.appendToStream(newStream(), events(3))
    const zero = { commit: 0n, prepare: 0n }
    const fromStart = follow(client.subscribeToAll({ fromPosition: START }))
    const fromZero = follow(client.subscribeToAll({ fromPosition: zero }))
    await until(() => fromStart.seen.includes('caughtUp') && fromZero.seen.includes('caughtUp'))
    const [one, other] = [fromStart.ids(), fromZero.ids()]
    // If other clients write, one of the two may have received more by now.
    const both = Math.min(one.length, other.length)
    expect(both).toBeGreaterThanOrEqual(3)
    expect(one.slice(0, both)).toEqual(other.slice(0, both))
    await Promise.all([fromStart.stop(), fromZero.stop()])
  })

  it('misses and repeats no event on its way from the past to the present', async () => {
    const streams = Array.from({ length: 5 }, () => newStream('switch'))
    const { position } = await client.appendToStream(newStream(), anEvent())
    const appended: string[] = []
    let writing = true
    const writers = streams.map(async (stream) => {
      while (writing) {
        const event = anEvent()
        appended.push(event.id)
        await client.appendToStream(stream, event)
      }
    })
    await until(() => appended.length > 500)
    const followers = Array.from({ length: 4 }, () =>
      follow(client.subscribeToAll({ fromPosition: position! })),
    )
    await until(() => followers.every((followed) => followed.isOver() || followed.seen.includes('caughtUp')))
    const target = appended.length + 200
    await until(() => appended.length > target)
    writing = false
    await Promise.all(writers)
    for (const followed of followers) {
      // A subscriber may have been dropped as too slow, but it must have missed nothing until then.
      await until(() => followed.isOver() || followed.ids().length >= appended.length)
      const seen = followed.events.map(({ event }) => event!)
      const positions = seen.map(({ position }) => position!.commit)
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)))
      expect(new Set(positions).size).toBe(positions.length)
      const all = await idsUpTo(position!.commit, positions.at(-1)!)
      expect(seen.map(({ id }) => id)).toEqual(all)
      await followed.stop()
    }
  })

  async function idsUpTo(after: bigint, last: bigint): Promise<(string | undefined)[]> {
    const ids: (string | undefined)[] = []
    for await (const { event } of client.readAll({
      fromPosition: { commit: after, prepare: after },
    }) as AsyncIterable<ResolvedEvent>) {
      if (event!.position!.commit > after && event!.position!.commit <= last) ids.push(event!.id)
    }
    return ids
  }
})
