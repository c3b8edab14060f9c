import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { noStream, StoreUnavailable } from '../../../src/stores/eventStore.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { startAppendProxy } from '../../support/appendProxy.ts'
import { alice, now } from '../../support/given.ts'
import { own } from '../../support/own.ts'
import { startProxy } from '../../support/proxy.ts'
import { startStore } from '../../support/store.ts'
import { until } from '../../support/until.ts'

/** After a fault of the client another one takes over, and what waits for the old one is told so. */

const server = await own(startStore())
const proxy = await own(startAppendProxy(server.url))
const store = await own(connectEventStore(proxy.url))
const direct = await own(connectEventStore(server.url))

const made = () => {
  const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 1 }
  return { id: randomUUID(), type: 'ThingMade', data: {}, metadata }
}

it('fails a waiting append as unknown, and finds the event when it is appended again', async () => {
  const [stream, event] = [`thing-${randomUUID()}`, made()]
  proxy.holdAnswers()
  const waiting = store.append(stream, noStream, [event])
  const failed = expect(waiting).rejects.toMatchObject({
    sent: true,
    cause: { message: 'its client has failed' },
  })
  await until(async () => (await Array.fromAsync(direct.readStream(stream, 0))).length === 1)
  store.replaceClient()
  await failed
  await expect(waiting).rejects.toBeInstanceOf(StoreUnavailable)
  proxy.breakOff()
  await until(() => store.append(stream, noStream, [event]).then(({ revision }) => revision === 0))
  expect(await Array.fromAsync(direct.readStream(stream, 0))).toHaveLength(1)
})

it('ends a subscription, which begins again from its last event', async () => {
  const { position } = await direct.append(`thing-${randomUUID()}`, noStream, [made()])
  const never = new AbortController().signal
  const following = store.subscribe(0, never)[Symbol.asyncIterator]()
  for (let seen = 0; seen < position; ) seen = (await following.next()).value!.position
  const next = following.next()
  store.replaceClient()
  expect(await next).toEqual({ done: true, value: undefined })
  const later = await direct.append(`thing-${randomUUID()}`, noStream, [made()])
  for await (const event of store.subscribe(position, never)) {
    expect(event.position).toBe(later.position)
    break
  }
})

it('closes the former client when its reads have ended', async () => {
  const between = await startProxy(server.url)
  const stream = `thing-${randomUUID()}`
  const events = Array.from({ length: 1_000 }, made)
  await direct.append(stream, noStream, events)
  const through = connectEventStore(between.url)
  const reading = through.readStream(stream, 0)[Symbol.asyncIterator]()
  expect((await reading.next()).value!.revision).toBe(0)

  through.replaceClient()
  for (let revision = 1; revision < events.length; revision += 1)
    expect((await reading.next()).value!.revision).toBe(revision)
  expect(await reading.next()).toEqual({ done: true, value: undefined })
  expect((await through.last())?.streamName).toBe(stream)
  // Channels to one address share a connection, which ends with the last of them.
  await through.close()
  await until(() => between.connections() === 0)
  await between.close()
})
