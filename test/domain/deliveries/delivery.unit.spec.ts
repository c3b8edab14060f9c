import { expect, it } from 'vitest'
import {
  correctDelivery,
  delivery,
  deliveryIdOf,
  type KnownDelivery,
  recordDelivery,
  voidDelivery,
} from '../../../src/domain/deliveries/delivery.ts'
import { excessOf } from '../../../src/domain/verdict/stock.ts'
import { companyId, given, id } from '../../support/given.ts'
import { deliveryOf } from './deliveryOf.ts'

const content = { ...deliveryOf(id(1), 10), supplier: 'Nord' }
const facts = { companyId, deliveryId: deliveryIdOf(companyId, content), ...content }
const known = new Map([[id(1), { status: 'Received' as const }]])
const recorded = { type: 'DeliveryRecorded' as const, data: facts }
const voided = { type: 'DeliveryVoided' as const, data: { ...facts, reason: 'x' } }

it('is recorded once under its note and supplier', () => {
  given(delivery)
    .when((state) => recordDelivery(state, facts, known))
    .records(recorded)
  given(delivery, recorded)
    .when((state) => recordDelivery(state, facts, known))
    .recordsNothing()
  given(delivery, recorded)
    .when((state) => recordDelivery(state, { ...facts, date: '2026-03-02' }, known))
    .refuses('delivery-already-recorded', { deliveryId: facts.deliveryId })
  given(delivery, recorded, voided)
    .when((state) => recordDelivery(state, facts, known))
    .records(recorded)
  expect(deliveryIdOf(companyId, { deliveryNote: ' ls 1', supplier: 'nord' })).toBe(facts.deliveryId)
})

it('names certificates that exist and are not voided', () => {
  const refused = (status?: 'Voided') => () =>
    recordDelivery(undefined, facts, new Map([[id(1), status && { status }]]))
  const faultOf = (code: string) => [expect.objectContaining({ path: '/items/0/millCertificationId', code })]
  expect(refused()).toThrow(expect.objectContaining({ details: { errors: faultOf('unknown-record') } }))
  expect(refused('Voided')).toThrow(
    expect.objectContaining({ details: { errors: faultOf('voided-record') } }),
  )
})

it('is corrected and voided, but never becomes another delivery', () => {
  const after = given(delivery, recorded)
  const correct = (sent: object) => (state: unknown) =>
    correctDelivery(state as KnownDelivery, { ...content, ...sent }, known)
  after.when(correct({})).recordsNothing()
  after.when(correct({ date: '2026-03-02' })).records({
    type: 'DeliveryCorrected',
    data: {
      ...facts,
      date: '2026-03-02',
      changes: [{ field: 'date', from: '2026-03-01', to: '2026-03-02' }],
    },
  })
  expect(() => after.when(correct({ deliveryNote: 'LS 2' })).recordsNothing()).toThrow(
    'cannot become another',
  )
  after.when((state) => voidDelivery(state as KnownDelivery, 'x')).records(voided)
  given(delivery, recorded, voided)
    .when((state) => voidDelivery(state as KnownDelivery, 'x'))
    .recordsNothing()
})

it.each([
  ['as much as was delivered', { pieces: 0, metres: 0 }, false],
  ['more bars of a shorter length', { pieces: -10, metres: 0 }, false],
  ['more metres', { pieces: 0, metres: -0.1 }, true],
  ['more pieces, of which no length is known', { pieces: -1, metres: null }, true],
])('is exceeded or not by %s', (_, remaining, isExceeded) => {
  const some = { pieces: 10, metres: 120 }
  const stock = { delivered: some, planned: some, cut: some, scrapped: some, remaining }
  expect(excessOf(stock) !== undefined).toBe(isExceeded)
})
