import { sameValue } from '../kernel/changes.ts'
import type { FieldKinds, ObjectKind } from '../kernel/fields.ts'

/** The tests that a mill reports one by one, and the summary of them that a certificate shows. */

export const testDirections = ['longitudinal', 'transverse'] as const
export type TestDirection = (typeof testDirections)[number]
/** 5.65 √S0, or a fixed length in mm. */
export const gaugeLengths = ['5.65', '80', '50', '200'] as const
export type GaugeLength = (typeof gaugeLengths)[number]

export interface TensileTest {
  readonly kind: 'tensile'
  readonly direction: TestDirection | null
  /** The place of the specimen, as the mill writes it. */
  readonly location: string | null
  /** Upper yield strength, MPa. */
  readonly reHMpa: number | null
  /** Lower yield strength, MPa. */
  readonly reLMpa: number | null
  /** Proof strength at 0.2 %, MPa. */
  readonly rp02Mpa: number | null
  /** Tensile strength, MPa. */
  readonly rmMpa: number | null
  readonly elongationPercent: number | null
  /** null when the mill does not say to which length the elongation belongs, as in "A5/A80". */
  readonly gaugeLength: GaugeLength | null
  /** The heading of a yield strength whose kind is not decided, such as "ReH/Rp0,2", and its value in MPa. */
  readonly rawYieldKind: string | null
  readonly rawYieldMpa: number | null
}

export interface ImpactTest {
  readonly kind: 'impact'
  readonly direction: TestDirection | null
  readonly location: string | null
  readonly temperatureC: number | null
  readonly specimenWidthMm: number | null
  readonly valuesJoule: readonly number[]
  readonly averageJoule: number | null
}

export type MaterialTest = TensileTest | ImpactTest

export const materialTest: ObjectKind = {
  name: 'MaterialTest',
  fields: {
    kind: 'text',
    direction: 'text',
    location: 'text',
    reHMpa: 'number',
    reLMpa: 'number',
    rp02Mpa: 'number',
    rmMpa: 'number',
    elongationPercent: 'number',
    gaugeLength: 'text',
    rawYieldKind: 'text',
    rawYieldMpa: 'number',
    temperatureC: 'number',
    specimenWidthMm: 'number',
    valuesJoule: { listOf: 'number' },
    averageJoule: 'number',
  } satisfies FieldKinds<keyof TensileTest | keyof ImpactTest>,
}

export interface MechanicalValues {
  /** Upper yield strength, MPa. */
  readonly reHMpa: number | null
  /** Tensile strength, MPa. */
  readonly rmMpa: number | null
  /** Elongation at gauge length 5.65√S0, %. */
  readonly a5Percent: number | null
  /** Charpy V energy, J. */
  readonly kvJoule: number | null
  /** Temperature of the Charpy test, °C. */
  readonly kvTemperatureC: number | null
}

interface TestedContent {
  readonly mechanical: MechanicalValues | null
  readonly tests: readonly MaterialTest[] | null
}

/**
 * Derive `mechanical` from the tests, unless the caller states it. A summary that was derived from the tests of before
 * follows a correction of the tests.
 */
export function withMechanical<Content extends TestedContent>(
  content: Content,
  before?: TestedContent,
): Content {
  const wasDerived = before?.tests && sameValue(content.mechanical, mechanicalOf(before.tests))
  if (content.mechanical !== null && !wasDerived) return content
  return { ...content, mechanical: mechanicalOf(content.tests ?? []) }
}

/** Return the least favourable value of each property, or null when no test gives any. Values of unknown kind do not count. */
function mechanicalOf(tests: readonly MaterialTest[]): MechanicalValues | null {
  const tensile = tests.filter((test) => test.kind === 'tensile')
  const impact = leastImpact(tests.filter((test) => test.kind === 'impact'))
  const summary = {
    reHMpa: least(tensile.map(({ reHMpa }) => reHMpa)),
    rmMpa: least(tensile.map(({ rmMpa }) => rmMpa)),
    a5Percent: least(
      tensile.map(({ elongationPercent, gaugeLength }) =>
        gaugeLength === '5.65' ? elongationPercent : null,
      ),
    ),
    kvJoule: impact?.joule ?? null,
    kvTemperatureC: impact?.temperatureC ?? null,
  }
  return Object.values(summary).some((value) => value !== null) ? summary : null
}

function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Specimens of another width are not comparable, and an energy says nothing without its temperature. */
const fullWidthMm = 10

/** Return the test with the least energy; of two with the same, the one that was warmer. */
function leastImpact(tests: readonly ImpactTest[]) {
  return tests
    .flatMap(({ temperatureC, specimenWidthMm, valuesJoule, averageJoule }) => {
      if (temperatureC === null || (specimenWidthMm ?? fullWidthMm) !== fullWidthMm) return []
      return [{ temperatureC, joule: averageJoule ?? averageOf(valuesJoule) }]
    })
    .sort((one, other) => one.joule - other.joule || other.temperatureC - one.temperatureC)[0]
}

/** Rounded to a tenth, as mills round it. */
export function averageOf(values: readonly number[]): number {
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10
}
