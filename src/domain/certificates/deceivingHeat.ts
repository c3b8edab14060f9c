import { looksLikeAnother } from '../kernel/refusal.ts'
import { isSpelledAlike } from '../kernel/spellings.ts'

/** A certificate of a heat, with the heat number as it is written there. */
export interface HeatSpelling {
  readonly heatNumber: string
  readonly millCertificationId: string
}

/**
 * Refuse a heat number that only looks like one that certificates have. One that is spelled as on any of them is their
 * heat. @throws Refusal `looks-like-another`
 */
export function refuseDeceivingHeat(sent: string, registered: readonly HeatSpelling[]): void {
  const [other] = registered
  if (!other || registered.some(({ heatNumber }) => isSpelledAlike(sent, heatNumber))) return
  const { heatNumber, millCertificationId } = other
  throw looksLikeAnother(sent, heatNumber, { millCertificationId })
}
