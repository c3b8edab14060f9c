import fc from 'fast-check'
import { v5 } from 'uuid'
import { describe, expect, it } from 'vitest'
import {
  byCodePoint,
  derivedId,
  lineItemIdOf,
  millCertificationIdOf,
  orderIdOf,
} from '../../../src/domain/kernel/identifiers.ts'
import { normalise } from '../../../src/domain/kernel/spellings.ts'
import { tagNameKey } from '../../../src/domain/tags/tag.ts'
import { companyId } from '../../support/given.ts'

describe('ids that follow from numbers', () => {
  it('equal the ids in the interface description', () => {
    expect(millCertificationIdOf(companyId, 'mc-2026-0001', ' H  4711 ')).toBe(
      'e99feea6-0239-5fed-b66a-0167536055c1',
    )
    const orderId = orderIdOf(companyId, 'SO-1001')
    expect(orderId).toBe('b1c9519f-504d-595a-9251-c56b4fa50afd')
    expect(lineItemIdOf(companyId, orderId, 10)).toBe('321a2439-fa68-516d-be7f-b80553d1ec76')
  })

  it('equal the v5 UUIDs of the text, for every namespace that v5 accepts', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.array(fc.jsonValue()), (namespace, name) => {
        expect(derivedId(namespace, ...name)).toBe(v5(JSON.stringify(name), namespace))
      }),
    )
  })

  it.each([
    '11111111-1111-1111-1111-111111111111',
    '00000000-0000-0000-0000-000000000001',
    'f81d4fae-7dec-01d0-c765-00a0c91e6bf6',
  ])('are made in company %s, too, though RFC 9562 knows no such UUID', (other) => {
    const orderId = orderIdOf(other, 'SO-1001')
    expect(orderId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(orderId).not.toBe(orderIdOf(companyId, 'SO-1001'))
    expect(orderIdOf(other, 'so-1001')).toBe(orderId)
  })

  it('depend on the company, the kind, and the border between two numbers', () => {
    const ids = [
      millCertificationIdOf(companyId, 'A', 'B'),
      millCertificationIdOf('00000000-0000-4000-8000-000000000001', 'A', 'B'),
      millCertificationIdOf(companyId, 'A B', ''),
      millCertificationIdOf(companyId, '', 'A B'),
      millCertificationIdOf(companyId, 'A","B', ''),
      orderIdOf(companyId, 'A'),
      orderIdOf(companyId, 'A","B'),
      lineItemIdOf(companyId, orderIdOf(companyId, 'A'), 1),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})

/** Generates strings of a few words from the letters, digits and signs that people write in numbers. */
const words = fc.array(
  fc.string({
    unit: fc.oneof(
      fc.mapToConstant({ num: 0x5e, build: (n) => String.fromCodePoint(0x21 + n) }),
      fc.constantFrom(...'äöüßéñçåøšŁΩЖя①²ﬁ'),
    ),
    minLength: 1,
    maxLength: 8,
  }),
  { minLength: 1, maxLength: 4 },
)
const space = fc.constantFrom(' ', '  ', '\u00a0', '\t', '\u3000', ' \u2009 ')
const form = fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD')
const casing = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
)
/** Generates a number and another spelling of it. */
const spellings = fc
  .tuple(words, space, space, form, casing)
  .map(
    ([parts, around, between, unicodeForm, recase]) =>
      [parts.join(' '), recase((around + parts.join(between) + around).normalize(unicodeForm))] as const,
  )

describe('spellings', () => {
  it('of one number have the same id', () => {
    fc.assert(
      fc.property(spellings, spellings, ([number, respelt], [heat, heatRespelt]) => {
        expect(normalise(respelt)).toBe(normalise(number))
        expect(orderIdOf(companyId, respelt)).toBe(orderIdOf(companyId, number))
        expect(millCertificationIdOf(companyId, respelt, heatRespelt)).toBe(
          millCertificationIdOf(companyId, number, heat),
        )
      }),
    )
  })

  it('of one tag name have the same key, whatever the characters', () => {
    const anything = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(anything, form, casing, (name, unicodeForm, recase) => {
        expect(tagNameKey(recase(name).normalize(unicodeForm))).toBe(tagNameKey(name))
      }),
    )
  })
})

it('orders by code point, as UTF-8 bytes do', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', 'b', '\uffee', '😀', '\u{10ffff}'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
  expect(['😀', '\uffee', 'b', 'a', ''].sort(byCodePoint)).toStrictEqual(['', 'a', 'b', '\uffee', '😀'])
})
