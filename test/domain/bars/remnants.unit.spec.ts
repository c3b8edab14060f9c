import { describe, expect, it } from 'vitest'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import type { ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import { faultsOfRemnant, isTaken, takeRemnant } from '../../../src/domain/bars/remnants.ts'
import { given, id, timeOf } from '../../support/given.ts'
import {
  accepted,
  bar,
  barApproved,
  barCompleted,
  barId,
  barOpened,
  barStarted,
  cut,
  planId,
} from './productionFacts.ts'

const counts = [accepted(10, 1)]
const completed = [
  barOpened(4_000, { cuts: [cut(id(701))] }),
  barApproved,
  barStarted(...counts),
  barCompleted(...counts),
]
const remnantTaken: ProductionPlanBarEvent = {
  type: 'RemnantTaken',
  data: { ...bar, takenBy: { planId, barId: id(601) }, stockLengthMm: 4_000 },
}
/** The remnant was taken at minute 4. */
const taken = given(productionPlanBar, ...completed, remnantTaken).state as OpenedBar
const unplanned = { isPlanned: false, isCancelled: false }

describe('a remnant', () => {
  it('is taken while the bar that has it is planned, and free when that bar is Cancelled', () => {
    expect(isTaken(taken, { isPlanned: true, isCancelled: false }, timeOf(4_000))).toBe(true)
    expect(isTaken(taken, { isPlanned: true, isCancelled: true }, timeOf(4))).toBe(false)
    expect(isTaken(taken, undefined, timeOf(4))).toBe(false)
    const { state } = given(productionPlanBar, ...completed)
    expect(isTaken(state as OpenedBar, unplanned, timeOf(4))).toBe(false)
  })

  it('waits ten minutes for the plan of the bar that has taken it', () => {
    expect(isTaken(taken, unplanned, timeOf(14))).toBe(true)
    expect(isTaken(taken, unplanned, timeOf(14).replace('.000Z', '.001Z'))).toBe(false)
  })

  it('has the profile of its bar, whatever the spelling', () => {
    const source = { ...(given(productionPlanBar, ...completed).state as OpenedBar), profile: 'HEA 200' }
    const faults = (profile: string | null) =>
      faultsOfRemnant(
        { stockLengthMm: 500, millCertificationId: null, fromBarId: barId, profile },
        source,
        '',
      )
    expect(['HE 200 A', null].map(faults)).toEqual([[], []])
    expect(faults('HEB 200')).toMatchObject([{ path: '/profile', code: 'unchangeable' }])
  })

  it('is not taken when it has become shorter than the bar that was planned from it', () => {
    const source = given(productionPlanBar, ...completed).state as OpenedBar
    const shorter = { ...source, remnantMm: 500 }
    const longest = { ...source, barId: id(601), fromBarId: source.barId, stockLengthMm: source.remnantMm! }
    const take = (from: OpenedBar) => () => takeRemnant(from, longest, undefined, { now: timeOf(9) })
    const { stockLengthMm } = longest
    given(productionPlanBar)
      .when(take(source))
      .records({ ...remnantTaken, data: { ...remnantTaken.data, stockLengthMm } } as ProductionPlanBarEvent)
    expect(take(shorter)).toThrow('The remnant has changed meanwhile')
  })
})
