import { type Fault, invalid, notFound } from '../../domain/kernel/refusal.ts'
import {
  addOwnRulePack,
  type CheckedRulePack,
  defineRulePack,
  type OwnRulePackRef,
  ownRulePack,
  ownRulePackKey,
  refuseNewRulePack,
  withdrawOwnRulePack,
} from '../../domain/rulePacks/ownRulePack.ts'
import type { OfferedDocument } from '../../domain/rulePacks/rulePackOffer.ts'
import { tagCatalogue } from '../../domain/tags/tagCatalogue.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, onRecord, onStream, type Workflow } from '../executor/command.ts'
import { catalogueOf } from '../tags/catalogue.ts'
import { presentOwnPack, type WrittenRulePack } from './rulePacks.ts'

/**
 * The rule packs that a company writes itself. The document is recorded first, in the pack's own stream; then the
 * catalogue names the pack, which makes it visible. A request that breaks off in between leaves nothing to see, and the
 * same request again completes it.
 */

/** Check the rules of a document in a thread of its own, and return every fault. */
export type CheckRulePack = (
  companyId: string,
  document: OfferedDocument,
) => Promise<{ readonly faults: readonly Fault[]; readonly checked?: CheckedRulePack }>

/** Add a pack. One that exists with this content is answered as it is, and nothing is recorded. */
export function addRulePack(
  companyId: string,
  document: OfferedDocument,
  check: CheckRulePack,
): Workflow<WrittenRulePack> {
  const ref = { companyId, rulePackId: document.id }
  return {
    aggregate: tagCatalogue,
    async run({ execute }, context) {
      const checked = await checkWith(check, companyId, document)
      const defined = await execute(defineFirst(ref, checked), context)
      const added = await execute(addToCatalogue(ref, document.name), context)
      return {
        ...defined,
        position: Math.max(defined.position, added.position),
        recorded: [...new Set([...defined.recorded, ...added.recorded])],
        replayed: defined.replayed && added.replayed,
      }
    },
  }
}
addRulePack.refuses = refusals(
  'rule-pack-already-exists',
  'too-many-rule-packs',
  'too-many-rule-pack-versions',
  'rule-pack-not-evaluated',
)

/** Write the next version of a pack. Nothing applies before the company upgrades its subscription. */
export function replaceRulePack(
  companyId: string,
  document: OfferedDocument,
  check: CheckRulePack,
): Workflow<WrittenRulePack> {
  return {
    aggregate: ownRulePack,
    run: async ({ execute }, context) =>
      execute(defineNext(companyId, await checkWith(check, companyId, document)), context),
  }
}
replaceRulePack.refuses = refusals(
  'rule-pack-not-found',
  'too-many-rule-pack-versions',
  'rule-pack-not-evaluated',
)

/** Withdraw a pack that the company does not subscribe to. Its id may be used again. */
export function withdrawRulePack(companyId: string, rulePackId: string): Command<undefined> {
  const ref = { companyId, rulePackId }
  return onStream({
    aggregate: tagCatalogue,
    id: companyId,
    dependencies: async (load) => (await load(ownRulePack, ownRulePackKey(companyId, rulePackId))).state,
    versionOf(catalogue, pack) {
      if (!pack || !catalogue.ownRulePacks.has(rulePackId)) throw notFound('rule-pack-not-found', rulePackId)
      return pack
    },
    decide: (catalogue, _context, pack) => withdrawOwnRulePack(catalogue, ref, pack!.document.name),
  })
}
withdrawRulePack.refuses = refusals('rule-pack-not-found', 'rule-pack-subscribed')

/** @throws Refusal `validation-failed` with every fault */
async function checkWith(
  check: CheckRulePack,
  companyId: string,
  document: OfferedDocument,
): Promise<CheckedRulePack> {
  const { faults, checked } = await check(companyId, document)
  if (!checked) throw invalid(faults, 'The rule pack has faults, so nothing was recorded.')
  return checked
}

function defineFirst(ref: OwnRulePackRef, checked: CheckedRulePack): Command<WrittenRulePack> {
  return onStream({
    aggregate: ownRulePack,
    id: ownRulePackKey(ref.companyId, ref.rulePackId),
    dependencies: catalogueOf(ref.companyId),
    decide(state, { rules }, catalogue) {
      refuseNewRulePack(state, catalogue, checked.document, rules)
      return defineRulePack(state, ref, checked)
    },
    answer: (state, _recorded, catalogue) => presentOwnPack(catalogue, state),
  })
}

function addToCatalogue(ref: OwnRulePackRef, name: string): Command<undefined> {
  return onStream({
    aggregate: tagCatalogue,
    id: ref.companyId,
    decide: (catalogue) => addOwnRulePack(catalogue, ref, name),
  })
}

function defineNext(companyId: string, checked: CheckedRulePack): Command<WrittenRulePack> {
  const { id: rulePackId } = checked.document
  return onRecord({
    aggregate: ownRulePack,
    id: ownRulePackKey(companyId, rulePackId),
    record: { missing: 'rule-pack-not-found', id: rulePackId, find: (state) => state },
    dependencies: catalogueOf(companyId),
    decide(pack, _context, { ownRulePacks }) {
      if (!ownRulePacks.has(rulePackId)) throw notFound('rule-pack-not-found', rulePackId)
      return defineRulePack(pack, { companyId, rulePackId }, checked)
    },
    answer: (pack, _recorded, catalogue) => presentOwnPack(catalogue, pack),
  })
}
