import { describe, expect, it } from 'vitest'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { packs } from './shipped.ts'
import { others, subjects } from './variedSubjects.ts'

/** A rule that always or never matches is a mistake, so these subjects make every rule do both. */

const results = new Map<string, Set<string>>()
for (const pack of packs)
  for (const subject of [...subjects, ...others])
    for (const { ruleId, result } of evaluateRulePack(pack, subject))
      results.set(ruleId, (results.get(ruleId) ?? new Set()).add(result))

describe('each shipped rule both matches and does not match some subject', () => {
  const rules = packs.flatMap(({ document }) => document.rules.map(({ ruleId }) => ruleId))
  it.each(rules)('%s', (ruleId) => {
    expect([...results.get(ruleId)!].filter((result) => result !== 'not-evaluated').sort()).toEqual([
      'matched',
      'not-matched',
    ])
  })
})
