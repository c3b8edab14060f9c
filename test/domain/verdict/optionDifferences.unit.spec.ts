import { describe, expect, it } from 'vitest'
import { optionFields, type SteelOptions } from '../../../src/domain/certificates/steelOptions.ts'
import { pick } from '../../../src/domain/kernel/fields.ts'
import { optionDifferences } from '../../../src/domain/verdict/optionDifferences.ts'
import { inEnglish } from '../../../src/domain/verdict/sentence.ts'
import type { JudgedCertificate } from '../../../src/domain/verdict/verdictFacts.ts'
import { impactTest, tensileTest } from './facts.ts'
import { judgedCertificate } from './judged.ts'

const bare = { ...judgedCertificate, standard: null, grade: 'S355J2' }
type Stated = Partial<JudgedCertificate>
const optionsOf = (stated: Partial<SteelOptions>) => pick(optionFields, stated)
const compare = (demanded: Partial<SteelOptions> | null, stated: Stated, grade = 'S355J2') =>
  optionDifferences({ grade, standard: null }, [demanded && optionsOf(demanded), null], {
    ...bare,
    ...stated,
  }).map(({ code }) => code)

const reductions = (...values: number[]): Stated => ({
  tests: values.map((reductionOfAreaPercent) => ({ ...tensileTest, reductionOfAreaPercent })),
})
const analysed = (chemistry: Readonly<Record<string, number>>): Stated => ({ chemistry })
const impact = (temperatureC: number, ...sets: number[][]): Stated => ({
  tests: sets.map((valuesJoule) => ({ ...impactTest, temperatureC, valuesJoule, averageJoule: null })),
})
const reduced = (specimenWidthMm: number, valuesJoule: number[]): Stated => ({
  tests: [{ ...impactTest, temperatureC: -40, specimenWidthMm, valuesJoule, averageJoule: null }],
})
const ofCev = { Mn: 1.2, Cr: 0.05, Mo: 0.05, V: 0, Ni: 0.06, Cu: 0.09 }

const [unmet, unstated] = [['option-unmet'], ['option-unstated']]

