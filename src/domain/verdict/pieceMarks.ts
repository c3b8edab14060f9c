import { normalise } from '../kernel/spellings.ts'
import type { Observation } from './observation.ts'
import type { OrderByItself } from './verdictFacts.ts'

/** Say which lines of an order have the piece mark of an earlier line: nobody could tell their pieces apart. */
export function repeatedMarks({ orderId, orderNumber }: OrderByItself, lines: OrderByItself['lineItems']) {
  const first = new Map<string, number>()
  return lines.flatMap(({ lineItemId, lineNumber, pieceMark }): Observation[] => {
    if (pieceMark === null) return []
    const key = normalise(pieceMark)
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, lineNumber)
      return []
    }
    const message = `Lines ${earlier} and ${lineNumber} of order ${orderNumber} have the same piece mark ${pieceMark}, so nobody can tell their pieces apart. Correct the order.`
    return [{ code: 'piece-mark-repeated', orderId, lineItemId, actual: pieceMark, message }]
  })
}
