import { sameValue } from '../kernel/changes.ts'
import { type Edit, type Sent, withMembers } from '../kernel/edit.ts'
import type { Fault } from '../kernel/refusal.ts'
import { type CertificateContent, mostTests } from './certificateContent.ts'
import { type MaterialTest, type MechanicalValues, mechanicalOf } from './materialTests.ts'

/** Values of a file for a certificate that is recorded: they come beside its values, and replace none of its tests. */

type Tested = Pick<CertificateContent, 'mechanical' | 'tests'>

/** Set the values that were read. A higher revision of the document states its tests anew. */
export function importedMembers(sent: Sent<CertificateContent>): Edit<CertificateContent> {
  return (present) => {
    const chemistry = sent.chemistry && { ...present.chemistry, ...sent.chemistry }
    const content = withMembers(present, { ...sent, chemistry })
    const isAmended = (sent.documentRevision ?? 0) > (present.documentRevision ?? 0)
    const tested = isAmended ? statedAnew(present, sent) : withTests(present, sent)
    return { content: { ...content, ...tested }, faults: faultsOf(tested) }
  }
}

function faultsOf({ tests }: Tested): readonly Fault[] {
  if ((tests?.length ?? 0) <= mostTests) return []
  const message = `must have at most ${mostTests} members, together with those of the certificate`
  return [{ path: '/tests', code: 'out-of-bounds', message }]
}

/** The summary of an amended document is not that of the tests of before. */
function statedAnew(present: Tested, { tests = null, mechanical = null }: Sent<Tested>): Tested {
  return tests === null && mechanical === null ? recordedIn(present) : { tests, mechanical }
}

function recordedIn({ tests, mechanical }: Tested): Tested {
  return { tests, mechanical }
}

/** Add the tests that are not recorded yet. A summary that contradicts the recorded one is that of another test. */
function withTests(present: Tested, { tests = null, mechanical = null }: Sent<Tested>): Tested {
  const known = testsIn(present)
  const added = testsIn({ tests, mechanical }, present.mechanical).filter((test) => !isStated(test, known))
  if (added.length === 0) return recordedIn(present)
  const areSummaries = present.tests === null && tests === null
  if (areSummaries && agree(present.mechanical, mechanical))
    return { tests: null, mechanical: { ...mechanical!, ...statedValues(present.mechanical ?? {}) } }
  return { tests: [...known, ...added], mechanical: null }
}

/** Return the tests, and a summary that neither follows from them nor is the recorded one as tests of its own. */
function testsIn({ tests, mechanical }: Tested, recorded: MechanicalValues | null = null) {
  const isDerived = sameValue(mechanical, mechanicalOf(tests ?? []))
  const ofSummary = isDerived ? [] : testsOf(mechanical).filter((test) => !isStated(test, testsOf(recorded)))
  return [...(tests ?? []), ...ofSummary]
}

function testsOf(summary: MechanicalValues | null): readonly MaterialTest[] {
  if (summary === null) return []
  const { reHMpa, rmMpa, a5Percent, kvJoule, kvTemperatureC, ...ofReinforcingSteel } = summary
  const values = { reHMpa, rmMpa, elongationPercent: a5Percent, ...ofReinforcingSteel }
  const gaugeLength = a5Percent === null ? null : '5.65'
  const isStated = Object.values(values).some((value) => value !== null)
  return [
    ...(isStated ? [{ ...noTensile, ...values, kind: 'tensile', gaugeLength } as const] : []),
    ...(kvJoule === null
      ? []
      : [{ ...noImpact, kind: 'impact', temperatureC: kvTemperatureC, valuesJoule: [kvJoule] } as const]),
  ]
}

const noTensile = {
  direction: null,
  location: null,
  reLMpa: null,
  rp02Mpa: null,
  rawYieldKind: null,
  rawYieldMpa: null,
  reductionOfAreaPercent: null,
}
const noImpact = { direction: null, location: null, specimenWidthMm: null, averageJoule: null }

/** Whether one of these tests states every value of a test. */
function isStated(test: MaterialTest, by: readonly MaterialTest[]): boolean {
  return by.some((one) => agreeIn(statedValues(test), one as object as Values))
}

/** Whether two summaries state no property differently. */
function agree(one: MechanicalValues | null, other: MechanicalValues | null): boolean {
  const [first, second] = [statedValues(one ?? {}), statedValues(other ?? {})]
  const both = Object.keys(first).filter((name) => name in second)
  return both.every((name) => sameValue(first[name], second[name]))
}

type Values = Readonly<Record<string, unknown>>

function agreeIn(values: Values, other: Values): boolean {
  return Object.entries(values).every(([name, value]) => sameValue(value, other[name]))
}

function statedValues(values: object): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
