import type { LookUps } from '../../../src/commands/bars/judging.ts'
import { aloneInHeat } from '../../../src/domain/verdict/verdictFacts.ts'

/** Read models without another certificate of a heat, and without an Accepted cut. */
export const emptyLookUps: LookUps = {
  sameHeat: async () => aloneInHeat,
  stock: async () => null,
  acceptedCuts: async () => new Map(),
}
