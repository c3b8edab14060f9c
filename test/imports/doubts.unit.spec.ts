import { expect, it } from 'vitest'
import { withDoubts } from '../../src/imports/pages/doubts.ts'
import type { Page } from '../../src/imports/pages/page.ts'
import type { At, ReadRow } from '../../src/imports/readRow.ts'

const at: At = { page: 1, box: [0, 0, 1, 1] }

function rowOf(values: Readonly<Record<string, unknown>>, more: Partial<ReadRow> = {}): ReadRow {
  const read = Object.entries(values).map(([field, value]) => ({ field, value, at }))
  return { row: 1, at, values: read, undecided: [], faults: [], ...more }
}

/** Return the fields that a person must confirm. */
function inDoubt(values: Readonly<Record<string, number>>): readonly string[] {
  const [doubted] = withDoubts([rowOf(values)], [])
  return doubted!.undecided.map(({ field }) => field)
}

it('doubts a value beyond the values of steels, and none at their bounds', () => {
  expect(
    inDoubt({ 'chemistry.C': 0, 'chemistry.Mn': 2.5, 'tests.0.rmMpa': 150, 'tests.0.kvJoule': 400 }),
  ).toEqual([])
  const beyond = { 'chemistry.C': 0.61, 'chemistry.Zr': 1.1, 'tests.0.rmMpa': 149, 'tests.0.kvJoule': 0.9 }
  expect(inDoubt(beyond)).toEqual(Object.keys(beyond))
  expect(inDoubt({ 'chemistry.Ti': 89.3, 'chemistry.Al': 6 }), 'an alloy of titanium').toEqual([])
})

it('doubts both strengths where the yield strength is above the tensile strength of its test', () => {
  expect(inDoubt({ 'tests.0.reHMpa': 510, 'tests.0.rmMpa': 510 })).toEqual([])
  expect(inDoubt({ 'tests.0.reHMpa': 511, 'tests.1.rmMpa': 510 })).toEqual([])
  const swapped = { 'tests.0.reHMpa': 511, 'tests.0.rmMpa': 510 }
  expect(inDoubt(swapped)).toEqual(Object.keys(swapped))
})

it('doubts strengths whose ratio is not the printed one', () => {
  const test = { 'tests.0.rawYieldMpa': 552, 'tests.0.rmMpa': 661 }
  expect(inDoubt({ ...test, 'tests.0.rmReRatio': 1.2 })).toEqual([])
  const misread = { ...test, 'tests.0.rmReRatio': 1.12 }
  expect(inDoubt(misread)).toEqual(Object.keys(misread))
})

it('doubts the mass of a bar that its diameter does not give', () => {
  expect(inDoubt({ nominalDiameterMm: 32, 'tests.0.massPerMetreKg': 6.191 })).toEqual([])
  expect(inDoubt({ nominalDiameterMm: 32, 'tests.0.massPerMetreKg': 6191 })).toEqual([
    'tests.0.massPerMetreKg',
  ])
})

it('doubts a value that is far from those of the other tests', () => {
  const masses = [1.53, 1537, 1.533].map((mass, test) => [`tests.${test}.massPerMetreKg`, mass])
  expect(inDoubt(Object.fromEntries(masses))).toEqual(['tests.1.massPerMetreKg'])
  expect(inDoubt({ 'tests.0.temperatureC': -20, 'tests.1.temperatureC': 20 })).toEqual([])
})

const analysis = { C: 0.19, Mn: 0.51, Cr: 0.1, Mo: 0.017, V: 0.006, Ni: 0.11, Cu: 0.37 }
const chemistry = Object.fromEntries(
  Object.entries(analysis).map(([element, share]) => [`chemistry.${element}`, share]),
)

