import { describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import {
  type MechanicalValues,
  mechanicalFields,
  type TensileTest,
} from '../../src/domain/certificates/materialTests.ts'
import { pick } from '../../src/domain/kernel/fields.ts'
import { tensileTest } from '../domain/verdict/facts.ts'
import { certificateSubject, notEvaluated, severities, untried } from './shipped.ts'

/** Both sides of each limit of reinforcing steel, with figures that are copied independently of the pack. */

const clean = {
  C: 0.2,
  Mn: 0.6,
  Si: 0.2,
  P: 0.02,
  S: 0.03,
  N: 0.01,
  Cu: 0.3,
  Cr: 0.1,
  Ni: 0.1,
  Mo: 0.01,
  V: 0,
}
const sound = { reHMpa: 540, rmMpa: 648, agtPercent: 9, massPerMetreKg: 1.58 }

interface Written extends Partial<CertificateContent> {
  /** Values of the summary. */
  readonly values?: Partial<MechanicalValues>
  readonly elements?: Record<string, number>
}

function subjectOf({ values = {}, elements = {}, ...content }: Written) {
  return certificateSubject({
    standard: 'BS 4449:2005+A3:2016',
    grade: 'B500B',
    productForm: 'Bar',
    thicknessMm: null,
    nominalDiameterMm: 16,
    analysis: 'ladle',
    chemistry: { ...clean, ...elements },
    mechanical: pick(mechanicalFields, { ...sound, ...values }),
    ...content,
  })
}

const bar = (values: Partial<TensileTest>): TensileTest => ({
  ...tensileTest,
  direction: null,
  location: null,
  elongationPercent: null,
  reHMpa: null,
  rmMpa: null,
  ...values,
})
const tests = (...values: Partial<TensileTest>[]) => ({ mechanical: null, tests: values.map(bar) })
const of = (rawYieldMpa: number, rmMpa: number, agtPercent = 9) => ({ rawYieldMpa, rmMpa, agtPercent })

const rows: readonly (readonly [string, Written, string | undefined])[] = [
  ['sound values', {}, undefined],
  ['Re 485', { values: { reHMpa: 485, rmMpa: 560 } }, 'Flag'],
  ['Re 484', { values: { reHMpa: 484, rmMpa: 560 } }, 'Block'],
  ['Re 499', { values: { reHMpa: 499, rmMpa: 560 } }, 'Flag'],
  ['Re 500', { values: { reHMpa: 500, rmMpa: 560 } }, undefined],
  ['Re 650', { values: { reHMpa: 650, rmMpa: 730 } }, undefined],
  ['Re 651', { values: { reHMpa: 651, rmMpa: 730 } }, 'Block'],
  ['A 1.05', { grade: 'B500A', values: { reHMpa: 520, rmMpa: 546 } }, undefined],
  ['A 1.04', { grade: 'B500A', values: { reHMpa: 520, rmMpa: 541 } }, 'Block'],
  [
    'A of 6 mm, 1.02',
    { grade: 'B500A', nominalDiameterMm: 6, values: { reHMpa: 520, rmMpa: 530, massPerMetreKg: 0.222 } },
    undefined,
  ],
  [
    'A of 6 mm, 1.01',
    { grade: 'B500A', nominalDiameterMm: 6, values: { reHMpa: 520, rmMpa: 525, massPerMetreKg: 0.222 } },
    'Block',
  ],
  ['B 1.08', { values: { reHMpa: 500, rmMpa: 540 } }, undefined],
  ['B 1.07', { values: { reHMpa: 500, rmMpa: 537 } }, 'Block'],
  ['C 1.15', { grade: 'B500C', values: { reHMpa: 500, rmMpa: 575 } }, undefined],
  ['C 1.14', { grade: 'B500C', values: { reHMpa: 500, rmMpa: 570 } }, 'Block'],
  ['C 1.34', { grade: 'B500C', values: { reHMpa: 500, rmMpa: 670 } }, undefined],
  ['C 1.37', { grade: 'B500C', values: { reHMpa: 500, rmMpa: 685 } }, 'Flag'],
  ['C 1.38', { grade: 'B500C', values: { reHMpa: 500, rmMpa: 690 } }, 'Block'],
  ['B 1.38', { values: { reHMpa: 500, rmMpa: 690 } }, undefined],
  ['Agt A 2.5', { grade: 'B500A', values: { agtPercent: 2.5 } }, undefined],
  ['Agt A 2.4', { grade: 'B500A', values: { agtPercent: 2.4 } }, 'Block'],
  ['Agt B 5.0', { values: { agtPercent: 5 } }, undefined],
  ['Agt B 4.9', { values: { agtPercent: 4.9 } }, 'Block'],
  ['Agt C 7.5', { grade: 'B500C', values: { agtPercent: 7.5 } }, undefined],
  ['Agt C 7.4', { grade: 'B500C', values: { agtPercent: 7.4 } }, 'Block'],
  ['the printed ratio alone', { values: { reHMpa: 540, rmMpa: null, rmReRatio: 1.07 } }, 'Block'],
  ['C 0.22', { elements: { C: 0.22 } }, undefined],
  ['C 0.23 with a low CEV', { elements: { C: 0.23 } }, 'Flag'],
  ['C 0.23 with a high CEV', { elements: { C: 0.23, Mn: 1.3 } }, 'Block'],
  ['C 0.26', { elements: { C: 0.26 } }, 'Block'],
  ['C 0.24 of the product', { analysis: 'product', elements: { C: 0.24 } }, undefined],
  ['C 0.24 of an unknown analysis', { analysis: null, elements: { C: 0.24, Mn: 1.2 } }, 'Flag'],
  ['S 0.050', { elements: { S: 0.05 } }, undefined],
  ['S 0.051', { elements: { S: 0.051 } }, 'Block'],
  ['S 0.055 of the product', { analysis: 'product', elements: { S: 0.055 } }, undefined],
  ['S 0.055 of an unknown analysis', { analysis: null, elements: { S: 0.055 } }, 'Flag'],
  ['S 0.056 of an unknown analysis', { analysis: null, elements: { S: 0.056 } }, 'Block'],
  ['P 0.050', { elements: { P: 0.05 } }, undefined],
  ['P 0.051', { elements: { P: 0.051 } }, 'Block'],
  ['P 0.056 of the product', { analysis: 'product', elements: { P: 0.056 } }, 'Block'],
  ['Cu 0.80', { elements: { Cu: 0.8 } }, undefined],
  ['Cu 0.81', { elements: { Cu: 0.81 } }, 'Block'],
  ['Cu 0.85 of the product', { analysis: 'product', elements: { Cu: 0.85 } }, undefined],
  ['Cu 0.86 of the product', { analysis: 'product', elements: { Cu: 0.86 } }, 'Block'],
  ['N 0.012', { elements: { N: 0.012 } }, undefined],
  ['N 0.013', { elements: { N: 0.013 } }, 'Block'],
  ['N 0.013 with aluminium', { elements: { N: 0.013, Al: 0.02 } }, undefined],
  ['N 0.013 with vanadium', { elements: { N: 0.013, V: 0.05 } }, 'Flag'],
  ['N 0.014 of the product', { analysis: 'product', elements: { N: 0.014 } }, undefined],
  ['N 0.015 of the product', { analysis: 'product', elements: { N: 0.015 } }, 'Block'],
  ['CEV 0.50', { chemistry: { ...clean, Mn: undefined! }, statedCev: 0.5 }, undefined],
  ['CEV 0.51', { chemistry: { ...clean, Mn: undefined! }, statedCev: 0.51 }, 'Block'],
  [
    'CEV 0.52 of the product',
    { analysis: 'product', chemistry: { ...clean, Mn: undefined! }, statedCev: 0.52 },
    undefined,
  ],
  [
    'CEV 0.53 of the product',
    { analysis: 'product', chemistry: { ...clean, Mn: undefined! }, statedCev: 0.53 },
    'Block',
  ],
  ['a stated CEV that differs', { statedCev: 0.45 }, 'Flag'],
  ['4.5 % of mass too little at 16 mm', { values: { massPerMetreKg: 1.508 } }, undefined],
  ['4.7 % of mass too little at 16 mm', { values: { massPerMetreKg: 1.504 } }, 'Block'],
  ['4.5 % of mass too much at 16 mm', { values: { massPerMetreKg: 1.649 } }, undefined],
  ['4.7 % of mass too much at 16 mm', { values: { massPerMetreKg: 1.653 } }, 'Block'],
  ['6 % of mass too little at 8 mm', { nominalDiameterMm: 8, values: { massPerMetreKg: 0.372 } }, undefined],
  ['6.3 % of mass too little at 8 mm', { nominalDiameterMm: 8, values: { massPerMetreKg: 0.3695 } }, 'Block'],
  ['a failed bend test', { bend: 'failed' }, 'Block'],
  ['a failed rebend test', { bend: 'passed', rebend: 'failed' }, 'Block'],
  ['passed tests', { bend: 'passed', rebend: 'passed' }, undefined],
  ['no Agt', { values: { agtPercent: null } }, 'Flag'],
  ['tests one by one', tests(of(552, 661), of(572, 683), of(530, 633)), undefined],
  ['one of several tests with a low ratio', tests(of(552, 661), of(550, 586), of(530, 633)), 'Flag'],
  ['two of several tests with a low ratio', tests(of(552, 661), of(550, 589), of(550, 589)), 'Block'],
  ['one test with a ratio below that of a single result', tests(of(552, 661), of(550, 575)), 'Block'],
  ['one of several tests with a low Agt', tests(of(552, 661), of(552, 661, 4)), 'Flag'],
  ['one test with an Agt below that of a single result', tests(of(552, 661), of(552, 661, 3.9)), 'Block'],
  ['a test below 485 MPa', tests(of(552, 661), of(484, 661)), 'Block'],
  ['a printed ratio that is not that of its strengths', tests({ ...of(552, 661), rmReRatio: 1.12 }), 'Flag'],
  ['a test of another mass', { ...tests({ ...of(552, 661), massPerMetreKg: 1.4 }) }, 'Block'],
  ['DIN 488', { standard: 'DIN 488-1' }, 'Flag'],
  ['a withdrawn name', { grade: 'BSt 500 S' }, 'Flag'],
  ['another standard', { standard: 'EN 10025-2' }, 'Flag'],
  ['the name with its number', { grade: 'B500B (1.0439)', values: { agtPercent: 4.9 } }, 'Block'],
  ['a steel of a standard that nobody knows', { standard: 'TS 708' }, 'Flag'],
  [
    'a summary of another yield strength',
    { ...tests(of(552, 661)), mechanical: pick(mechanicalFields, { ...sound, reHMpa: 480 }) },
    'Block',
  ],
  ['a nitrogen of an unknown analysis', { analysis: null, elements: { N: 0.014 } }, 'Flag'],
  [
    'a carbon equivalent of an unknown analysis',
    { analysis: null, chemistry: { ...clean, Mn: undefined! }, statedCev: 0.52 },
    'Flag',
  ],
  ['P 0.055 of an unknown analysis', { analysis: null, elements: { P: 0.055 } }, 'Flag'],
  ['Cu 0.85 of an unknown analysis', { analysis: null, elements: { Cu: 0.85 } }, 'Flag'],
  ['a structural steel', { grade: 'S355J2', standard: 'EN 10025-2', elements: { C: 0.5 } }, undefined],
]

describe('the pack for reinforcing steel', () => {
  it.each(rows)('%s', (_, written, severity) => {
    const subject = subjectOf(written)
    expect({ severity: severities('bs4449', subject)[0], unsure: notEvaluated('bs4449', subject) }).toEqual({
      severity,
      unsure: {},
    })
  })

  it('has a row that matches each rule, and a row that does not', () => {
    expect(
      untried(
        'bs4449',
        rows.map(([, written]) => subjectOf(written)),
      ),
    ).toEqual([])
  })

  it('needs the diameter to judge the mass', () => {
    const content = {
      standard: 'BS 4449',
      grade: 'B500B',
      chemistry: clean,
      mechanical: pick(mechanicalFields, sound),
    }
    expect(notEvaluated('bs4449', certificateSubject(content))).toEqual({
      'rebar-mass-outside': 'certificate.nominalDiameterMm is missing',
    })
  })
})
