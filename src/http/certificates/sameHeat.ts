import type { FindBlockedOfSameHeat } from '../../commands/bars/judging.ts'
import { findBlockedOfSameHeat } from '../../projections/bars/verdicts.ts'
import type { Services } from '../kit/services.ts'

/** Return a way to find the blocked certificates of a heat in the read models. */
export function sameHeat({ reader }: Services): FindBlockedOfSameHeat {
  return (certificate) => findBlockedOfSameHeat(reader, certificate)
}
