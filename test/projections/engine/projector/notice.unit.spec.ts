import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeNotice,
  encodeNotice,
  maxPayloadBytes,
} from '../../../../src/projections/engine/projector/notice.ts'

const text = fc.string({ unit: 'binary', maxLength: 60 })
const changed = fc.record({ companyId: text, projection: fc.constantFrom('tags', 'orders', 'history') })
const moved = fc.dictionary(fc.constantFrom('tags', 'orders', 'history'), fc.maxSafeNat(), {
  noNullPrototype: true,
})
const notice = fc.record({
  from: fc.maxSafeNat(),
  to: fc.maxSafeNat(),
  moved,
  stopped: fc.subarray(['tags', 'orders', 'history']),
  changed: fc.oneof(
    fc.array(changed, { maxLength: 5 }),
    fc.array(changed, { minLength: 80, maxLength: 400, size: 'max' }),
    fc.constant('*' as const),
  ),
})

test('the notice of any batch fits into a NOTIFY, and arrives as it was or says that anything may have changed', () => {
  fc.assert(
    fc.property(notice, (sent) => {
      const payload = encodeNotice(sent)
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(maxPayloadBytes)
      const received = decodeNotice(payload)!
      expect({ ...received, changed: '*' }).toEqual({ ...sent, changed: '*' })
      if (received.changed !== '*') expect(received.changed).toEqual(sent.changed)
    }),
  )
})

test('changes are named as long as there is room', () => {
  const companies = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      companyId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      projection: 'certificates',
    }))
  const sent = { from: 1, to: 2, moved: { certificates: 1 }, stopped: [], changed: companies(100) }
  expect(decodeNotice(encodeNotice(sent))).toEqual(sent)
  expect(decodeNotice(encodeNotice({ ...sent, changed: companies(200) }))?.changed).toBe('*')
})

test('a payload that is no notice is none, and so is one that does not say which projections took part', () => {
  const { moved: _, ...withoutMoved } = { from: 1, to: 2, moved: {}, stopped: [], changed: [] }
  const incomplete = [{}, { from: 1, to: 2 }, { from: 1, to: 2, moved: {}, stopped: [] }, withoutMoved]
  for (const payload of ['', 'x', 'null', '1', ...incomplete.map((one) => JSON.stringify(one))])
    expect(decodeNotice(payload), payload).toBeUndefined()
})
