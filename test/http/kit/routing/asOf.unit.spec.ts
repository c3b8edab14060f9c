import { expect, it } from 'vitest'
import { resolveAsOf } from '../../../../src/http/kit/routing/asOf.ts'
import type { Exchange } from '../../../../src/http/kit/routing/route.ts'
import type { Services } from '../../../../src/http/kit/services.ts'

const now = '2026-03-31T08:00:00.000Z'
const last = { position: 7, eventId: 'the last event', time: now }

/** Services whose clock stands still, and whose company has one event. */
const services = {
  now: () => new Date(now),
  eventStore: { last: async () => last },
  positions: { waitFor: async () => true },
  reader: { read: async () => ({ value: [{ last, isOver: false }] }) },
} as unknown as Services

function askedAt(time: string) {
  const res = { setHeader: () => {} }
  const exchange = { res, query: { asOf: { time } }, params: { companyId: 'c' } } as unknown as Exchange
  return resolveAsOf(exchange, services, [])
}

it('takes the present moment, and refuses the next millisecond as the future', async () => {
  expect(await askedAt(now)).toMatchObject({ position: last.position })
  await expect(askedAt('2026-03-31T08:00:00.001Z')).rejects.toMatchObject({
    status: 400,
    members: { errors: [{ parameter: 'asOf', code: 'out-of-bounds' }] },
  })
})