it('doubts an analysis that does not give the printed carbon equivalent', () => {
  expect(inDoubt({ ...chemistry, statedCev: 0.33 })).toEqual([])
  const misread = { ...chemistry, 'chemistry.C': 0.13, statedCev: 0.33 }
  expect(inDoubt(misread).toSorted()).toEqual(Object.keys(misread).toSorted())
  // Elements that are not stated make the equivalent larger, and a share out of range explains the difference.
  expect(inDoubt({ 'chemistry.C': 0.15, 'chemistry.Mn': 1.2, statedCev: 0.41 })).toEqual([])
  expect(inDoubt({ ...chemistry, 'chemistry.C': 19, statedCev: 0.33 })).toEqual(['chemistry.C'])
})

it('decides a carbon equivalent without a formula that the analysis gives', () => {
  const open = (stated: number) => ({
    undecided: [{ field: 'statedCev', candidates: [stated], at, text: 'Ceq' }],
  })
  const [agrees] = withDoubts([rowOf(chemistry, open(0.33))], [])
  expect(agrees!.values.at(-1)).toEqual({ field: 'statedCev', value: 0.33, at })
  expect(withDoubts([rowOf(chemistry, open(0.37))], [])[0]!.undecided).toHaveLength(1)
})

it('doubts elements that are too much for a steel in all', () => {
  const shares = { Cr: 1.9, Ni: 2.5, Mn: 2.5, Cu: 0.9, Mo: 0.9 }
  const fields = Object.entries(shares).map(([element, share]) => [`chemistry.${element}`, share])
  expect(inDoubt(Object.fromEntries(fields))).toHaveLength(5)
  expect(inDoubt(Object.fromEntries(fields.slice(1)))).toEqual([])
})

it('doubts a heat number that is shorter than all others', () => {
  const rows = ['2510677', '2510673', '251066'].map((heatNumber) => rowOf({ heatNumber }))
  expect(withDoubts(rows, []).map(({ faults }) => faults.length)).toEqual([0, 0, 1])
  expect(withDoubts(rows.slice(1), []).map(({ faults }) => faults.length)).toEqual([0, 0])
})

it('says how sure the reader is, and where the value is on the page as it was scanned', () => {
  const page: Page = {
    ...{ page: 1, box: [0, 0, 100, 100], runs: [], text: '', levelRules: [] },
    scan: {
      texts: [{ box: [0, 0, 1, 1], confidence: 0.4 }],
      placeOf: () => ({ box: [9, 9, 10, 10], turned: 90 }),
    },
  }
  const [row] = withDoubts([rowOf({ grade: 'B500B' })], [{ page, tables: [], others: [] }])
  expect(row!.undecided).toEqual([
    {
      field: 'grade',
      candidates: ['B500B'],
      at: { page: 1, box: [9, 9, 10, 10], turned: 90 },
      confidence: 0.4,
      doubt: { text: 'uncertain', values: { percent: 40 } },
    },
  ])
})

it('asks for more certainty on a page or a line of which much is in doubt', () => {
  const areDoubted = (onLine: readonly number[], elsewhere: readonly number[]) => {
    const textAt = (bottom: number) => (confidence: number, place: number) => ({
      box: [place, bottom, place + 1, bottom + 1] as const,
      confidence,
    })
    const texts = [...[0.7, ...onLine].map(textAt(0)), ...elsewhere.map(textAt(5))]
    const page: Page = {
      ...{ page: 1, box: [0, 0, 100, 100], runs: [], text: '', levelRules: [] },
      scan: { texts, placeOf: (box) => ({ box }) },
    }
    return withDoubts([rowOf({ grade: 'B500B' })], [{ page, tables: [], others: [] }])[0]!.undecided.length
  }
  const [weak, strong] = [0.4, 0.9]
  expect(areDoubted([strong], [weak, ...Array(7).fill(strong)])).toBe(0)
  expect(areDoubted([strong], [weak, ...Array(6).fill(strong)])).toBe(1)
  expect(areDoubted([weak, ...Array(4).fill(strong)], Array(20).fill(strong))).toBe(0)
  expect(areDoubted([weak, weak, ...Array(3).fill(strong)], Array(20).fill(strong))).toBe(1)
})
