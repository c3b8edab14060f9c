import { expect, it } from 'vitest'
import { noRuleBook, type RuleBook, type RulePackOffer } from '../../src/domain/rulePacks/ruleBook.ts'
import type { Query, Reader, StreamReading } from '../../src/projections/engine/reading/reader.ts'
import { maxListedChanges, previewRulePack } from '../../src/rulePacks/rulePackPreview.ts'
import { companyId } from '../support/given.ts'

/** A company with more subjects than anybody wants to see listed. */

const tag = { key: 'seen', name: 'Seen', color: '#abc', severity: null }
const pack = { rulePackId: 'p', tags: [tag] } as unknown as RulePackOffer
const everySubjectMatches = {
  ...noRuleBook,
  find: () => pack,
  evaluate: () => [{ tag: 'seen', result: 'matched' }],
} as unknown as RuleBook

const portion = 100
const reading = {
  position: 7,
  table: () => 't',
  query: async () => [],
  async *portions({ text }: Query) {
    const family = text.includes('certificate_number') ? 'certificate' : 'order'
    for (let from = 0; from < maxListedChanges - portion; from += portion)
      yield Array.from({ length: portion }, (_, n) => ({
        subjectId: `${family}-${from + n}`,
        subjectLabel: family,
        content: {},
        byHand: [],
        byRules: [],
      }))
  },
} as unknown as StreamReading
const reader = {
  stream: (_: string, __: unknown, look: (reading: StreamReading) => Promise<unknown>) => look(reading),
} as unknown as Reader

it('counts every change and lists the first', async () => {
  const preview = await previewRulePack(
    { reader, rules: everySubjectMatches, ownRules: { evaluate: () => Promise.reject(new Error('unused')) } },
    { companyId, rulePackId: 'p' },
  )
  expect(preview.gainCount).toBe(2 * (maxListedChanges - portion))
  expect(preview.gains).toHaveLength(maxListedChanges)
  expect(preview.gains.at(-1)!.subjectId).toBe(`order-${portion - 1}`)
  expect(preview).toMatchObject({ losses: [], lossCount: 0, position: 7 })
})
