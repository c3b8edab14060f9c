import { describe, expect, it } from 'vitest'
import {
  defineRulePack,
  ownRulePack,
  type RulePackDefined,
} from '../../../src/domain/rulePacks/ownRulePack.ts'
import { tagCatalogue } from '../../../src/domain/tags/tagCatalogue.ts'
import { ownDocument } from '../../rulePacks/ownDocument.ts'
import { alice, companyId, given, timeOf } from '../../support/given.ts'

const ref = { companyId, rulePackId: ownDocument.id }
const { name } = ownDocument
const checked = { document: ownDocument, hash: 'cd'.repeat(32), cost: 120 }
const changed = { document: { ...ownDocument, name: 'Other limits' }, hash: 'ef'.repeat(32), cost: 130 }
const defined: RulePackDefined = { type: 'RulePackDefined', data: { ...ref, name, version: 1, ...checked } }

describe('a rule pack of a company', () => {
  it('gets its first version, and none for the same document again', () => {
    given(ownRulePack)
      .when((state) => defineRulePack(state, ref, checked))
      .records(defined)
    given(ownRulePack, defined)
      .when((state) => defineRulePack(state, ref, checked))
      .recordsNothing()
  })

  it('gets the next version for another document', () =>
    given(ownRulePack, defined)
      .when((state) => defineRulePack(state, ref, changed))
      .records({ type: 'RulePackDefined', data: { ...ref, name: 'Other limits', version: 2, ...changed } }))

  it('has at most 1,000 versions', () => {
    const version = (n: number): RulePackDefined => ({ ...defined, data: { ...defined.data, version: n } })
    given(ownRulePack, version(999))
      .when((state) => defineRulePack(state, ref, changed))
      .records({ ...version(1_000), data: { ...ref, name: 'Other limits', version: 1_000, ...changed } })
    given(ownRulePack, version(1_000))
      .when((state) => defineRulePack(state, ref, changed))
      .refuses('too-many-rule-pack-versions')
  })

  it('offers its newest version, with its cost and its author', () =>
    expect(given(ownRulePack, defined).state).toMatchObject({
      ...ref,
      document: ownDocument,
      definedAt: timeOf(0),
      definedBy: alice.id,
      revision: 0,
      offer: { rulePackId: ownDocument.id, name, version: 1, hash: checked.hash, cost: 120 },
    }))

  it('is in the catalogue until the company withdraws it', () => {
    const added = { type: 'OwnRulePackAdded', data: { ...ref, name } } as const
    const withdrawn = { type: 'OwnRulePackWithdrawn', data: { ...ref, name } } as const
    expect(given(tagCatalogue, added).state.ownRulePacks.toArray()).toEqual([ownDocument.id])
    expect(given(tagCatalogue, added, withdrawn).state.ownRulePacks.size).toBe(0)
  })
})
