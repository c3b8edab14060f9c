import type { z } from 'zod'
import type { PairRule } from '../../domain/rulePacks/pairRules.ts'
import { judgedFrom } from '../../projections/bars/verdicts.ts'
import { type FoundOwnPack, findOwnPack } from '../../projections/rulePacks/rulePackQueries.ts'
import type { PackContent } from '../../rulePacks/rulePack.ts'
import { type stoppedBar, stoppedBarsOf } from '../bars/stoppedBars.ts'
import type { Services } from '../kit/services.ts'

/** The most bars that a preview names. A person looks at some of them. */
export const mostStopped = 1_000

/**
 * Return the open bars that the rules on certificate and line of a company's newest version of a pack would stop.
 * @throws Failure `rules-not-evaluated`
 */
export async function stoppedByPack(
  { reader, ownRules }: Pick<Services, 'reader' | 'ownRules'>,
  { companyId, rulePackId }: { readonly companyId: string; readonly rulePackId: string },
): Promise<readonly z.output<typeof stoppedBar>[]> {
  const stopped: z.output<typeof stoppedBar>[] = []
  await reader.stream(companyId, judgedFrom, async (reading) => {
    const [own] = await reading.query<FoundOwnPack>(findOwnPack(reading, companyId, rulePackId))
    const document = own?.document as PackContent | undefined
    if (!document?.pairRules?.length) return
    const checked = await ownRules.check(companyId, document)
    const written: readonly PairRule[] = 'checked' in checked ? (checked.checked.pairRules ?? []) : []
    const bars = stoppedBarsOf(reading, companyId, ({ pairRules }) => ({
      pairRules: [...pairRules.filter((rule) => rule.rulePackId !== rulePackId), ...written],
    }))
    for await (const some of bars) {
      stopped.push(...some.slice(0, mostStopped - stopped.length))
      if (stopped.length === mostStopped) return
    }
  })
  return stopped
}
