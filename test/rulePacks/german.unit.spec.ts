import { expect, it } from 'vitest'
import { placeholder, type Rule, rulesOf } from '../../src/domain/rulePacks/rulePackRules.ts'
import sentences from '../../src/rulePacks/german.json' with { type: 'json' }
import { germanExplanations, sentencesOf } from '../../src/rulePacks/german.ts'
import { packs } from './shipped.ts'

const rules: readonly Rule[] = packs.flatMap(({ written }) => written.rules)
const english = rulesOf({ rules }).map(({ rule }) => rule)
const german = germanExplanations(rules)
const valuesIn = (text: string) => new Set(text.match(placeholder))

it('has a German sentence for each sentence of a shipped explanation, and no other', () => {
  const ofRules = rules.flatMap(({ explanation }) => sentencesOf(explanation))
  const words = rules.flatMap(({ each = [] }) => each.flatMap((one) => Object.values(one)))
  const known = Object.keys(sentences)
  expect(ofRules.filter((one) => !known.includes(one))).toEqual([])
  expect(known.filter((one) => ![...ofRules, ...words].includes(one))).toEqual([])
})

it.each(english)('explains $ruleId in German with values that its English has', ({ ruleId, explanation }) => {
  const values = valuesIn(explanation)
  expect([...valuesIn(german.get(ruleId)!)].filter((one) => !values.has(one))).toEqual([])
  expect(german.get(ruleId)).not.toMatch(/\b(?:the|and|is|of)\b/)
})
