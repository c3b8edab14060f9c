import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import type { OrderContent } from '../../src/domain/orders/orderContent.ts'
import { notJudgedRuleId } from '../../src/domain/rulePacks/notJudged.ts'
import type { RuleOutcome, RuleSubject } from '../../src/domain/rulePacks/ruleBook.ts'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { loadRulePacks } from '../../src/rulePacks/load.ts'
import { bareCertificate, bareOrder, lineItem } from '../domain/verdict/facts.ts'

export const packs = await loadRulePacks()

/** Return the newest version of a pack. */
export function packOf(id: string) {
  return packs.findLast(({ document }) => document.id === id)!
}

export function certificateSubject(content: Partial<CertificateContent>): RuleSubject {
  return {
    family: 'millCert',
    content: {
      certificateNumber: 'MC-1',
      heatNumber: 'H-1',
      ...bareCertificate,
      standard: 'EN 10025-2',
      manufacturer: 'Mill',
      productForm: 'Plate',
      thicknessMm: 20,
      issuedOn: '2026-01-02',
      ...content,
    },
  }
}

export function orderSubject(content: Partial<OrderContent>): RuleSubject {
  return {
    family: 'order',
    content: {
      orderNumber: 'SO-1',
      ...bareOrder,
      requiredInspectionDocument: '3.1',
      executionClass: 'EXC2',
      allowedSubstitutes: null,
      lineItems: [lineItem(10)],
      ...content,
    },
  }
}

function outcomes(packId: string, subject: RuleSubject): readonly RuleOutcome[] {
  return evaluateRulePack(packOf(packId), subject)
}

/** The rules that match, without the mark for what could not be judged. */
export function matched(packId: string, subject: RuleSubject): string[] {
  return outcomes(packId, subject)
    .filter(({ ruleId, result }) => result === 'matched' && ruleId !== notJudgedRuleId)
    .map(({ ruleId }) => ruleId)
}

export function notEvaluated(packId: string, subject: RuleSubject): Record<string, string> {
  return Object.fromEntries(
    outcomes(packId, subject)
      .filter(({ result }) => result === 'not-evaluated')
      .map(({ ruleId, reason }) => [ruleId, reason!]),
  )
}

/** The severities of the tags that a pack assigns, most severe first, without that of the mark. */
export function severities(packId: string, subject: RuleSubject): string[] {
  const { tags } = packOf(packId).document
  const found = outcomes(packId, subject)
    .filter(({ ruleId, result }) => result === 'matched' && ruleId !== notJudgedRuleId)
    .map(({ tag }) => tags.find(({ key }) => key === tag)!.severity)
  return ['Block', 'Flag', 'Audit'].filter((severity) => found.includes(severity as 'Block'))
}

/** The rules of a pack that match none of these certificates, or all of them. */
export function untried(packId: string, subjects: readonly RuleSubject[]): string[] {
  const results = new Set(
    subjects
      .flatMap((subject) => outcomes(packId, subject))
      .map(({ ruleId, result }) => `${ruleId} ${result}`),
  )
  const rules = packOf(packId).document.rules.map(({ ruleId }) => ruleId)
  return rules.flatMap((ruleId) =>
    ['matched', 'not-matched']
      .filter((result) => !results.has(`${ruleId} ${result}`))
      .map((result) => `${ruleId} ${result}`),
  )
}
