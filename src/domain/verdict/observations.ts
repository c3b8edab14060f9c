import { barObservations } from './barObservations.ts'
import { certificateObservations, heatReadObservations } from './certificateObservations.ts'
import { lineObservations } from './lineObservations.ts'
import type { Observation } from './observation.ts'
import { orderObservations } from './orderObservations.ts'
import type { VerdictFacts } from './verdictFacts.ts'

/** Observe everything that speaks against the bar. A new finding is a new observation here, with a code of its own. */
export function observe(facts: VerdictFacts): Observation[] {
  const ofLines = lineObservations(facts)
  return [
    ...certificateObservations(facts),
    ...heatReadObservations(facts),
    ...orderObservations(facts),
    ...ofLines,
    ...barObservations(facts, ofLines),
  ]
}
