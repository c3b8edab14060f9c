import { expect, it } from 'vitest'
import { repeatedMarks } from '../../../src/domain/verdict/pieceMarks.ts'
import { bareOrder, lineItem, orderIdentity } from './facts.ts'

it('names each line whose piece mark an earlier line has, in any spelling', () => {
  const lines = ['B-1', null, ' b-1', 'B-2', null].map((pieceMark, place) => ({
    ...lineItem(10, { pieceMark, lineNumber: 10 * place }),
    lineItemId: `line ${place}`,
  }))
  const order = { ...bareOrder, ...orderIdentity, tags: [], lineItems: lines }
  expect(repeatedMarks(order, lines)).toMatchObject([
    { code: 'piece-mark-repeated', lineItemId: 'line 2', actual: ' b-1' },
  ])
})
