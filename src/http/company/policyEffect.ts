import { z } from 'zod'
import { judgeBars } from '../../domain/verdict/judgedBars.ts'
import type { ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import { stands } from '../../domain/verdict/verdict.ts'
import { finding } from '../../problems/finding.ts'
import {
  type FoundFactsOfBars,
  factsOfListed,
  type OpenBar,
  openBarsOf,
} from '../../projections/bars/judgedBars.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { barStatus } from '../bars/barSchema.ts'
import { uuid } from '../kit/schemas/fields.ts'

/** Preview the effect of a release policy on the open bars of a company. */

export const policyEffect = z
  .object({
    bars: z
      .array(
        z.object({
          barId: uuid,
          planName: z.string(),
          ordinal: z.int(),
          status: barStatus,
          findings: z.array(finding).meta({ description: 'The Blocks that nobody has overridden.' }),
        }),
      )
      .meta({
        description:
          'The open bars that may be cut now and might not under the policy, in the order of their plans.',
      }),
  })
  .meta({ id: 'ReleasePolicyEffect' })

/** Yield the answer in parts, so that any number of bars is judged in bounded memory. */
export async function* effectOf(
  reading: Reading,
  companyId: string,
  policy: ReleasePolicy,
): AsyncIterable<string> {
  let separator = ''
  yield '{"bars":['
  for await (const { bars, found } of openBarsOf(reading, companyId)) {
    const stopped = barsToStop(bars, found, policy)
    if (stopped.length > 0) {
      yield separator + JSON.stringify(stopped).slice(1, -1)
      separator = ','
    }
  }
  yield ']}'
}

/** Return those of the bars that may be cut under the present policy alone. */
function barsToStop(
  bars: readonly OpenBar[],
  found: FoundFactsOfBars,
  policy: ReleasePolicy,
): readonly object[] {
  const facts = factsOfListed(bars, found)
  const now = judgeBars(facts)
  const then = judgeBars({ ...facts, policy })
  const nameOf = new Map(found.plans.map(({ planId, name }) => [planId, name]))
  return bars.flatMap(({ barId, planId, ordinal, status }) => {
    const { mayBeCut, findings } = then.get(barId)!
    if (mayBeCut || !now.get(barId)!.mayBeCut) return []
    return [{ barId, planName: nameOf.get(planId), ordinal, status, findings: findings.filter(stands) }]
  })
}
