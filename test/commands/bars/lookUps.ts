import type { LookUps } from '../../../src/commands/bars/judging.ts'
import { noneBlocked } from '../../../src/domain/verdict/verdictFacts.ts'

/** Read models without another certificate of a heat, and without an Accepted cut. */
export const emptyLookUps: LookUps = {
  blockedOfSameHeat: async () => noneBlocked,
  acceptedCuts: async () => new Map(),
}
