import { expect, it } from 'vitest'
import { systemTagIdOf } from '../../../src/domain/kernel/identifiers.ts'
import { previewPack } from '../../../src/domain/rulePacks/rulePackPreview.ts'
import { companyId } from '../../support/given.ts'
import { packOffer, ruleBookOf, systemTag } from '../../support/rules.ts'
import { certificateContent, certificateIdentity } from '../verdict/facts.ts'

const offer = packOffer({ tags: ['matched', 'unmatched', 'unknown'].map((key) => systemTag(key)) })
const rules = ruleBookOf({
  offer,
  rules: [
    { ruleId: 'a', tag: 'matched', says: () => true },
    { ruleId: 'b', tag: 'unmatched', says: () => false },
    { ruleId: 'c', tag: 'unknown', says: () => 'no thickness' },
  ],
})

const [matched, unmatched, unknown] = ['matched', 'unmatched', 'unknown'].map((key) =>
  systemTagIdOf(companyId, offer.rulePackId, key),
) as [string, string, string]
const subject = { family: 'millCert', content: { ...certificateIdentity, ...certificateContent() } } as const

function preview(byHand: readonly string[], byRules: readonly string[]) {
  const { rulePackId } = offer
  return previewPack({ companyId, rulePackId }, rules.evaluate(offer, subject)!, { byHand, byRules })
}

it('gains exactly the tags whose rules match', () => {
  expect(preview([], [])).toEqual({ gained: [matched], lost: [] })
})

it('does not gain a tag that it already has, manually or by rules', () => {
  expect(preview([matched], [])).toEqual({ gained: [], lost: [] })
  expect(preview([], [matched])).toEqual({ gained: [], lost: [] })
})

it('loses the tags that rules assigned and no rule assigns now', () => {
  expect(preview([], [matched, unmatched, unknown])).toEqual({ gained: [], lost: [unmatched, unknown] })
})

it('keeps a tag that is also assigned manually', () => {
  expect(preview([unmatched], [unmatched])).toEqual({ gained: [matched], lost: [] })
})
