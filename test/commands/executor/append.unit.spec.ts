import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { appendReliably } from '../../../src/commands/executor/append.ts'
import { registerOrder } from '../../../src/commands/orders/orders.ts'
import { createTag } from '../../../src/commands/tags/tags.ts'
import { orderIdOf } from '../../../src/domain/kernel/identifiers.ts'
import { orderKey, orderStream } from '../../../src/domain/orders/order.ts'
import { clock } from '../../../src/lib/clocks.ts'
import { Failure } from '../../../src/lib/failure.ts'
import {
  type EventStore,
  maxAppendBytes,
  type NewEvent,
  noStream,
  StoreUnavailable,
  storeFull,
} from '../../../src/stores/eventStore.ts'
import { bareLine, orderContent, tagContent } from '../../domain/verdict/facts.ts'
import { alice, now } from '../../support/given.ts'
import { context, createStage, eventsOf, refusalOf, type Stage } from '../nodes.ts'

let stage: Stage
let store: EventStore
beforeAll(() => {
  stage = createStage()
  store = stage.node().store
})

const metadata = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: 1 }
/** Make two events whose ids, types, data and metadata have this many bytes together. */
function eventsOfBytes(bytes: number): NewEvent[] {
  const eventOf = (text: string): NewEvent => ({ id: randomUUID(), type: 'Told', data: { text }, metadata })
  const size = ({ id, type, data, metadata }: NewEvent) =>
    id.length + type.length + Buffer.byteLength(JSON.stringify(data) + JSON.stringify(metadata))
  const first = eventOf('ä'.repeat(100_000))
  return [first, eventOf('x'.repeat(bytes - size(first) - size(eventOf(''))))]
}

it('accepts an append of exactly the limit of the store', async () => {
  const stream = `told-${randomUUID()}`
  const events = eventsOfBytes(maxAppendBytes)
  expect((await appendReliably({ store, clock }, stream, noStream, events)).revision).toBe(1)
  expect((await eventsOf(store, stream)).map(({ id }) => id)).toStrictEqual(events.map(({ id }) => id))
})

it('refuses an append of one byte more without asking the store', async () => {
  const stream = `told-${randomUUID()}`
  const refused = appendReliably({ store, clock }, stream, noStream, eventsOfBytes(maxAppendBytes + 1))
  expect(await refusalOf(refused)).toBe('too-large-to-record')
  expect(await eventsOf(store, stream)).toStrictEqual([])
})

it.each(['NUL \0', '\\\\\0', 'high \ud800', 'low \udfff'])(
  'refuses a text that no read model can store: %j',
  async (text) => {
    const stream = `told-${randomUUID()}`
    const events = [{ id: randomUUID(), type: 'Told', data: { text }, metadata }]
    expect(await refusalOf(appendReliably({ store, clock }, stream, noStream, events))).toBe(
      'validation-failed',
    )
    expect(await eventsOf(store, stream)).toStrictEqual([])
  },
)

it('stores texts that look like escapes of such characters, and paired surrogates', async () => {
  const stream = `told-${randomUUID()}`
  const data = { text: '\\u0000 \\\\ud800 😀' }
  await appendReliably({ store, clock }, stream, noStream, [
    { id: randomUUID(), type: 'Told', data, metadata },
  ])
  expect((await eventsOf(store, stream)).map((event) => event.data)).toStrictEqual([data])
})

it('refuses at once when the disk of the store is full', async () => {
  const full = { ...store, append: () => Promise.reject(storeFull('full')) }
  const refused = appendReliably(
    { store: full, clock },
    `told-${randomUUID()}`,
    noStream,
    eventsOfBytes(300_000),
  )
  expect(await refusalOf(refused)).toBe('store-full')
})

it('does not know the outcome when the store is full after an attempt that it did not answer', async () => {
  const answers = [new StoreUnavailable('silence'), storeFull('full')]
  const silent = { ...store, append: () => Promise.reject(answers.shift()) }
  const refused = appendReliably(
    { store: silent, clock },
    `told-${randomUUID()}`,
    noStream,
    eventsOfBytes(300_000),
  )
  expect(await refusalOf(refused)).toBe('outcome-unknown')
})

it('refuses a command that records too much, and records nothing of it', async () => {
  const { execute } = stage.node()
  const companyId = randomUUID()
  const description = 'ü'.repeat(500)
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      bareLine({ lineNumber: n + 1, description, lengthMm: 1, quantity: 1 }),
    )
  const register = (count: number) =>
    execute(registerOrder(companyId, 'SO', orderContent({ lineItems: lines(count) })), context)
  expect(await refusalOf(register(1_000))).toBe('too-large-to-record')
  const stream = orderStream(orderKey(companyId, orderIdOf(companyId, 'SO')))
  expect(await eventsOf(store, stream)).toStrictEqual([])
  expect((await register(500)).body.lineItems).toHaveLength(500)
})

it('does not know the outcome when a conflict after silence cannot be looked at', async () => {
  const answers = [new StoreUnavailable('silence'), new Failure('wrong-revision', 'another was first')]
  const { execute } = stage.node({
    through: (present) => ({
      ...present,
      append: () => Promise.reject(answers.shift()),
      readStream(stream, revision) {
        if (answers.length === 0) throw new StoreUnavailable('silence')
        return present.readStream(stream, revision)
      },
    }),
  })
  expect(
    await refusalOf(execute(createTag(randomUUID(), 'millCert', tagContent({ name: 'Hold' })), context)),
  ).toBe('outcome-unknown')
})
