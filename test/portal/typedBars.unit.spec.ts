import { expect, it } from 'vitest'
import {
  isCounted,
  newBars,
  noBar,
  placeOf,
  typedBar,
  withCut,
} from '../../src/portal/screens/bars/typedBars.ts'

const order = { orderId: 'o', orderNumber: 'SO-1', dueDate: null }
const line = {
  lineItemId: 'l',
  lineNumber: 10,
  pieceMark: 'M1',
  grade: 'S355J2',
  profile: 'HEA 200',
  lengthMm: 3_000,
}
const planned = withCut({ ...noBar, stockLengthMm: '12.100', count: '2' }, order, line)

it('takes the steel, the length and the mark of the line', () => {
  expect(planned).toMatchObject({ profile: 'HEA 200', grade: 'S355J2' })
  expect(planned.cuts).toEqual([
    { orderId: 'o', lineItemId: 'l', name: 'SO-1 · 10 · M1', pieceMark: 'M1', pieces: '1', lengthMm: '3000' },
  ])
  expect(withCut({ ...noBar, grade: 'S235JR' }, order, line).grade).toBe('S235JR')
})

it('sends each bar and each piece by itself', () => {
  const bar = { ...planned, cuts: [{ ...planned.cuts[0]!, pieces: '3', lengthMm: '2500,5' }] }
  const bars = newBars([bar, { ...noBar, stockLengthMm: '6000', grade: ' S235JR ' }])
  expect(
    bars.map(({ stockLengthMm, grade, profile, cuts }) => [stockLengthMm, grade, profile, cuts.length]),
  ).toEqual([
    [12_100, 'S355J2', 'HEA 200', 3],
    [12_100, 'S355J2', 'HEA 200', 3],
    [6_000, 'S235JR', null, 0],
  ])
  expect(bars[0]!.cuts[2]).toEqual({
    ...{ orderId: 'o', lineItemId: 'l', pieceMark: 'M1', lengthMm: 2_500.5, status: 'Accepted' },
  })
})

it('finds the place of a fault among bars and pieces that were typed once', () => {
  const two = { ...planned, cuts: [{ ...planned.cuts[0]!, pieces: '4' }, planned.cuts[0]!] }
  expect([placeOf([two, two], 1), placeOf([two, two], 1, 1)]).toEqual(['/bars/2', '/bars/2/cuts/4'])
})

it.each(['', '0', '1.5', 'two', '1000'])('cannot be sent with the number %j', (count) => {
  expect(isCounted({ ...planned, count })).toBe(false)
  expect(isCounted(planned)).toBe(true)
})

it('types a planned bar as it is, without its Rejected cuts', () => {
  const cut = {
    cutId: 'c',
    orderId: 'o',
    lineItemId: 'l',
    lengthMm: 3_000,
    pieceMark: 'M1',
    status: 'Accepted' as const,
    revision: 0,
    held: false,
  }
  const bar = { stockLengthMm: 12_100, profile: null, grade: 'S355J2', millCertificationId: 'm' }
  const cuts = [cut, cut, { ...cut, status: 'Rejected' as const }, { ...cut, lengthMm: 500 }]
  const typed = typedBar({ ...bar, cuts, orders: [{ ...order, lines: [] }] })
  expect(typed.cuts.map(({ name, pieces, lengthMm }) => [name, pieces, lengthMm])).toEqual([
    ['SO-1 · M1', '2', '3000'],
    ['SO-1 · M1', '1', '500'],
  ])
  expect(newBars([typed])).toMatchObject([
    {
      ...bar,
      cuts: [cut, cut, { ...cut, lengthMm: 500 }].map(
        ({ cutId: _, revision: __, held: ___, ...sent }) => sent,
      ),
    },
  ])
})
