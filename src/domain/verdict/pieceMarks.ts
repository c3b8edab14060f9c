import { normalise } from '../kernel/spellings.ts'
import type { Observation } from './observation.ts'
import { sentence } from './sentence.ts'
import type { OrderByItself } from './verdictFacts.ts'

/** Say of each line of an order that has the piece mark of another line: nobody could tell their pieces apart. */
export function repeatedMarks({ orderId, orderNumber }: OrderByItself, lines: OrderByItself['lineItems']) {
  const marked = lines.flatMap(({ pieceMark, ...line }) => (pieceMark === null ? [] : { ...line, pieceMark }))
  const byMark = Map.groupBy(marked, ({ pieceMark }) => normalise(pieceMark))
  return marked.flatMap(({ lineItemId, lineNumber, pieceMark }): Observation[] => {
    const other = byMark.get(normalise(pieceMark))!.find((line) => line.lineItemId !== lineItemId)
    if (!other) return []
    const [earlier, later] = [lineNumber, other.lineNumber].toSorted((one, another) => one - another)
    const values = { earlier: earlier!, later: later!, order: orderNumber, mark: pieceMark }
    const code = 'piece-mark-repeated'
    return [{ code, orderId, lineItemId, actual: pieceMark, sentence: sentence(code, values) }]
  })
}
