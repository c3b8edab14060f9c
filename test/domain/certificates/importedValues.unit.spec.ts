import { expect, it } from 'vitest'
import type { CertificateContent } from '../../../src/domain/certificates/certificateContent.ts'
import { importedMembers } from '../../../src/domain/certificates/importedValues.ts'
import {
  type MechanicalValues,
  mechanicalFields,
  withMechanical,
} from '../../../src/domain/certificates/materialTests.ts'
import { pick } from '../../../src/domain/kernel/fields.ts'
import { certificateContent, impactTest, tensileTest } from '../verdict/facts.ts'

const summary = (values: Partial<MechanicalValues>) => pick(mechanicalFields, values)
const weak = { ...tensileTest, reHMpa: 283, rmMpa: 500 }
const nothing = { mechanical: null, tests: null }

/** Return what a certificate with these values has after an import. */
function imported(recorded: Partial<CertificateContent>, sent: Partial<CertificateContent>) {
  const present = withMechanical(certificateContent({ ...nothing, ...recorded }))
  return withMechanical(importedMembers(sent)(present).content, present)
}

it('an import adds its tests to the recorded ones, so that a failing one stays', () => {
  const { tests, mechanical } = imported({ tests: [weak] }, { tests: [tensileTest, impactTest] })
  expect(tests).toEqual([weak, tensileTest, impactTest])
  expect(mechanical).toMatchObject({ reHMpa: 283, rmMpa: 500 })
})

it('an import adds no test that is recorded already', () => {
  const recorded = { tests: [weak, tensileTest] }
  expect(imported(recorded, { tests: [tensileTest] })).toMatchObject(recorded)
  const { reHMpa, rmMpa } = weak
  expect(imported(recorded, { mechanical: summary({ reHMpa, rmMpa }) })).toMatchObject(recorded)
})

it('a summary that contradicts the recorded values is a test of its own, and any other completes them', () => {
  const recorded = { mechanical: summary({ reHMpa: 300, rmMpa: 450 }) }
  expect(imported(recorded, { mechanical: summary({ kvJoule: 40 }) })).toMatchObject({
    mechanical: { reHMpa: 300, rmMpa: 450, kvJoule: 40 },
    tests: null,
  })
  const contradicted = imported(recorded, { mechanical: summary({ reHMpa: 390, rmMpa: 520 }) })
  expect(contradicted).toMatchObject({
    mechanical: { reHMpa: 300, rmMpa: 450 },
    tests: [{ reHMpa: 300 }, { reHMpa: 390 }],
  })
  const stated = { ...recorded, tests: [tensileTest] }
  expect(imported(stated, { tests: [impactTest] })).toMatchObject({
    mechanical: { reHMpa: 300, rmMpa: 450, kvJoule: expect.any(Number) },
    tests: [tensileTest, { reHMpa: 300 }, impactTest],
  })
})

it('an import adds no test for a summary that follows from the recorded tests together', () => {
  const recorded = { tests: [{ ...weak, rmMpa: 510 }, { ...tensileTest, rmMpa: 500 }, impactTest] }
  const { mechanical } = imported(recorded, {})
  expect(mechanical).toMatchObject({ reHMpa: 283, rmMpa: 500 })
  expect(imported(recorded, { mechanical })).toMatchObject(recorded)
  expect(imported(recorded, { mechanical: { ...mechanical!, kvJoule: 12 } }).tests).toEqual([
    ...recorded.tests,
    expect.objectContaining({ kind: 'impact', valuesJoule: [12] }),
  ])
})

it('an import adds no more tests than a certificate may have', () => {
  const tests = Array.from({ length: 150 }, (_, index) => ({ ...tensileTest, rmMpa: 400 + index }))
  const others = tests.map((test) => ({ ...test, reHMpa: 299 }))
  const { faults } = importedMembers({ tests: others })(certificateContent({ ...nothing, tests }))
  expect(faults).toMatchObject([{ path: '/tests', code: 'out-of-bounds' }])
})

it('a higher revision of the document states its tests anew', () => {
  const amended = { documentRevision: 2, tests: [tensileTest] }
  expect(imported({ tests: [weak] }, amended).tests).toEqual([tensileTest])
  const summarised = { documentRevision: 2, mechanical: summary({ reHMpa: 372 }) }
  expect(imported({ tests: [weak] }, summarised)).toMatchObject({ tests: null, mechanical: { reHMpa: 372 } })
  expect(imported({ tests: [weak] }, { documentRevision: 2 }).tests).toEqual([weak])
})

it('an analysis of a few elements keeps the others', () => {
  expect(imported({ chemistry: { C: 0.17, Mn: 1.4 } }, { chemistry: { C: 0.16 } }).chemistry).toEqual({
    ...{ C: 0.16, Mn: 1.4 },
  })
})
