import type { SettableCode } from './releasePolicy.ts'
import { type Sentence, sentence } from './sentence.ts'
import { piecesInWords } from './stock.ts'
import type { JudgedCut, JudgedLine } from './verdictFacts.ts'

/** How the pieces that are planned for a line differ from the pieces that it demands: in length and in number. */

/** The smallest difference between two lengths, in mm. Smaller ones come from the arithmetic of a nesting program. */
export const leastLengthMm = 0.05

/** Whether the piece is shorter than its line demands. A longer piece can be trimmed. */
export function isTooShort(cut: Pick<JudgedCut, 'lengthMm'>, line: Pick<JudgedLine, 'lengthMm'>): boolean {
  return line.lengthMm - cut.lengthMm > leastLengthMm
}

/** A finding without the records that it is about. */
interface PieceDifference {
  readonly code: SettableCode
  readonly expected: string
  readonly actual: string
  readonly sentence: Sentence
}

export function lengthDifferences(cut: JudgedCut, line: JudgedLine, where: Sentence): PieceDifference[] {
  if (!isTooShort(cut, line)) return []
  const [expected, actual] = [`${line.lengthMm} mm`, `${cut.lengthMm} mm`]
  const values = { line: where, expected: line.lengthMm, actual: cut.lengthMm }
  return [{ code: 'cut-too-short', expected, actual, sentence: sentence('cut-too-short', values) }]
}

export function numberDifferences(
  { quantity, acceptedCuts, cancelled }: JudgedLine,
  where: Sentence,
): PieceDifference[] {
  if (cancelled || acceptedCuts <= quantity) return []
  const [expected, actual] = [`${quantity}`, `${acceptedCuts}`]
  const values = { line: where, pieces: piecesInWords(quantity), actual }
  return [{ code: 'line-overplanned', expected, actual, sentence: sentence('line-overplanned', values) }]
}
