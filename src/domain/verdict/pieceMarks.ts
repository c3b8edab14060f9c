import { normalise } from '../kernel/spellings.ts'
import type { Observation } from './observation.ts'
import { sentence } from './sentence.ts'
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
    const values = { earlier, later: lineNumber, order: orderNumber, mark: pieceMark }
    const code = 'piece-mark-repeated'
    return [{ code, orderId, lineItemId, actual: pieceMark, sentence: sentence(code, values) }]
  })
}
