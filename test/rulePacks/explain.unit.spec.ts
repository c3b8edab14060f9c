import { expect, it } from 'vitest'
import { noRuleBook, type RuleBook, type RuleOutcome } from '../../src/domain/rulePacks/ruleBook.ts'
import type { Reading } from '../../src/projections/engine/reading/reader.ts'
import type { FoundFinding } from '../../src/projections/rulePacks/explanations.ts'
import { explainFindings } from '../../src/rulePacks/explain.ts'
import { companyId, id } from '../support/given.ts'

const subject = { companyId, family: 'millCert' as const, subjectId: id(1) }

/** A rule that says its version, and a second one that could not be evaluated. */
function documentOf(version: number) {
  const rule = { family: 'millCert', tag: 'thick', clause: `7.${version}` }
  return {
    rules: [
      { ...rule, ruleId: 'thick', when: `mm > ${version}`, explanation: `{mm} mm is above ${version}.` },
      { ...rule, ruleId: 'tough', when: `kv > ${version}`, explanation: `{kv} J is above ${version}.` },
    ],
  }
}

const rules: RuleBook = {
  ...noRuleBook,
  find: (rulePackId, version = 2) => ({
    rulePackId,
    version,
    name: 'House',
    hash: `hash ${version}`,
    tags: [],
  }),
  documentOf: (_, version = 2) => documentOf(version),
  evaluate: ({ version, parameters }) => [
    {
      ruleId: 'tough',
      values: () => ({ kv: null, version, edition: parameters!.edition! }),
    } as unknown as RuleOutcome,
  ],
}
const ownRules = { evaluate: () => Promise.reject(new Error('no pack of the company')) }

const found: readonly FoundFinding[] = [
  {
    rulePackId: 'house',
    version: 1,
    hash: 'hash 1',
    ruleId: 'thick',
    result: 'matched',
    clause: '7.1',
    values: { mm: 80 },
  },
  {
    rulePackId: 'house',
    version: 1,
    hash: 'hash 1',
    ruleId: 'tough',
    result: 'not-evaluated',
    clause: null,
    values: null,
  },
]

function readingOf(findings: readonly FoundFinding[]): Reading {
  const answers: Readonly<Record<string, readonly object[]>> = {
    finding: findings,
    ownVersion: [],
    certificate: [{ content: {} }],
    rulePack: [{ rulePackId: 'house', tagIds: {}, parameters: { edition: '2018' } }],
  }
  let asked = ''
  return {
    position: 1,
    storeId: id(2),
    requireRunning() {},
    async lack() {
      return undefined
    },
    table(_, name) {
      asked = name
      return name
    },
    query: async () => answers[asked] as never,
  }
}

it('explains a finding by the version that made it, after the pack has moved on', async () => {
  expect(await explainFindings(readingOf(found), subject, { rules, ownRules })).toEqual([
    {
      rulePackId: 'house',
      ruleId: 'thick',
      clause: '7.1',
      expression: 'mm > 1',
      message: '80 mm is above 1.',
      sentence: expect.objectContaining({ text: 'rule-explained' }),
      values: { mm: 80 },
      limits: [{ name: 'mm', value: 80, limit: 1, isTooSmall: false }],
    },
    {
      rulePackId: 'house',
      ruleId: 'tough',
      clause: '7.1',
      limits: [],
      expression: 'kv > 1',
      message: 'This rule could not be evaluated with the values of the record.',
      sentence: { text: 'rule-failed' },
      values: { kv: null, version: 1, edition: '2018' },
    },
  ])
})

it('explains with what is recorded alone when no release at hand has the document', async () => {
  const other = found.map((one) => ({ ...one, hash: 'hash of another document' }))
  const explained = await explainFindings(readingOf(other), subject, {
    rules: { ...rules, evaluate: () => undefined },
    ownRules,
  })
  expect(explained).toMatchObject([
    { clause: '7.1', expression: '', values: { mm: 80 } },
    { clause: '', values: {} },
  ])
})
