import { expect, it } from 'vitest'
import { heatToSet } from '../../src/portal/screens/bars/heatDecision.ts'

const undecided = { typed: '', near: [], taken: undefined, chosen: undefined }

it('sets nothing before a person has typed a heat or chosen a certificate', () => {
  expect(heatToSet(undecided)).toBeUndefined()
  expect(heatToSet({ ...undecided, typed: 'K 61844' })).toEqual({ heatNumber: 'K 61844' })
  expect(heatToSet({ ...undecided, chosen: 'a' })).toEqual({ millCertificationId: 'a' })
  expect(heatToSet({ ...undecided, typed: 'K 61844', chosen: 'a' })).toEqual({ heatNumber: 'K 61844' })
})

it('asks whether a recorded heat is meant, and forgets the answer when another heat is typed', () => {
  const near = { ...undecided, typed: 'K 61844', near: ['K61844'] }
  expect(heatToSet(near)).toBeUndefined()
  expect(heatToSet({ ...near, taken: 'K61844' })).toEqual({ heatNumber: 'K61844' })
  expect(heatToSet({ ...near, taken: 'K 61844' })).toEqual({ heatNumber: 'K 61844' })
  expect(heatToSet({ ...near, taken: 'C 90771' })).toBeUndefined()
})
