import { z } from 'zod'
import { type BarsFacts, judgeBars } from '../../domain/verdict/judgedBars.ts'
import { stands } from '../../domain/verdict/verdict.ts'
import { finding } from '../../problems/finding.ts'
import {
  type FoundFactsOfBars,
  factsOfListed,
  type OpenBar,
  openBarsOf,
} from '../../projections/bars/judgedBars.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { uuid } from '../kit/schemas/fields.ts'
import { barStatus } from './barSchema.ts'

/** The open bars that may be cut now, but not if another policy or other rules judged them. */

export const stoppedBar = z
  .object({
    barId: uuid,
    planName: z.string(),
    ordinal: z.int(),
    status: barStatus,
    findings: z.array(finding).meta({ description: 'The Blocks that nobody has overridden.' }),
  })
  .meta({ id: 'StoppedBar' })

/** Given the facts that the bars are judged by now, return the policy or the rules that would judge them instead. */
type JudgedOtherwise = (facts: BarsFacts) => Partial<Pick<BarsFacts, 'policy' | 'pairRules'>>

/** Yield them in portions, in the order of their plans, so that any number of bars is judged in bounded memory. */
export async function* stoppedBarsOf(
  reading: Reading,
  companyId: string,
  otherwise: JudgedOtherwise,
): AsyncIterable<readonly z.output<typeof stoppedBar>[]> {
  for await (const { bars, facts } of openBarsOf(reading, companyId)) yield barsToStop(bars, facts, otherwise)
}

function barsToStop(bars: readonly OpenBar[], stored: FoundFactsOfBars, otherwise: JudgedOtherwise) {
  const facts = factsOfListed(bars, stored)
  const now = judgeBars(facts)
  const then = judgeBars({ ...facts, ...otherwise(facts) })
  const nameOf = new Map(stored.plans.map(({ planId, name }) => [planId, name]))
  return bars.flatMap(({ barId, planId, ordinal, status }) => {
    const { mayBeCut, findings } = then.get(barId)!
    if (mayBeCut || !now.get(barId)!.mayBeCut) return []
    const openFindings = findings.filter(stands) as z.output<typeof finding>[]
    return [{ barId, planName: nameOf.get(planId)!, ordinal, status, findings: openFindings }]
  })
}
