import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { verdictWords, wordOf } from '../../../src/domain/verdict/verdictWord.ts'
import { de } from '../../../src/portal/texts/de.ts'

const known = { hasCertificate: true, isStarted: false }
const block = { code: 'grade-mismatch', severity: 'Block' } as const
const overridden = { ...block, override: { reason: 'Tested again.' } }
const flag = { code: 'demand-unstated', severity: 'Flag' } as const
const audit = { code: 'original-missing', severity: 'Audit' } as const

it('says that a bar may be cut only when nothing asks for a person', () => {
  const word = (...findings: Parameters<typeof wordOf>[0]['findings'] & object) =>
    wordOf({ ...known, findings })
  expect(word()).toBe('mayBeCut')
  expect(word(audit)).toBe('mayBeCut')
  expect(word(overridden)).toBe('mayBeCutOverridden')
  expect(word(overridden, flag)).toBe('toBeLookedAt')
  expect(word(flag, { code: 'not-judged', severity: 'Flag' })).toBe('notKnown')
  expect(word(overridden, block)).toBe('mayNotBeCut')
})

it('does not know a bar without a certificate or without findings, and stops a started one', () => {
  expect(wordOf({ ...known, hasCertificate: false, findings: [] })).toBe('notKnown')
  expect(wordOf({ ...known, findings: undefined })).toBe('notKnown')
  expect(wordOf({ ...known, hasCertificate: false, findings: [block] })).toBe('mayNotBeCut')
  expect(wordOf({ ...known, isStarted: true, findings: [block] })).toBe('stop')
  expect(wordOf({ ...known, isStarted: true, findings: [overridden] })).toBe('mayBeCutOverridden')
})

it('has the words of docs/verdict.md, in both languages', () => {
  const docs = readFileSync('docs/verdict.md', 'utf8')
  const rows = Object.entries(verdictWords).map(
    ([name, word]) => `| *${word}* | *${de[name as keyof typeof verdictWords]}* |`,
  )
  expect(rows.filter((row) => !docs.includes(row))).toEqual([])
})
