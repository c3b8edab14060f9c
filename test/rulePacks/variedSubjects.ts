import type { CertificateContent } from '../../src/domain/certificateContent.ts'
import type { ImpactTest } from '../../src/domain/materialTests.ts'
import type { OrderContent } from '../../src/domain/orderContent.ts'
import type { RuleSubject } from '../../src/domain/ruleBook.ts'
import { lineItem } from '../domain/facts.ts'
import { certificateSubject, orderSubject } from './shipped.ts'
import { certificateOf } from './writtenCertificate.ts'

/** Subjects that make every rule match and not match. Golden files name `subjects` by their numbers, so add to `others`. */

const sound = {
  chemistry: {
    ...{ C: 0.1, Si: 0.2, Mn: 0.5, P: 0.01, S: 0.01, N: 0.005, Al: 0.005 },
    ...{ Cu: 0.02, Cr: 0.02, Mo: 0.01, Ni: 0.02, V: 0 },
  },
  mechanical: { reHMpa: 480, rmMpa: 500, a5Percent: 30, kvJoule: 100, kvTemperatureC: -20 },
}
const weak = { reHMpa: 100, rmMpa: 100, a5Percent: 5, kvJoule: 5, kvTemperatureC: 40 }
const rich = Object.fromEntries(Object.keys(sound.chemistry).map((element) => [element, 3]))

const certificates: Partial<CertificateContent>[] = [
  ...['S235JR', 'S235J2', 'S275J2', 'S355JR', 'S355J2', 'S460J2', 'S355J2H', 'P265GH'].flatMap((grade) =>
    (['Plate', 'Bar'] as const).flatMap((productForm) =>
      [2, 20, 300, 500].flatMap((thicknessMm) => [
        { ...sound, grade, productForm, thicknessMm },
        {
          grade,
          productForm,
          thicknessMm,
          chemistry: rich,
          mechanical: weak,
          inspectionDocument: '2.1' as const,
        },
      ]),
    ),
  ),
  { ...sound, grade: 'S355J2', mechanical: { ...sound.mechanical, kvJoule: 5 } },
  { ...sound, grade: 'S355JR', chemistry: { ...sound.chemistry, N: 0.02 } },
  { ...sound, chemistry: { C: 0.1 }, mechanical: { ...sound.mechanical, rmMpa: null, kvTemperatureC: null } },
  { ...sound, mechanical: { ...sound.mechanical, kvJoule: null, kvTemperatureC: null } },
  { ...sound, grade: 'S460J2', productForm: 'Bar', chemistry: { ...sound.chemistry, Nb: 0.1 } },
  { standard: null, manufacturer: null, productForm: null, thicknessMm: null, issuedOn: null },
]

const line = lineItem(10)
const orders: Partial<OrderContent>[] = [
  {},
  { executionClass: 'EXC4' },
  { executionClass: null, requiredInspectionDocument: null },
  { lineItems: [{ ...line, grade: null }] },
  ...['S235J2', 'S355JR', 'S355J2', 'S460ML'].map((grade) => ({
    requiredInspectionDocument: '2.1' as const,
    lineItems: [{ ...line, grade }],
  })),
]

export const subjects: readonly RuleSubject[] = [
  ...certificates.map(certificateSubject),
  ...orders.map(orderSubject),
]

