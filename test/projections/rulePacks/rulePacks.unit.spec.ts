import { describe, expect, it } from 'vitest'
import { rulePacks } from '../../../src/projections/rulePacks/rulePacks.ts'
import { ownDocument } from '../../rulePacks/ownDocument.ts'
import { alice, companyId, id, rowsOf, timeOf } from '../../support/given.ts'

const named = { companyId, rulePackId: 'house', name: 'House limits' }

it('shows the last decision on each pack, with the choices of the company', () => {
  const pairRules = [{ ruleId: 'narrow' }]
  const decided = (type: string, version: number, parameters?: object) => ({
    type,
    data: { ...named, version, tagIds: { thick: id(1) }, pairRules, ...(parameters && { parameters }) },
  })
  const subscribed = decided('RulePackSubscribed', 1, { edition: '2018' })
  const row = { ...named, version: 1, subscribed: true, tagIds: { thick: id(1) }, pairRules }
  expect(rowsOf(rulePacks, subscribed).rulePack).toEqual([
    { ...row, parameters: { edition: '2018' }, revision: 0, eventId: id(1_000) },
  ])
  const upgraded = decided('RulePackUpgraded', 2)
  expect(rowsOf(rulePacks, subscribed, upgraded).rulePack).toEqual([
    { ...row, version: 2, parameters: null, revision: 1, eventId: id(1_001) },
  ])
  const left = decided('RulePackUnsubscribed', 2)
  expect(rowsOf(rulePacks, subscribed, upgraded, left).rulePack).toEqual([
    {
      ...row,
      version: 2,
      subscribed: false,
      pairRules: [],
      parameters: null,
      revision: 2,
      eventId: id(1_002),
    },
  ])
})

it('shows the last validation of each pack', () => {
  const validation = { by: 'Q. Manager', edition: 'EN 10025-2:2019', date: '2026-03-02', note: null }
  const validated = (version: number) => ({
    type: 'RulePackValidated',
    data: { ...named, version, ...validation },
  })
  const { companyId, rulePackId } = named
  expect(rowsOf(rulePacks, validated(1), validated(2)).validation).toEqual([
    { companyId, rulePackId, validation: { version: 2, ...validation } },
  ])
})

describe('a pack of the company', () => {
  const edition = { about: 'The edition.', values: ['2008', '2018'], default: '2018' }
  const document = { ...ownDocument, parameters: { edition } }
  const defined = (version: number, hash: string) => ({
    type: 'RulePackDefined',
    data: { ...named, version, hash, cost: 120, document },
  })
  const newest = (version: number, added: boolean) => ({
    ...named,
    version,
    added,
    revision: expect.any(Number),
    parameterSchema: expect.objectContaining({ type: 'object' }),
    defaults: { edition: '2018' },
  })
  const version = (n: number, hash: string) => ({
    ...named,
    version: n,
    hash,
    document,
    definedAt: timeOf(n - 1),
    definedBy: alice.id,
  })
  const added = { type: 'OwnRulePackAdded', data: named }

  it('has a row for each version, and one for the newest', () =>
    expect(rowsOf(rulePacks, defined(1, 'aa'), defined(2, 'bb'))).toEqual({
      rulePack: [],
      validation: [],
      ownRulePack: [{ ...newest(2, false), revision: 1 }],
      ownVersion: [version(1, 'aa'), version(2, 'bb')],
    }))

  it('is in the catalogue from its addition to its withdrawal, whichever version is the newest', () => {
    expect(rowsOf(rulePacks, defined(1, 'aa'), added).ownRulePack).toEqual([newest(1, true)])
    expect(rowsOf(rulePacks, defined(1, 'aa'), added, defined(2, 'bb')).ownRulePack).toEqual([
      newest(2, true),
    ])
    const withdrawn = { type: 'OwnRulePackWithdrawn', data: named }
    expect(rowsOf(rulePacks, defined(1, 'aa'), added, withdrawn).ownRulePack).toEqual([newest(1, false)])
  })
})
