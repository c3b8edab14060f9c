import { expect, it } from 'vitest'
import { fold } from '../../src/domain/aggregate.ts'
import { certificateSubject } from '../../src/domain/millCertificate.ts'
import { subscribeRulePack } from '../../src/domain/rulePackSubscriptions.ts'
import { withRuleAssignments } from '../../src/domain/subject.ts'
import { tagCatalogue } from '../../src/domain/tagCatalogue.ts'
import { createRuleBook } from '../../src/rulePacks/ruleBook.ts'
import { bareCertificate, certificateIdentity } from '../domain/facts.ts'
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