describe('an option of an order', () => {
  it.each<readonly [Partial<SteelOptions>, Stated, readonly string[]]>([
    [{ zQuality: 'Z25' }, {}, unstated],
    [{ zQuality: 'Z25' }, { zQuality: 'Z15' }, unmet],
    [{ zQuality: 'Z25' }, { zQuality: 'Z35' }, []],
    [{ zQuality: 'Z25' }, { grade: 'S355J2+N+Z25' }, []],
    [{ zQuality: 'Z25' }, reductions(25, 25, 25), []],
    [{ zQuality: 'Z25' }, reductions(40, 40, 14.9), unmet],
    [{ zQuality: 'Z25' }, { zQuality: 'Z25', ...reductions(24, 25, 25) }, unmet],
    [{ ultrasonicClass: 'S1' }, {}, unstated],
    [{ ultrasonicClass: 'S1' }, { ultrasonicClass: 'S2' }, []],
    [{ ultrasonicClass: 'S2' }, { ultrasonicClass: 'S1E1' }, unmet],
    [{ ultrasonicClass: 'S1E1' }, { ultrasonicClass: 'S1' }, unstated],
    [{ ultrasonicClass: 'S2E1' }, { ultrasonicClass: 'S1' }, unmet],
    [{ ultrasonicClass: 'E1' }, { ultrasonicClass: 'S1E2' }, []],
    [{ surfaceClass: 'A2' }, { surfaceClass: 'B3' }, []],
    [{ surfaceClass: 'B2' }, { surfaceClass: 'A3' }, unmet],
    [{ surfaceClass: 'A3' }, { surfaceClass: 'A2' }, unmet],
    [{ surfaceClass: 'C1' }, { surfaceClass: 'B3' }, unmet],
    [{ siliconClass: 'A' }, analysed({ Si: 0.04, P: 0.019 }), []],
    [{ siliconClass: 'A' }, analysed({ Si: 0.04, P: 0.02 }), unmet],
    [{ siliconClass: 'A' }, analysed({ Si: 0.041 }), unmet],
    [{ siliconClass: 'A' }, analysed({ Si: 0.04 }), unstated],
    [{ siliconClass: 'B' }, analysed({ Si: 0.14, P: 0.01 }), unmet],
    [{ siliconClass: 'B' }, analysed({ Si: 0.25, P: 0.034 }), []],
    [{ siliconClass: '1' }, analysed({ Si: 0.03, P: 0.024 }), []],
    [{ siliconClass: '1' }, analysed({ Si: 0.03, P: 0.025 }), unmet],
    [{ siliconClass: '2' }, analysed({ Si: 0.35 }), []],
    [{ siliconClass: '3' }, analysed({ Si: 0.14, P: 0.035 }), []],
    [{ siliconClass: '3' }, {}, unstated],
    [{ mostCev: 0.39 }, analysed({ C: 0.16, ...ofCev }), []],
    [{ mostCev: 0.39 }, analysed({ C: 0.17, ...ofCev }), unmet],
    [{ mostCev: 0.39 }, analysed({ C: 0.16, Mn: 1.2 }), unstated],
    [{ mostCev: 0.39 }, analysed({ C: 0.2, Mn: 1.2 }), unmet],
    [{ mostCev: 0.39 }, { statedCev: 0.39 }, []],
    [{ mostCev: 0.39 }, { statedCev: 0.4 }, unmet],
    [{ mostCev: 0.39 }, { analysis: 'product', ...analysed({ C: 0.1, ...ofCev }) }, unstated],
    [{ impactTemperatureC: -40 }, impact(-40, [27, 27, 27]), []],
    [{ impactTemperatureC: -40 }, impact(-50, [19, 31, 31]), []],
    [{ impactTemperatureC: -40 }, impact(-40, [18, 40, 40]), unmet],
    [{ impactTemperatureC: -40 }, impact(-40, [18, 40, 40], [40, 40, 40]), []],
    [{ impactTemperatureC: -40 }, impact(-20, [90, 90, 90]), unstated],
    [{ impactTemperatureC: -40 }, impact(-20, [20, 20, 20]), unmet],
    [{ impactTemperatureC: -40 }, impact(-50, [20, 20, 20]), unstated],
    [{ impactTemperatureC: -40, impactJoule: 40 }, impact(-40, [39, 39, 39]), unmet],
    [{ impactTemperatureC: -40 }, reduced(5, [13.5, 13.5, 13.5]), []],
    [{ impactTemperatureC: -40 }, reduced(7.5, [20, 20, 20]), unmet],
    [{ impactTemperatureC: -40 }, {}, unstated],
    [{ normalisedRolling: true }, {}, unstated],
    [{ normalisedRolling: true }, { deliveryCondition: 'N' }, []],
    [{ normalisedRolling: true }, { deliveryCondition: 'M' }, unmet],
  ])('is compared with the certificate: %j, %j', (demanded, stated, codes) => {
    expect(compare(demanded, stated)).toEqual(codes)
  })

  it('of a line counts before that of its order', () => {
    const compared = (...options: [SteelOptions | null, SteelOptions | null]) =>
      optionDifferences({ grade: 'S355J2', standard: null }, options, { ...bare, zQuality: 'Z15' }).length
    expect(compared(optionsOf({ zQuality: 'Z15' }), optionsOf({ zQuality: 'Z25' }))).toBe(0)
    expect(compared(optionsOf({ mostCev: 0.4 }), optionsOf({ zQuality: 'Z25' }))).toBe(2)
  })

  it('compares a Z quality in the grade with the measured reductions of area', () => {
    expect(compare(null, { zQuality: 'Z25' }, 'S355J2+N+Z25')).toEqual([])
    expect(compare(null, { zQuality: 'Z25', ...reductions(20, 20, 20) }, 'S355J2+N+Z25')).toEqual(unmet)
  })

  it('does not relax the Z quality in the grade', () => {
    const demanded = { zQuality: 'Z15' } as const
    expect(compare(demanded, { zQuality: 'Z25', ...reductions(20, 20, 20) }, 'S355J2+N+Z25')).toEqual(unmet)
    expect(compare(demanded, { zQuality: 'Z25' }, 'S355J2+N+Z25')).toEqual([])
    expect(compare({ zQuality: 'Z35' }, { zQuality: 'Z25' }, 'S355J2+N+Z25')).toEqual(unmet)
  })

  it('names the demand and the statement', () => {
    const [found] = optionDifferences(
      { grade: 'S355J2', standard: null },
      [optionsOf({ siliconClass: 'A' }), null],
      { ...bare, chemistry: { Si: 0.2, P: 0.01 } },
    )
    expect(found).toMatchObject({
      expected: 'the silicon class A (Si ≤ 0.04, P < 0.02)',
      actual: 'Si 0.2 %, P 0.01 %',
    })
  })

  it.each<[Partial<SteelOptions>, Partial<JudgedCertificate>, string]>([
    [{ mostCev: 0.41 }, { statedCev: 0.43 }, 'the certificate states 0.43.'],
    [
      { mostCev: 0.41 },
      { statedCev: 0.4, chemistry: { C: 0.2, Mn: 1.5, Cr: 0, Mo: 0, V: 0, Ni: 0, Cu: 0 } },
      'the certificate states elements that give 0.45.',
    ],
    [{ siliconClass: '1' }, { chemistry: { Si: 0.02 } }, 'does not state P.'],
    [
      { impactTemperatureC: -40 },
      { tests: [{ ...impactTest, temperatureC: -40, valuesJoule: [17, 40, 40], averageJoule: null }] },
      'the certificate states single values of 17, 40, 40 J at -40 °C.',
    ],
    [
      { impactTemperatureC: -40 },
      {
        tests: [
          { ...impactTest, temperatureC: -40, specimenWidthMm: 5, valuesJoule: [12], averageJoule: null },
        ],
      },
      'demands 27 J at -40 °C, which is 13.5 J for a reduced test piece, and the certificate states 12 J at -40 °C.',
    ],
  ])('says what is wanting: %j, %j', (demanded, stated, words) => {
    const [found] = optionDifferences({ grade: 'S355J2', standard: null }, [optionsOf(demanded), null], {
      ...bare,
      ...stated,
    })
    expect(inEnglish(found!.sentence)).toContain(words)
  })
})
