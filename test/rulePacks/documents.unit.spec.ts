import { describe, expect, it } from 'vitest'
import type { InspectionDocument } from '../../src/domain/certificateContent.ts'
import type { ExecutionClass } from '../../src/domain/orderContent.ts'
import { lineItem } from '../domain/facts.ts'
import { certificateSubject, matched, notEvaluated, orderSubject, severities } from './shipped.ts'

const pack = 'en1090-2-inspection-documents 1'
const documents: readonly InspectionDocument[] = ['2.1', '2.2', '3.1', '3.2']

function line(grade: string | null, lineNumber = 10) {
  return lineItem(lineNumber, { grade })
}

describe('the inspection document of a certificate', () => {
  /** The severities of 2.1, 2.2, 3.1 and 3.2. */
  it.each([
    ['S235JR+AR', ['Flag', '', '', '']],
    ['S275J0', ['Flag', '', '', '']],
    ['S235J2', ['Flag', 'Flag', '', '']],
    ['S275J2+N', ['Flag', 'Flag', '', '']],
    ['S355JR', ['Block Flag', 'Flag', '', '']],
    ['S355J0', ['Block Flag', 'Flag', '', '']],
    ['S355J2+N', ['Block', 'Block', '', '']],
    ['S355K2', ['Block', 'Block', '', '']],
    ['S460J2', ['Flag', 'Flag', '', '']],
    ['S420ML', ['Flag', 'Flag', '', '']],
    ['S235JRH', ['Flag', '', '', '']],
    ['S275J0H', ['Flag', '', '', '']],
    ['S355J2H', ['Flag', 'Flag', '', '']],
    ['S355J0H', ['Flag', 'Flag', '', '']],
    ['P265GH', ['Audit', 'Audit', '', '']],
  ])('must be high enough for %s', (grade, expected) => {
    const found = documents.map((inspectionDocument) =>
      severities(pack, certificateSubject({ grade, inspectionDocument })).join(' '),
    )
    expect(found).toEqual(expected)
  })
})

describe('the inspection document that an order requires', () => {
  const of = (
    executionClass: ExecutionClass | null,
    required: InspectionDocument | null,
    ...grades: string[]
  ) =>
    severities(
      pack,
      orderSubject({
        executionClass,
        requiredInspectionDocument: required,
        lineItems: grades.map((grade, index) => line(grade, index)),
      }),
    ).join(' ')

  it.each([
    ['EXC1', 'S355J2', ['Block Flag', 'Block Flag', '', '']],
    ['EXC2', 'S355K2', ['Block Flag', 'Block Flag', '', '']],
    ['EXC1', 'S355JR', ['Block Flag', 'Flag', '', '']],
    ['EXC2', 'S355JR', ['Block Flag', 'Block Flag', '', '']],
    ['EXC3', 'S355J0', ['Block Flag Audit', 'Block Flag Audit', 'Audit', 'Audit']],
    ['EXC4', 'S235JR', ['Flag Audit', 'Audit', 'Audit', 'Audit']],
    ['EXC2', 'S235JR', ['Flag', '', '', '']],
    ['EXC2', 'S275J2', ['Flag', 'Flag', '', '']],
    ['EXC2', 'S460J2', ['Flag', 'Flag', '', '']],
    ['EXC2', 'S355J2H', ['Flag', 'Flag', '', '']],
    [null, 'S355J2', ['Flag Audit', 'Flag Audit', 'Audit', 'Audit']],
  ] as const)('must be high enough in %s for %s', (executionClass, grade, expected) => {
    expect(documents.map((required) => of(executionClass, required, grade))).toEqual(expected)
  })

  it('is judged by the line with the highest requirement', () => {
    expect(of('EXC2', '2.2', 'S235JR', 'S275J0', 'S355J2+N')).toBe('Block Flag')
    expect(of('EXC2', '2.2', 'S235JR', 'S275J0')).toBe('')
  })

  it('is tagged as missing when the order requires none', () => {
    expect(matched(pack, orderSubject({ requiredInspectionDocument: null }))).toEqual([
      'order-requires-no-document',
    ])
  })

  it('is not evaluated when a line has no grade and no other line decides', () => {
    const order = (...grades: (string | null)[]) =>
      orderSubject({
        requiredInspectionDocument: '2.2',
        lineItems: grades.map((grade, at) => line(grade, at)),
      })
    expect(notEvaluated(pack, order(null, 'S235JR'))).toMatchObject({
      'order-s355-cold-needs-3-1': 'line.grade is missing',
    })
    expect(matched(pack, order(null, 'S355J2'))).toContain('order-s355-cold-needs-3-1')
  })
})