const noVanadium = { ...sound.chemistry, V: null as never }
export const others: readonly RuleSubject[] = [
  certificateSubject({ ...sound, analysis: 'ladle', statedCev: 0.9 }),
  certificateSubject({ ...sound, chemistry: noVanadium, statedCev: 0.9 }),
  certificateSubject({ ...sound, chemistry: noVanadium, statedCev: 0.3 }),
  orderSubject({
    ...{ executionClass: null, requiredInspectionDocument: '2.2' },
    lineItems: [{ ...line, grade: 'S355J2' }],
  }),
  orderSubject({ requiredInspectionDocument: '2.2', lineItems: [{ ...line, grade: 'P265GH' }] }),
  ...['S355J2H', 'S355J0H', 'S420NH', '1.4301'].flatMap((grade) =>
    [20, 160].flatMap((thicknessMm) => [
      hollow({ ...sound, grade, thicknessMm }),
      hollow({ grade, thicknessMm, chemistry: rich, mechanical: weak }),
      hollow({ ...sound, grade, thicknessMm, mechanical: { ...sound.mechanical, kvJoule: 5 } }),
    ]),
  ),
  ...[0.3, 0.9].map((statedCev) =>
    hollow({ ...sound, grade: 'S355J2H', thicknessMm: 20, chemistry: noVanadium, statedCev }),
  ),
  certificateSubject({
    chemistry: { ...rich, N: 52, Mn: 99 },
    mechanical: { ...weak, rmMpa: 90, a5Percent: 61 },
  }),
  certificateSubject({ chemistry: { C: 6, P: 6, S: 0.7 } }),
  ...[10, 7.5].flatMap((specimenWidthMm) => [
    certificateSubject({ ...sound, grade: 'S355J2', tests: [oneLow(specimenWidthMm)] }),
    hollow({ ...sound, grade: 'S355J2H', thicknessMm: 20, tests: [oneLow(specimenWidthMm)] }),
  ]),
  ...['N', 'NR'].flatMap((deliveryCondition) => [
    certificateSubject({ ...sound, grade: 'S355J2+AR', deliveryCondition }),
    hollow({ ...sound, grade: 'S355J2H+AR', deliveryCondition }),
  ]),
  hollow({ ...sound, grade: 'S355J2H', statedCev: 0.9 }),
  hollow({
    ...sound,
    grade: 'S355J2H',
    chemistry: { ...sound.chemistry, Mn: 1.6, C: 0.3 },
    analysis: 'product',
  }),
  ...[
    'S460J2 Bar 20 Ti=0.06 tensile=rm600;rm800',
    'S355J2 Plate 20 reH=? tensile=rp300;rm700',
    'S355JR Plate 300 reH=? tensile=rp200',
    'S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rp300;rm700',
    'S355J2+N+Z25 Plate 20 Al=32 B=3 Ca=18',
    'S355J2 Plate 20 Al=3 B=0.2 Ca=0.2',
    'S355J2 Plate 20 C=0 Mn=0',
    'S355J2+C Bar 20',
    'S355J2 Coil 2.5 tensile=e10l',
    'S355J2 Plate 20 tensile=re300;rp300;rm300;a10l',
    'S355JR Plate 300 tensile=re200;a10l',
    'S355J2H HollowSection 10 standard=EN_10210-1 tensile=re300;rp300;a10l',
    'S355J2H HollowSection 10 standard=EN_10219-1 tensile=a10l',
    'S355J2 Plate 20 V=? C=0.3 Mn=1.6 statedCev=0.3',
    'S355J2 Plate 20 tests=5/5/5@-20w1',
    'S355J0H HollowSection 10 standard=EN_10210-1 N=0.05 Al=0.005',
    'S355J2 Plate 20 Si=30 Mn=40 Cu=30 Nb=30 Ti=30 V=30 tests=60/60/60@60w75 tensile=a62;re400+rm300',
    'S355J2 Plate 20 Si=4 Mn=4 Cu=4 Nb=2 Ti=2 V=2',
    'S355J2H HollowSection 10 standard=EN_10210-1 tests=5/5/5@-20w1',
    'S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.3 Mn=1.6 statedCev=0.3',
  ].map(certificateOf),
  certificateSubject({ productForm: 'Coil', thicknessMm: 200, mechanical: { ...weak, kvTemperatureC: 60 } }),
]

/** An impact test of which one value is below 70 % of the minimum. */
function oneLow(specimenWidthMm: number): ImpactTest {
  return {
    ...{ kind: 'impact', direction: null, location: null, temperatureC: -20, specimenWidthMm },
    ...{ valuesJoule: [60, 60, 12], averageJoule: 44 },
  }
}

function hollow(content: Partial<CertificateContent>): RuleSubject {
  return certificateSubject({ standard: 'EN 10210-1', productForm: 'HollowSection', ...content })
}
