import type { FindBlockedOfSameHeat } from '../../../commands/judging.ts'
import { findBlockedOfSameHeat } from '../../../projections/verdicts.ts'
import type { Services } from '../services.ts'

/** Return a way to find the blocked certificates of a heat in the read models. */
export function sameHeat({ reader }: Services): FindBlockedOfSameHeat {
  return (certificate) => findBlockedOfSameHeat(reader, certificate)
}
