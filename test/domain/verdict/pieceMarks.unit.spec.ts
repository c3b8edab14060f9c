import { expect, it } from 'vitest'
import { repeatedMarks } from '../../../src/domain/verdict/pieceMarks.ts'
import { bareOrder, lineItem, orderIdentity } from './facts.ts'

it('names every line whose piece mark another line has, in any spelling', () => {
  const lines = ['B-1', null, ' b-1', 'B-2', null, 'B-1'].map((pieceMark, place) => ({
    ...lineItem(10, { pieceMark, lineNumber: 10 * place }),
    lineItemId: `line ${place}`,
  }))
  const order = { ...bareOrder, ...orderIdentity, tags: [], lineItems: lines }
  expect(repeatedMarks(order, lines)).toMatchObject([
    { lineItemId: 'line 0', actual: 'B-1', sentence: { values: { earlier: 0, later: 20 } } },
    { lineItemId: 'line 2', actual: ' b-1', sentence: { values: { earlier: 0, later: 20 } } },
    { lineItemId: 'line 5', actual: 'B-1', sentence: { values: { earlier: 0, later: 50 } } },
  ])
})
