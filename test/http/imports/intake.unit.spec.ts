import { expect, it } from 'vitest'
import { certificateIntake } from '../../../src/http/imports/intake/certificates.ts'
import { orderIntake } from '../../../src/http/imports/intake/orders.ts'

/** The same schemas read a single record, a bulk line and a row of a file. */

const certificate = {
  certificateNumber: 'MC 1',
  heatNumber: 'H 1',
  standard: 'EN 10025-2',
  grade: 'S355J2',
  profile: 'HEA 200',
  inspectionDocument: '3.1',
  manufacturer: 'Å\u0308 Stål',
  purchaseOrder: 'PO 1',
  inspector: 'Å. O\u0308berg',
  tests: [{ kind: 'tensile', rawYieldKind: 'ReH/Rp0,2', rawYieldMpa: 360, location: '1/4' }],
}
const order = {
  orderNumber: 'SO 1',
  customer: 'Bro\u0308der',
  lineItems: [{ lineNumber: 10, grade: 'S355J2', description: 'Tra\u0308ger', lengthMm: 2_900, quantity: 3 }],
}
const chosen = new Set(['inspectionDocument', 'kind'])

/** Put white space around every text that is not one of a list. */
function padded(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return chosen.has(name) ? value : `\n ${value}\u00a0`
  if (Array.isArray(value)) return value.map((one) => padded(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, padded(one, key)]))
}

const composed = (value: unknown) => JSON.parse(JSON.stringify(value).normalize('NFC'))

it.each([
  ['a certificate', certificateIntake.body, certificate],
  ['a certificate in bulk', certificateIntake.upsert.body, certificate],
  ['an order', orderIntake.body, order],
  ['an order in bulk', orderIntake.upsert.body, order],
] as const)('every text of %s is kept without white space around it, and in NFC', (_, schema, sent) => {
  expect(schema.parse(padded(sent))).toEqual(schema.parse(composed(sent)))
  expect(schema.parse(padded(sent))).toMatchObject(composed(sent))
})
