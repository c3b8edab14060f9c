import type { Judgement } from '../../../src/domain/bars/barApproval.ts'
import type { OverrideRequest } from '../../../src/domain/bars/keptJudgement.ts'
import type { Finding } from '../../../src/domain/verdict/verdict.ts'
import { bar } from './productionFacts.ts'

/** Findings against a bar, and what a person may decide about them. */

export const block: Finding = {
  key: 'wrong-grade',
  code: 'grade-mismatch',
  severity: 'Block',
  message: 'Another grade.',
  sentence: { text: 'grade-mismatch' },
}

export const rejected: Finding = { ...block, key: 'rejected', code: 'certificate-rejected' }

/** A judgement that finds these, and takes the overrides of the bar into account. */
export const finding = (...found: Finding[]): Judgement => ({
  policy: { fourEyes: false },
  verdictOn: ({ overrides }) => {
    const findings = found.map((one) => {
      const override = overrides.find(({ findings }) => findings.includes(one.key))
      return override ? { ...one, override } : one
    })
    const mayBeCut = !findings.some(({ severity, override }) => severity === 'Block' && !override)
    return { mayBeApproved: mayBeCut, mayBeCut, findings }
  },
})

export const request: OverrideRequest = {
  findings: [block.key],
  reason: 'The designer agreed.',
  reference: null,
}

export const overridden = {
  type: 'FindingsOverridden',
  data: { ...bar, ...request, overridden: [block] },
} as const
