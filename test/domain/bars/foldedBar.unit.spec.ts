import { expect, it } from 'vitest'
import { productionPlanBar } from '../../../src/domain/bars/bar.ts'
import type { ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import { alice, given, id, timeOf } from '../../support/given.ts'
import { overridden, request } from './barJudgements.ts'
import { bar, barApproved, barOpened } from './productionFacts.ts'

/** The state of a bar after events whose decisions do not show it. */

const opened = barOpened(6_000)

it('keeps an override with its author and its time', () =>
  expect(given(productionPlanBar, opened, overridden).state).toMatchObject({
    overrides: [{ ...request, by: alice.id, at: timeOf(1) }],
    revision: 1,
  }))

it('keeps the bar that has taken its remnant', () => {
  const takenBy = { planId: id(500), barId: id(602) }
  const taken: ProductionPlanBarEvent = {
    type: 'RemnantTaken',
    data: { ...bar, takenBy, stockLengthMm: 2_000 },
  }
  expect(given(productionPlanBar, opened, taken).state).toMatchObject({
    remnantTaken: { ...takenBy, at: timeOf(1) },
    revision: 1,
  })
})

it.each<ProductionPlanBarEvent>([
  barApproved,
  { type: 'BarHeatRead', data: { ...bar, heatNumber: 'H 1', formerHeatNumber: null } },
  { type: 'BarCancelled', data: { ...bar, from: 'Draft', reason: 'Wrong.', lineItems: [] } },
  {
    type: 'BarCertificateSet',
    data: { ...bar, barStatus: 'Draft', millCertificationId: id(1), formerMillCertificationId: null },
  },
])('has the revision of $type after it', (event) =>
  expect(given(productionPlanBar, opened, event).state!.revision).toBe(1),
)
