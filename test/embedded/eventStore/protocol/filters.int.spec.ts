import { END, eventTypeFilter, excludeSystemEvents, type Position } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import { until } from '../../../support/until.ts'
import { anEvent, events, newStream, rejection, storeUnderTest } from '../storeUnderTest.ts'
import { follow } from './follow.ts'

const { client } = await storeUnderTest()

/** The present end of the log. */
async function head(): Promise<Position> {
  const { position } = await client.appendToStream(newStream(), anEvent())
  return position!
}

it('gives only events of matching types, past and live', async () => {
  const fromPosition = await head()
  const tag = newStream('T').replaceAll('-', '')
  const append = async (type: string) => {
    const event = anEvent(`${tag}${type}`)
    await client.appendToStream(newStream(), event)
    return event.id
  }
  const past = [await append('Wanted'), await append('Other'), await append('Wanted')]
  const filter = eventTypeFilter({ regex: `^${tag}W.*d$` })
  const followed = follow(client.subscribeToAll({ fromPosition, filter }))
  await until(() => followed.seen.includes('caughtUp'))
  const live = [await append('Other'), await append('Wanted')]
  await until(() => followed.events.length >= 3)
  expect(followed.ids()).toEqual([past[0], past[2], live[1]])
  await followed.stop()
})

it('leaves out system events with the client’s own filter', async () => {
  const fromPosition = await head()
  const stream = newStream()
  await client.appendToStream(stream, anEvent('$system'))
  const event = anEvent()
  await client.appendToStream(stream, event)
  const followed = follow(client.subscribeToAll({ fromPosition, filter: excludeSystemEvents() }))
  await until(() => followed.seen.includes('caughtUp'))
  expect(followed.ids()).toContain(event.id)
  expect(followed.events.filter((seen) => seen.event!.type.startsWith('$'))).toEqual([])
  await followed.stop()
})

it('refuses a filter that is not a regular expression', async () => {
  const followed = follow(client.subscribeToAll({ filter: eventTypeFilter({ regex: '(' }) }))
  expect(await rejection(followed.ended)).toMatchObject({ code: 2 })
})

// The event at the position where a subscription starts is counted, though it is not sent.
describe('checkpoints', () => {
  /** A filter that matches nothing, with the checkpoints that it reaches. */
  function unmatched(settings: { checkpointInterval?: number; maxSearchWindow?: number }) {
    const reached: bigint[] = []
    const filter = eventTypeFilter({
      regex: '^NothingHasThisType$',
      ...settings,
      checkpointReached: (_subscription, position) => {
        reached.push(position.commit)
        return Promise.resolve()
      },
    })
    return { filter, reached }
  }

  /** The positions of events appended one by one. */
  async function append(count: number): Promise<bigint[]> {
    const stream = newStream()
    const positions: bigint[] = []
    for (let n = 0; n < count; n++) {
      positions.push((await client.appendToStream(stream, anEvent('Other'))).position!.commit)
    }
    return positions
  }

  it('come every 32 considered events, past and live', async () => {
    const { filter, reached } = unmatched({})
    const fromPosition = await head()
    const past = await append(40)
    const followed = follow(client.subscribeToAll({ fromPosition, filter }))
    await until(() => followed.seen.includes('caughtUp'))
    expect(reached).toEqual([past[30]])
    const live = await append(60)
    await until(() => reached.length >= 3)
    expect(reached).toEqual([past[30], live[22], live[54]])
    expect(followed.events).toEqual([])
    await followed.stop()
  })

  it('come every multiplier × max events', async () => {
    const { filter, reached } = unmatched({ checkpointInterval: 3, maxSearchWindow: 4 })
    const fromPosition = await head()
    const past = await append(30)
    const followed = follow(client.subscribeToAll({ fromPosition, filter }))
    await until(() => followed.seen.includes('caughtUp'))
    expect(reached).toEqual([past[10], past[22]])
    await followed.stop()
  })

  it('are positions to resume from without missing or repeating an event', async () => {
    const { filter, reached } = unmatched({ maxSearchWindow: 5 })
    const followed = follow(client.subscribeToAll({ fromPosition: END, filter }))
    await until(() => followed.seen.includes('caughtUp'))
    const positions = await append(7)
    await until(() => reached.length >= 1)
    await followed.stop()
    const resumed = follow(
      client.subscribeToAll({
        fromPosition: { commit: reached[0]!, prepare: reached[0]! },
        filter: eventTypeFilter({ regex: '^Other$' }),
      }),
    )
    await until(() => resumed.seen.includes('caughtUp'))
    const checkpoint = positions.indexOf(reached[0]!)
    expect(checkpoint).toBeGreaterThanOrEqual(0)
    expect(resumed.events.map(({ event }) => event!.position!.commit)).toEqual(
      positions.slice(checkpoint + 1),
    )
    await resumed.stop()
  })

  it('count events across the pages of a long past', async () => {
    const { filter, reached } = unmatched({ checkpointInterval: 10 })
    const fromPosition = await head()
    await client.appendToStream(newStream(), events(3300))
    const followed = follow(client.subscribeToAll({ fromPosition, filter }))
    await until(() => followed.seen.includes('caughtUp'))
    expect(reached).toHaveLength(Math.floor(3300 / 320))
    await followed.stop()
  })
})
