import { expect, it } from 'vitest'
import type { At, ReadRow } from '../../../src/imports/readRow.ts'
import { withDoubts } from '../../../src/imports/scans/doubts.ts'

const at: At = { page: 1, box: [0, 0, 1, 1] }

/** Return the fields that a person must confirm. */
function inDoubt(values: Readonly<Record<string, number>>): readonly string[] {
  const read = Object.entries(values).map(([field, value]) => ({ field, value, at }))
  const row: ReadRow = { row: 1, at, values: read, undecided: [], faults: [] }
  const [doubted] = withDoubts([row], [])
  return doubted!.undecided.map(({ field }) => field)
}

it('doubts a value beyond the values of steels, and none at their bounds', () => {
  expect(
    inDoubt({ 'chemistry.C': 0, 'chemistry.Mn': 2.5, 'tests.0.rmMpa': 150, 'tests.0.kvJoule': 400 }),
  ).toEqual([])
  const beyond = { 'chemistry.C': 0.61, 'chemistry.Zr': 1.1, 'tests.0.rmMpa': 149, 'tests.0.kvJoule': 0.9 }
  expect(inDoubt(beyond)).toEqual(Object.keys(beyond))
})

it('doubts both strengths where the yield strength is above the tensile strength of its test', () => {
  expect(inDoubt({ 'tests.0.reHMpa': 510, 'tests.0.rmMpa': 510 })).toEqual([])
  expect(inDoubt({ 'tests.0.reHMpa': 511, 'tests.1.rmMpa': 510 })).toEqual([])
  const swapped = { 'tests.0.reHMpa': 511, 'tests.0.rmMpa': 510 }
  expect(inDoubt(swapped)).toEqual(Object.keys(swapped))
})
