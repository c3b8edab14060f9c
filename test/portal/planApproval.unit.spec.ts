import { expect, it } from 'vitest'
import { barsToApprove } from '../../src/portal/screens/bars/planApproval.ts'

it('approves the bars that may be cut, those that ask for a person only on request, and never a blocked one', () => {
  const draft = (barId: string, severity?: 'Block' | 'Flag', certificate: object | null = {}) => ({
    barId,
    status: 'Draft' as const,
    certificate,
    verdict: {
      mayBeApproved: severity !== 'Block',
      mayBeCut: severity !== 'Block',
      findings: severity
        ? [{ key: barId, code: 'grade-mismatch', severity, message: '', sentence: { text: '' } }]
        : [],
    },
  })
  const drafts = [
    draft('good'),
    draft('flag', 'Flag'),
    draft('block', 'Block'),
    draft('bare', undefined, null),
  ]
  const approve = (...words: Parameters<typeof barsToApprove>[1]) => {
    const { approved, rest } = barsToApprove(drafts, words)
    return [approved, rest].map((bars) => bars.map(({ barId }) => barId))
  }
  expect(approve()).toEqual([['good'], ['flag', 'block', 'bare']])
  expect(approve('toBeLookedAt')).toEqual([
    ['good', 'flag'],
    ['block', 'bare'],
  ])
  expect(approve('toBeLookedAt', 'notKnown')).toEqual([['good', 'flag', 'bare'], ['block']])
  expect(barsToApprove(drafts, []).onRequest).toEqual({ toBeLookedAt: 1, notKnown: 1 })
})
