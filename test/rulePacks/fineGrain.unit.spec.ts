import { describe, expect, it } from 'vitest'
import { casesOf } from './fineGrainCases.ts'
import { parts } from './fineGrainLimits.ts'
import { clean, subjectOf } from './fineGrainSubject.ts'
import { certificateSubject, notEvaluated, severities, untried } from './shipped.ts'

describe.each(parts.map((part) => [part.name('S', false).slice(1), part] as const))(
  'fine-grain steel %s',
  (_, part) => {
    const cases = casesOf(part)

    it.each(cases)('%s', (_, pack, subject, severity) => {
      expect({ severity: severities(pack, subject)[0], unsure: notEvaluated(pack, subject) }).toEqual({
        severity,
        unsure: {},
      })
    })

    it('has a case that matches each rule, and a case that does not', () => {
      const pack = part.pack
      const subjects = cases.map(([, , subject]) => subject)
      const missing = untried(pack, subjects).filter(
        (one) =>
          !(
            part.standard === 'EN 10219-1' &&
            /copper|chromium|manganese-low|elongation-to-be-judged/.test(one)
          ),
      )
      expect(missing).toEqual([])
    })
  },
)

it('judges long products by their own carbon, phosphorus and sulphur', () => {
  const long = (chemistry: object) =>
    severities(
      'en10025-4',
      subjectOf(parts[1]!, 'S355', false, { productForm: 'Section', chemistry: { ...clean, ...chemistry } }),
    )[0]
  expect([0.16, 0.17].map((C) => long({ C, Mn: 1 }))).toEqual([undefined, 'Block'])
  expect([0.035, 0.036].map((P) => long({ P }))).toEqual([undefined, 'Block'])
  expect([0.03, 0.031].map((S) => long({ S }))).toEqual([undefined, 'Block'])
})

it('leaves other steels and other products alone', () => {
  for (const { pack } of parts) {
    expect(severities(pack, certificateSubject({ grade: 'S355J2+N', chemistry: { C: 1 } }))).toEqual([])
    expect(
      severities(pack, certificateSubject({ grade: 'S690QL', standard: 'EN 10025-6', chemistry: { C: 1 } })),
    ).toEqual([])
  }
})
