import { sameValue } from '../kernel/changes.ts'
import {
  type ContentOf,
  length,
  listOf,
  number,
  objectKind,
  oneOf,
  orNull,
  text,
  type ValueOf,
  variants,
} from '../kernel/fields.ts'

/** The tests that a mill reports one by one, and the summary of them that a certificate shows. */

const megapascals = { least: 0, most: 3_000, unit: 'MPa' }
const percent = { least: 0, most: 100, unit: '%' }
const joule = { least: 0, most: 1_000, unit: 'J' }
const celsius = { least: -273, most: 200, unit: '°C' }

const ofSpecimen = {
  direction: orNull(oneOf('TestDirection', ['longitudinal', 'transverse'])),
  location: orNull(text({ most: 50, about: 'The place of the specimen.' })),
}

/** Values that the tensile tests of reinforcing steel state as well. */
const ofReinforcingSteel = {
  /** Rm/Re. */
  rmReRatio: orNull(number({ least: 0, most: 10, unit: 'MPa/MPa', about: 'Rm/Re as the mill states it.' })),
  agtPercent: orNull(number({ ...percent, about: 'Total elongation at maximum force, Agt.' })),
  massPerMetreKg: orNull(number({ least: 0, most: 100, unit: 'kg/m', about: 'As it was weighed.' })),
}

const tensileTest = objectKind('TensileTest', {
  ...ofSpecimen,
  /** Upper yield strength. */
  reHMpa: orNull(number(megapascals)),
  /** Lower yield strength. */
  reLMpa: orNull(number(megapascals)),
  /** Proof strength at 0.2 %. */
  rp02Mpa: orNull(number(megapascals)),
  /** Tensile strength. */
  rmMpa: orNull(number(megapascals)),
  elongationPercent: orNull(number(percent)),
  /** null, for example, when the mill writes "A5/A80". */
  gaugeLength: orNull(
    oneOf('GaugeLength', ['5.65', '80', '50', '200'], {
      about: '5.65 for 5.65 √S0, else a length in mm. null when the mill does not say it.',
    }),
  ),
  rawYieldKind: orNull(
    text({
      most: 50,
      about: 'The heading of a yield strength whose kind the mill leaves open, such as ReH/Rp0,2.',
    }),
  ),
  rawYieldMpa: orNull(number(megapascals)),
  reductionOfAreaPercent: orNull(
    number({ ...percent, about: 'For a test piece through the thickness (EN 10164).' }),
  ),
  ...ofReinforcingSteel,
})

const impactTest = objectKind('ImpactTest', {
  ...ofSpecimen,
  temperatureC: orNull(number(celsius)),
  specimenWidthMm: orNull(length({ most: 10 })),
  valuesJoule: listOf(number(joule), { least: 1, most: 6 }),
  averageJoule: orNull(number(joule)),
})

export const materialTest = variants('Test', { tensile: tensileTest, impact: impactTest })

export type MaterialTest = ValueOf<typeof materialTest>
export type TensileTest = Extract<MaterialTest, { readonly kind: 'tensile' }>
export type ImpactTest = Extract<MaterialTest, { readonly kind: 'impact' }>
export type TestDirection = NonNullable<MaterialTest['direction']>
export type GaugeLength = NonNullable<TensileTest['gaugeLength']>

export const mechanicalFields = {
  /** Upper yield strength. */
  reHMpa: orNull(number(megapascals)),
  /** Tensile strength. */
  rmMpa: orNull(number(megapascals)),
  /** Elongation at gauge length 5.65√S0. */
  a5Percent: orNull(number(percent)),
  /** Charpy V energy. */
  kvJoule: orNull(number(joule)),
  /** The temperature of the Charpy test. */
  kvTemperatureC: orNull(number(celsius)),
  ...ofReinforcingSteel,
}

export type MechanicalValues = ContentOf<typeof mechanicalFields>

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
export function mechanicalOf(tests: readonly MaterialTest[]): MechanicalValues | null {
  const tensile = tests.filter((test) => test.kind === 'tensile')
  const impact = leastImpact(tests.filter((test) => test.kind === 'impact'))
  const summary = {
    reHMpa: leastOf(tensile.map(({ reHMpa }) => reHMpa)),
    rmMpa: leastOf(tensile.map(({ rmMpa }) => rmMpa)),
    a5Percent: leastOf(
      tensile.map(({ elongationPercent, gaugeLength }) =>
        gaugeLength === '5.65' ? elongationPercent : null,
      ),
    ),
    kvJoule: impact?.joule ?? null,
    kvTemperatureC: impact?.temperatureC ?? null,
    rmReRatio: leastOf(tensile.map(({ rmReRatio }) => rmReRatio)),
    agtPercent: leastOf(tensile.map(({ agtPercent }) => agtPercent)),
    massPerMetreKg: leastOf(tensile.map(({ massPerMetreKg }) => massPerMetreKg)),
  }
  return Object.values(summary).some((value) => value !== null) ? summary : null
}

function leastOf(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null)
  return measured.length === 0 ? null : Math.min(...measured)
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
