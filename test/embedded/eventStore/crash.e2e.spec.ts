import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EventData, Position } from '@eventstore/db-client'
import { afterAll, expect, it } from 'vitest'
import { checkStore } from '../../../src/embedded/eventStore/storage/check.ts'
import { openClient } from '../../../src/stores/eventStoreDb/client.ts'
import { startNode, type TestNode, temporaryFolder } from '../../support/node.ts'
import { isFullRun, sized } from '../../support/size.ts'
import { until } from '../../support/until.ts'
import { anEvent, newStream } from './storeUnderTest.ts'

// Always a local node, because the spec kills it.
const KILLS = sized(3, 60)
const WRITERS = 32
const MOST_BEFORE_A_KILL = 200
const STREAMS = Array.from({ length: 8 }, () => newStream('load'))

/** One append that was sent; its events were written together or not at all. */
interface Append {
  stream: string
  ids: string[]
  acknowledged?: { revision: bigint; position: bigint }
}

const folder = temporaryFolder()
const dbFile = join(folder, 'events.db')
let node: TestNode | undefined

afterAll(async () => {
  await node?.stop()
  rmSync(folder, { recursive: true, force: true })
})

it(
  `keeps every acknowledged event through ${KILLS} kills under load: once, in order, none invented`,
  async () => {
    let verifiedUpTo: Position = { commit: 0n, prepare: 0n }
    const lastRevisions = new Map<string, bigint>()
    let acknowledged = 0
    node = await startNode({ dbFile })

    for (let kill = 0; kill < KILLS; kill++) {
      const sent = await loadUntilKilled(node, Math.floor(Math.random() * MOST_BEFORE_A_KILL))
      acknowledged += sent.filter((append) => append.acknowledged).length
      node = await startNode({ dbFile })
      verifiedUpTo = await verify(node, verifiedUpTo, sent, lastRevisions)
    }

    expect(checkStore(dbFile).head).toBe(Number(verifiedUpTo.commit))
    expect(acknowledged).toBeGreaterThan(KILLS)
  },
  isFullRun ? 600_000 : undefined,
)

/** Appends to all streams at once until `enough` are acknowledged, then kills the node during the rest. */
async function loadUntilKilled(target: TestNode, enough: number): Promise<Append[]> {
  const client = openClient(target.url)
  const sent: Append[] = []
  let acknowledged = 0
  let killed = false

  async function write(writer: number): Promise<void> {
    while (!killed) {
      const stream = STREAMS[writer % STREAMS.length]!
      const data = Array.from({ length: 1 + (sent.length % 4) }, (): EventData => anEvent())
      const append: Append = { stream, ids: data.map(({ id }) => id) }
      sent.push(append)
      const { nextExpectedRevision, position } = await client.appendToStream(stream, data)
      append.acknowledged = { revision: nextExpectedRevision, position: position!.commit }
      acknowledged++
    }
  }

  const writers = Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await until(() => acknowledged >= enough)
  await target.kill('SIGKILL')
  killed = true
  await writers
  await client.dispose()
  return sent
}

/** Reads the events since the last time and compares them with those that were sent. */
async function verify(
  target: TestNode,
  after: Position,
  sent: Append[],
  lastRevisions: Map<string, bigint>,
): Promise<Position> {
  const client = openClient(target.url)
  const found = new Map<string, { stream: string; revision: bigint; position: bigint }>()
  let last = after
  for await (const { event } of client.readAll({ fromPosition: after })) {
    const { id, streamId, revision, position } = event!
    if (position!.commit <= after.commit) continue
    expect(position!.commit).toBeGreaterThan(last.commit)
    expect(found.has(id)).toBe(false)
    expect(revision).toBe((lastRevisions.get(streamId) ?? -1n) + 1n)
    lastRevisions.set(streamId, revision)
    found.set(id, { stream: streamId, revision, position: position!.commit })
    last = position!
  }
  await client.dispose()

  const ofSent = new Set(sent.flatMap(({ ids }) => ids))
  expect([...found.keys()].filter((id) => !ofSent.has(id))).toEqual([])
  for (const { stream, ids, acknowledged } of sent) {
    const places = ids.map((id) => found.get(id))
    const present = places.filter((place) => place !== undefined)
    expect(acknowledged ? [ids.length] : [0, ids.length]).toContain(present.length)
    expect(present.every((place) => place.stream === stream)).toBe(true)
    const revisions = present.map(({ revision }) => revision)
    expect(revisions).toEqual(present.map((_, index) => revisions[0]! + BigInt(index)))
    if (acknowledged) expect(present.at(-1)).toMatchObject(acknowledged)
  }
  return last
}
