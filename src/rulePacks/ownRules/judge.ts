import type { JudgeByOwnRules } from '../../commands/rulePacks/rulePacks.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
import {
  ownPacksInForce,
  ownRulePackKey,
  ownRulePackStream,
  type RulePackDefined,
  revisionOfVersion,
} from '../../domain/rulePacks/ownRulePack.ts'
import { packsInForce } from '../../domain/rulePacks/ruleAssignments.ts'
import type { RulePackVersion } from '../../domain/rulePacks/ruleBook.ts'
import { Failure } from '../../lib/failure.ts'
import type { EventStore } from '../../stores/eventStore.ts'
import type { PackContent } from '../rulePack.ts'
import type { OwnRules } from './ownRules.ts'

/**
 * Judge subjects by the packs of companies, whose documents are in the event store. An evaluation that has not begun
 * when `turn` is aborted throws its reason.
 */
export function judgeByOwnRules(
  ownRules: Pick<OwnRules, 'evaluate'>,
  eventStore: Pick<EventStore, 'readStream'>,
): (turn: AbortSignal) => JudgeByOwnRules {
  return (turn) => async (companyId, catalogue, subject) => {
    const inForce = ownPacksInForce(catalogue)
    if (inForce.length === 0) return new Map()
    const packs = inForce.map((pack) => ({
      ...pack,
      document: () => readDocument(eventStore, companyId, pack),
    }))
    const outcomes = await ownRules.evaluate(companyId, packs, {
      subject,
      subscribed: packsInForce(catalogue),
      turn,
    })
    return new Map(inForce.map(({ rulePackId }, index) => [rulePackId, outcomes[index]!]))
  }
}

/** @throws Failure `rules-not-evaluated` when the stream does not have this version; StoreUnavailable */
async function readDocument(
  eventStore: Pick<EventStore, 'readStream'>,
  companyId: string,
  { rulePackId, version, hash }: RulePackVersion,
): Promise<PackContent> {
  const stream = ownRulePackStream(ownRulePackKey(companyId, rulePackId))
  for await (const event of eventStore.readStream(stream, revisionOfVersion(version))) {
    const { data } = event as Recorded<RulePackDefined>
    if (data.version !== version || data.hash !== hash) break
    return data.document
  }
  throw new Failure(
    'rules-not-evaluated',
    `the event store has no version ${version} of the rule pack ${rulePackId}`,
  )
}
