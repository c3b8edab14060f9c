import { z } from 'zod'
import { judgeBars } from '../../domain/verdict/judgedBars.ts'
import type { ReleasePolicy } from '../../domain/verdict/releasePolicy.ts'
import { stands } from '../../domain/verdict/verdict.ts'
import { finding } from '../../problems/finding.ts'
import { type FoundFactsOfBars, findFactsOfBars, type ListedBar } from '../../projections/bars/judgedBars.ts'
import { barList } from '../../projections/bars/productionQueries.ts'
import { filteredList } from '../../projections/engine/reading/filteredList.ts'
import type { SortKey } from '../../projections/engine/reading/listQuery.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { barStatus } from '../bars/barSchema.ts'
import { factsOfListed } from '../bars/barVerdicts.ts'
import { uuid } from '../kit/schemas/fields.ts'

/** Preview the effect of a release policy on the open bars of a company. */

const openStatuses = ['Draft', 'Approved', 'Started'] as const

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

/** Bars that are judged together. */
const portion = 200

interface OpenBar extends ListedBar {
  readonly ordinal: number
  readonly status: (typeof openStatuses)[number]
  readonly sortKey: SortKey
}

/** Yield the answer in parts, so that any number of bars is judged in bounded memory. */
export async function* effectOf(
  reading: Reading,
  companyId: string,
  policy: ReleasePolicy,
): AsyncIterable<string> {
  let after: SortKey | undefined
  let separator = ''
  yield '{"bars":['
  for (;;) {
    const asked = { status: openStatuses }
    const page = await filteredList(barList, reading, { companyId, asked }, { limit: portion, after })
    const bars = await reading.query<OpenBar>(page)
    const stopped = bars.length > 0 ? await barsToStop(reading, companyId, policy, bars) : []
    if (stopped.length > 0) {
      yield separator + JSON.stringify(stopped).slice(1, -1)
      separator = ','
    }
    if (bars.length < portion) break
    after = bars.at(-1)!.sortKey
  }
  yield ']}'
}

/** Return those of the bars that may be cut under the present policy alone. */
async function barsToStop(
  reading: Reading,
  companyId: string,
  policy: ReleasePolicy,
  bars: readonly OpenBar[],
): Promise<readonly object[]> {
  const [found] = await reading.query<FoundFactsOfBars>(findFactsOfBars(reading, companyId, bars))
  const facts = factsOfListed(bars, found!)
  const now = judgeBars(facts)
  const then = judgeBars({ ...facts, policy })
  const nameOf = new Map(found!.plans.map(({ planId, name }) => [planId, name]))
  return bars.flatMap(({ barId, planId, ordinal, status }) => {
    const { mayBeCut, findings } = then.get(barId)!
    if (mayBeCut || !now.get(barId)!.mayBeCut) return []
    return [{ barId, planName: nameOf.get(planId), ordinal, status, findings: findings.filter(stands) }]
  })
}
