import { expect, it } from 'vitest'
import { orderKey, orderStream } from '../../../../src/domain/orders/order.ts'
import { connectEventStore } from '../../../../src/stores/eventStoreDb/connect.ts'
import { startAppendProxy } from '../../../support/appendProxy.ts'
import { own } from '../../../support/own.ts'
import { createDatabase } from '../../../support/postgres.ts'
import { startProxy } from '../../../support/proxy.ts'
import { startStore } from '../../../support/store.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/**
 * PostgreSQL goes between a command's append and its answer. The store is spoken to past a proxy, so it is one of
 * this file's own, whatever EVENTSTORE_URL names.
 */

const node = await own(startStore())
const database = await own(createDatabase())
const eventStore = await own(startAppendProxy(node.url))
const postgres = await own(startProxy(database.url))
/** Past the proxy. */
const store = await own(connectEventStore(node.url))
const service = await own(startTestService({ EVENTSTORE_URL: eventStore.url, DATABASE_URL: postgres.url }))

it('answers an order as pending, with the part that is known', async () => {
  const line = { lineNumber: 10, lengthMm: 2_000, quantity: 1 }
  const order = { orderNumber: 'SO-1', customer: 'Before', lineItems: [line] }
  const { body } = await service.send('planner', 'POST', 'orders', { body: order })
  const path = `orders/${body.orderId}`

  // The proxy holds the store's answers until PostgreSQL is gone.
  eventStore.holdAnswers()
  const corrected = service.send('planner', 'PUT', path, { body: { ...order, customer: 'After' } })
  const stream = orderStream(orderKey(service.companyId, body.orderId))
  await until(async () => (await Array.fromAsync(store.readStream(stream, 0))).length === 2)
  postgres.refuse()
  eventStore.breakOff()
  const { status, headers, body: answer } = await corrected
  expect(status).toBe(200)
  expect(headers.get('projection-status')).toBe('pending')
  expect(answer).toStrictEqual({ ...body, customer: 'After', updatedAt: expect.any(String) })

  postgres.accept()
  await until(async () => (await service.send('viewer', 'GET', path)).body?.customer === 'After')
})
