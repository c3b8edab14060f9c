import { expect, it } from 'vitest'
import { formatOf, readFile } from '../../src/imports/read.ts'

const part = (...lines: string[]) =>
  Buffer.from(
    ['** made by a CAD program', 'ST', ...lines, 'HEA200', 'I', '6000.00,6010.00', 'EN'].join('\r\n'),
  )
const beam = part('  SO-1', 'D 4', '-', 'B-12', '** of EN 10025-2', 'S355J2', '4')

const read = async (bytes: Buffer) =>
  (await Array.fromAsync(readFile({ kind: 'orders', format: 'nc1', bytes })))[0]!
const valuesOf = async (bytes: Buffer) =>
  Object.fromEntries((await read(bytes)).values.map(({ field, value }) => [field, value]))

it('reads the part of an NC1 file as an order of one line, whose number stays open', async () => {
  expect(formatOf(beam)).toBe('nc1')
  expect(await valuesOf(beam)).toEqual({
    orderNumber: 'SO-1',
    'lineItems.0.description': 'D 4',
    'lineItems.0.pieceMark': 'B-12',
    'lineItems.0.grade': 'S355J2',
    'lineItems.0.quantity': 4,
    'lineItems.0.profile': 'HEA200',
    'lineItems.0.lengthMm': 6_000,
  })
  const { undecided, values } = await read(beam)
  expect(undecided).toMatchObject([{ field: 'lineItems.0.lineNumber' }])
  expect(values.find(({ field }) => field === 'lineItems.0.grade')?.at).toEqual({ line: 8, column: 1 })
})

it('leaves a quantity open that is no number, and refuses a block that breaks off', async () => {
  const { undecided } = await read(part('SO-1', '', '', 'B-12', 'S355J2', 'four'))
  expect(undecided).toMatchObject([{ field: 'lineItems.0.quantity', text: 'four' }, {}])
  await expect(read(Buffer.from('ST\nSO-1\nEN\n'))).rejects.toMatchObject({ code: 'unreadable' })
})
