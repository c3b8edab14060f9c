import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { appendReliably } from '../../../src/commands/executor/append.ts'
import { clock } from '../../../src/lib/clocks.ts'
import { noStream } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { alice, now } from '../../support/given.ts'
import { startMovingLeader } from '../../support/movingLeader.ts'
import { own } from '../../support/own.ts'
import { isFullRun, sized } from '../../support/size.ts'
import { startStore } from '../../support/store.ts'
import { unheardIn } from '../../support/unheard.ts'
import { until } from '../../support/until.ts'

/** The leader of a cluster changes while commands append: the process lives, and nothing is lost or doubled. */

const changes = sized(8, 1_000)
const writers = 16

const store = await own(startStore())
const cluster = await own(startMovingLeader(store.url))
const there = await own(connectEventStore(cluster.url))

let answered = 0
/** Wait until so many more appends are answered. */
const untilAnswered = (more: number, from = answered) => until(() => answered >= from + more)

const kinds: Readonly<Record<string, () => Promise<void>>> = {
  async 'the former leader refuses, and loses its connections once the new one is in use'() {
    cluster.move()
    await untilAnswered(writers)
    cluster.breakOff('followers')
  },
  async 'all connections break, and the client asks for the new leader'() {
    cluster.move()
    cluster.breakOff('all')
  },
  async 'the leader resigns, and another leads a while later'() {
    cluster.resign()
    await pause(15)
    cluster.move()
  },
  async 'the appends under way are reset'() {
    cluster.resetAppends()
  },
}

/** An event id is in one of these, by whether its append was answered. */
interface Sent {
  readonly acknowledged: Set<string>
  readonly unknown: Set<string>
}

/** Append to one stream until `over`, after a conflict or an unknown outcome from where the stream is. */
async function write(stream: string, over: () => boolean): Promise<Sent> {
  const sent: Sent = { acknowledged: new Set(), unknown: new Set() }
  let expected = noStream
  while (!over()) {
    const id = randomUUID()
    const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 1 }
    try {
      const event = { id, type: 'ThingMade', data: {}, metadata }
      expected = (await appendReliably({ store: there, clock }, stream, expected, [event])).revision
      sent.acknowledged.add(id)
      answered += 1
    } catch {
      sent.unknown.add(id)
      expected = (await revisionsIn(stream)).size - 1
    }
  }
  return sent
}

/** The revision of each event, by its id. Every node passes reads on to the one store. */
async function revisionsIn(stream: string): Promise<Map<string, number>> {
  const direct = connectEventStore(store.url)
  const read = await Array.fromAsync(direct.readStream(stream, 0))
  await direct.close()
  const revisions = new Map(read.map(({ id, revision }) => [id, revision]))
  expect(revisions.size).toBe(read.length)
  return revisions
}

it(
  `lives through ${changes} changes of the leader under load, and has every acknowledged event once`,
  async () => {
    let isOver = false
    const streams = Array.from({ length: writers }, () => `thing-${randomUUID()}`)
    const sent: Sent[] = []
    const unheard = await unheardIn(async () => {
      const writing = Promise.all(streams.map((stream) => write(stream, () => isOver)))
      const reading = readOn(() => isOver)
      for (let n = 0; n < changes; n += 1) {
        await untilAnswered(Math.random() * 2 * writers)
        await Object.values(kinds)[n % 4]!()
      }
      isOver = true
      sent.push(...(await writing))
      await reading
    })
    expect(unheard).toEqual([])
    for (const [index, { acknowledged, unknown }] of sent.entries()) {
      const found = await revisionsIn(streams[index]!)
      expect([...acknowledged].filter((id) => !found.has(id))).toEqual([])
      expect([...found.keys()].filter((id) => !acknowledged.has(id) && !unknown.has(id))).toEqual([])
    }
    expect(sent.flatMap(({ acknowledged }) => [...acknowledged]).length).toBeGreaterThan(changes)
  },
  isFullRun ? 600_000 : undefined,
)

/** Commands read, too, and a read may be the first to hear of another leader. */
async function readOn(over: () => boolean): Promise<void> {
  while (!over()) {
    await there.last().catch(() => {})
    await pause(5)
  }
}
