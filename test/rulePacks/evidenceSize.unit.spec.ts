import { expect, it } from 'vitest'
import { certificateSubject } from '../../src/domain/certificates/certificate.ts'
import { fold } from '../../src/domain/kernel/aggregate.ts'
import { subscribeRulePack } from '../../src/domain/rulePacks/rulePackSubscriptions.ts'
import { withRuleAssignments } from '../../src/domain/tags/subject.ts'
import { tagCatalogue } from '../../src/domain/tags/tagCatalogue.ts'
import { createRuleBook } from '../../src/rulePacks/ruleBook.ts'
import { bareCertificate, certificateIdentity } from '../domain/verdict/facts.ts'
import { alice, companyId, contextOf, stored } from '../support/given.ts'
import { packs } from './shipped.ts'

it('takes at most 7 KB of events for a certificate of four values that all shipped packs judge', () => {
  const rules = createRuleBook(packs)
  let catalogue = tagCatalogue.initial
  for (const pack of rules.packs)
    catalogue = fold(tagCatalogue, catalogue, stored([...subscribeRulePack(catalogue, companyId, pack)]))
  const data = { ...certificateIdentity, ...bareCertificate, manufacturer: null }
  const events = withRuleAssignments(
    certificateSubject,
    [{ type: 'MillCertificateRegistered', data }],
    undefined,
    catalogue,
    contextOf(alice, rules),
  )
  const judged = events.filter(({ type }) => type === 'RuleAssignmentsReplaced')
  expect(judged.length).toBeGreaterThan(2)
  expect(JSON.stringify(judged).length).toBeLessThan(7_000)
})
