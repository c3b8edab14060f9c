import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementSymbols } from '../../src/domain/certificates/elements.ts'
import { mechanicalFields } from '../../src/domain/certificates/materialTests.ts'
import { pick } from '../../src/domain/kernel/fields.ts'
import { notJudgedRuleId } from '../../src/domain/rulePacks/notJudged.ts'
import type { RuleSubject } from '../../src/domain/rulePacks/ruleBook.ts'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { lineItem } from '../domain/verdict/facts.ts'
import { sized } from '../support/size.ts'
import { certificateSubject, orderSubject, packOf, packs } from './shipped.ts'

const chemistry = { C: 0.25, Si: 0.2, Mn: 1, P: 0.01, S: 0.01, N: 0.005, Al: 0.03, Cu: 0.1 }

function outcomeOf(packId: string, ruleId: string, subject: RuleSubject) {
  const outcome = evaluateRulePack(packOf(packId), subject).find((found) => found.ruleId === ruleId)!
  return { ...outcome, values: outcome.values() }
}

describe('the outcome of a rule', () => {
  it('is a match with clause, expression, explanation and every input', () => {
    const subject = certificateSubject({ chemistry })
    expect(outcomeOf('en10025-2-chemistry', 'carbon-above-product-analysis', subject)).toEqual({
      ruleId: 'carbon-above-product-analysis',
      tag: 'above-product-analysis',
      clause: 'EN 10025-2:2019, 7.2 Chemical composition: product analysis',
      expression:
        'judged && !carbonMayBeByAgreement && rounded(certificate.chemistry.C, steps.C) > laxestCarbon',
      explanation:
        'Carbon is 0.25 %; S355J2 of this thickness may have 0.23 % at most. Ask the mill whether the value is right; if it is, do not use the steel as S355J2.',
      result: 'matched',
      values: {
        'certificate.analysis': null,
        'certificate.chemistry.C': 0.25,
        'certificate.productForm': 'Plate',
        'certificate.thicknessMm': 20,
        'steel.coldForming': false,
        'steel.name': 'S355J2',
        'steel.standard': 'EN 10025-2',
        'steel.strength': 'S355',
        'steps.C': 0.01,
        'thickest[steel.strength]': 400,
        unread: [],
        unknownConditions: [],
        brightNames: [],
        isBright: false,
        thickness: 20,
        flat: true,
        covered: true,
        judged: true,
        ofLadle: false,
        carbonMayBeByAgreement: false,
        coldFormed: false,
        laxestCarbon: 0.23,
        'maximum(ofLadle ? ladleCarbon : productCarbon, steel.name, thickness)': 0.23,
        'coldFormed && ofLadle ? coldFormedCarbon : maximum(ofLadle ? ladleCarbon : productCarbon, steel.name, thickness)': 0.23,
      },
    })
  })

  it('is no match, with the values that were compared', () => {
    const subject = certificateSubject({ chemistry: { ...chemistry, C: 0.2 } })
    const outcome = outcomeOf('en10025-2-chemistry', 'carbon-above-ladle-analysis', subject)
    expect(outcome).toMatchObject({
      result: 'not-matched',
      values: { 'certificate.chemistry.C': 0.2, strictestCarbon: 0.2 },
    })
    expect(outcome.reason).toBeUndefined()
  })

  it('is not-evaluated when a value is missing, and names the value', () => {
    const { C: _, ...rest } = chemistry
    const subject = certificateSubject({ chemistry: rest as never })
    expect(outcomeOf('en10025-2-chemistry', 'carbon-above-ladle-analysis', subject)).toMatchObject({
      result: 'not-evaluated',
      reason: 'certificate.chemistry.C is missing',
      values: { 'certificate.chemistry.C': null },
    })
  })

  it('is not-evaluated when a definition lacks a value, and names the value', () => {
    const subject = certificateSubject({ chemistry })
    expect(outcomeOf('en10025-2-chemistry', 'carbon-equivalent-above-limit', subject)).toMatchObject({
      result: 'not-evaluated',
      reason: 'certificate.chemistry.Cr is missing',
      values: { cev: null, 'certificate.chemistry.Cr': null, 'certificate.chemistry.C': 0.25 },
    })
  })

  it('treats null, and an object of nulls, as missing', () => {
    const nulls = pick(mechanicalFields, {})
    expect(
      outcomeOf('en10025-2-mechanical', 'yield-strength-low', certificateSubject({ mechanical: nulls })),
    ).toMatchObject({ result: 'not-evaluated', reason: 'certificate.mechanical is missing' })
  })

  it('is decided without a missing value when the other values decide', () => {
    const subject = certificateSubject({ grade: 'S355J2H', chemistry: null, thicknessMm: null })
    const results = evaluateRulePack(packOf('en10025-2-chemistry'), subject).map(({ result }) => result)
    expect(new Set(results)).toEqual(new Set(['matched', 'not-matched']))
  })

  it('keeps each value of a list once, and at most twenty', () => {
    const line = (lineNumber: number, grade: string) => lineItem(lineNumber, { grade })
    const grades = Array.from({ length: 500 }, (_, index) => `X${index % 100}`)
    const seen = (lineItems: ReturnType<typeof line>[]) =>
      outcomeOf('completeness', 'line-item-without-grade', orderSubject({ lineItems })).values[
        'order.lineItems[].grade'
      ]
    expect(seen([line(1, 'S355J2'), line(2, 'S355J2'), line(3, 'S235JR')])).toEqual(['S355J2', 'S235JR'])
    expect(seen(grades.map((grade, index) => line(index, grade)))).toHaveLength(20)
  })
})

