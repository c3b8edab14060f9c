import type { SettableCode } from './releasePolicy.ts'
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
  readonly message: string
}

export function lengthDifferences(cut: JudgedCut, line: JudgedLine, where: string): PieceDifference[] {
  if (!isTooShort(cut, line)) return []
  const [expected, actual] = [`${line.lengthMm} mm`, `${cut.lengthMm} mm`]
  const message = `${where} demands pieces of ${expected}, and a cut is ${actual} long. Reject the cut, and plan the piece in its full length.`
  return [{ code: 'cut-too-short', expected, actual, message }]
}

export function numberDifferences(
  { quantity, acceptedCuts, cancelled }: JudgedLine,
  where: string,
): PieceDifference[] {
  if (cancelled || acceptedCuts <= quantity) return []
  const [expected, actual] = [`${quantity}`, `${acceptedCuts}`]
  const message = `${where} demands ${expected} pieces, and ${actual} cuts are Accepted for it. Reject the cuts that nobody needs, or correct the order.`
  return [{ code: 'line-overplanned', expected, actual, message }]
}
