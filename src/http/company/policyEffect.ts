import { z } from 'zod'
import type { ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { stoppedBar, stoppedBarsOf } from '../bars/stoppedBars.ts'

/** Preview the effect of a release policy on the open bars of a company. */

export const policyEffect = z
  .object({
    bars: z.array(stoppedBar).meta({
      description:
        'The open bars that may be cut now and might not under the policy, in the order of their plans.',
    }),
  })
  .meta({ id: 'ReleasePolicyEffect' })

/** Yield the answer in parts. */
export async function* effectOf(
  reading: Reading,
  companyId: string,
  policy: ReleasePolicy,
): AsyncIterable<string> {
  let separator = ''
  yield '{"bars":['
  for await (const stopped of stoppedBarsOf(reading, companyId, () => ({ policy }))) {
    if (stopped.length > 0) {
      yield separator + JSON.stringify(stopped).slice(1, -1)
      separator = ','
    }
  }
  yield ']}'
}