describe('evaluation', () => {
  const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true })
  const maybe = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: anything })
  const text = fc.constantFrom(
    'S355J2+N',
    'S235JR',
    'S355J2H',
    'S3',
    '',
    '+',
    'EN 10025-2',
    '3.1',
    'Plate',
    'EXC2',
  )
  const record = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] })

  const certificate = record({
    grade: maybe(text),
    standard: maybe(text),
    productForm: maybe(text),
    inspectionDocument: maybe(text),
    thicknessMm: maybe(fc.double()),
    chemistry: maybe(
      fc.dictionary(fc.constantFrom(...elementSymbols.slice(0, 30), '__proto__'), maybe(fc.double())),
    ),
    mechanical: maybe(record({ reHMpa: maybe(fc.double()), kvJoule: maybe(fc.double()) })),
  })
  const order = record({
    requiredInspectionDocument: maybe(text),
    executionClass: maybe(text),
    lineItems: maybe(fc.array(maybe(record({ grade: maybe(text), lineNumber: maybe(fc.integer()) })))),
  })

  it.each([
    ['millCert', certificate],
    ['order', order],
  ] as const)(
    'never throws for a %s of any content, and always gives values that JSON can hold',
    (family, content) => {
      fc.assert(
        fc.property(maybe(content), (value) => {
          for (const pack of packs) {
            const found = evaluateRulePack(pack, { family, content: value } as RuleSubject)
            const expected = pack.document.rules.filter((rule) => rule.family === family)
            const ruleIds = found.map(({ ruleId }) => ruleId).filter((ruleId) => ruleId !== notJudgedRuleId)
            expect(ruleIds).toEqual(expected.map(({ ruleId }) => ruleId))
            for (const outcome of found) {
              expect(outcome.result === 'not-evaluated').toBe(outcome.reason !== undefined)
              const values = outcome.values()
              expect(JSON.parse(JSON.stringify(values))).toEqual(values)
            }
          }
        }),
        { numRuns: sized(50, 2_000) },
      )
    },
  )

  it('gives the same outcomes again, and does not change the subject', () => {
    const subject = certificateSubject({ chemistry })
    const copy = structuredClone(subject)
    const evaluate = () =>
      packs.map((pack) =>
        evaluateRulePack(pack, subject).map((outcome) => ({ ...outcome, values: outcome.values() })),
      )
    expect(evaluate()).toEqual(evaluate())
    expect(subject).toEqual(copy)
  })
})
