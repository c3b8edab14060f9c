import { describe, expect, it } from 'vitest'
import { correctCertificate, registerCertificate } from '../../../src/domain/certificates/certificate.ts'
import {
  type ImpactTest,
  type MaterialTest,
  mechanicalFields,
  withMechanical,
} from '../../../src/domain/certificates/materialTests.ts'
import { pick } from '../../../src/domain/kernel/fields.ts'
import { bareCertificate, certificateIdentity, impactTest, tensileTest } from '../verdict/facts.ts'

const derived = (...tests: MaterialTest[]) => withMechanical({ mechanical: null, tests }).mechanical
const impact = (changed: Partial<ImpactTest>) => derived({ ...impactTest, ...changed })

describe('the summary of tests', () => {
  it('has the least favourable value of each property', () => {
    const bar = { ...tensileTest, rmReRatio: 1.45, agtPercent: 12.5, massPerMetreKg: 1.58 }
    const weaker = {
      ...bar,
      reHMpa: 380,
      rmMpa: 530,
      elongationPercent: 24,
      rmReRatio: 1.39,
      agtPercent: 11,
      massPerMetreKg: 1.55,
    }
    expect(derived(tensileTest, bar, weaker, { ...impactTest, averageJoule: 55 }, impactTest)).toEqual({
      reHMpa: 372,
      rmMpa: 530,
      a5Percent: 24,
      kvJoule: 55,
      kvTemperatureC: -20,
      rmReRatio: 1.39,
      agtPercent: 11,
      massPerMetreKg: 1.55,
    })
  })

  it('leaves a value of unknown kind undecided', () => {
    const raw = { ...tensileTest, reHMpa: null, rmMpa: null, rawYieldKind: 'ReH/Rp0,2', rawYieldMpa: 372 }
    expect(derived({ ...raw, gaugeLength: null })).toBeNull()
    expect(derived({ ...raw, gaugeLength: '80' })).toBeNull()
    expect(derived({ ...raw, rmMpa: 541, gaugeLength: null })).toMatchObject({ rmMpa: 541, a5Percent: null })
  })

  it('takes the energy with its temperature, of specimens of full width alone', () => {
    expect(impact({ temperatureC: null })).toBeNull()
    expect(impact({ specimenWidthMm: 7.5 })).toBeNull()
    expect(impact({ specimenWidthMm: null })).toMatchObject({ kvJoule: 61, kvTemperatureC: -20 })
    expect(impact({ averageJoule: null, valuesJoule: [50, 60, 61] })).toMatchObject({ kvJoule: 57 })
    expect(derived(impactTest, { ...impactTest, temperatureC: 0 })).toMatchObject({ kvTemperatureC: 0 })
  })

  it('is not derived when the caller states it', () => {
    const mechanical = pick(mechanicalFields, { reHMpa: 1 })
    expect(withMechanical({ mechanical, tests: [tensileTest] }).mechanical).toEqual(mechanical)
  })

  it('follows a correction of the tests that it was derived from', () => {
    const [registered] = registerCertificate(undefined, certificateIdentity, {
      ...bareCertificate,
      tests: [tensileTest],
    })
    expect(registered!.data).toMatchObject({ mechanical: { reHMpa: 372, kvJoule: null } })
    const facts = { ...certificateIdentity, ...bareCertificate, ...(registered!.data as object) }
    const correct = (tests: MaterialTest[] | null) =>
      correctCertificate({ facts, status: 'Received' } as never, { ...facts, tests })[0]!.data
    expect(correct([tensileTest, impactTest])).toMatchObject({ mechanical: { reHMpa: 372, kvJoule: 61 } })
    expect(correct(null)).toMatchObject({ mechanical: null, tests: null })
  })
})
