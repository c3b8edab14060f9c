import { expect, it } from 'vitest'
import { mayHaveToStop, revertTargets, undoOf } from '../../src/portal/screens/bars/barSteps.ts'

const now = new Date('2026-03-01T12:09:00Z')
const completed = {
  status: 'Completed',
  startedAt: '2026-03-01T11:00:00Z',
  completedAt: '2026-03-01T12:00:00Z',
  stop: null,
} as const
const stop = { by: 'bob', at: completed.completedAt, reason: null, findings: [] }

it('offers the steps that a person with these roles may take a bar back to', () => {
  expect(revertTargets(completed, ['Quality'], now)).toEqual(['Started', 'Approved', 'Draft'])
  expect(revertTargets(completed, ['Cutter'], now)).toEqual(['Started'])
  expect(revertTargets(completed, ['Cutter'], new Date('2026-03-01T12:11:00Z'))).toEqual([])
})

it('offers to undo the step that was just taken, to those who may', () => {
  expect(undoOf('Approved', ['Planner'], now)).toBe('Draft')
  expect(undoOf('Approved', ['Cutter'], now)).toBeUndefined()
  expect(undoOf('Completed', ['Cutter'], now)).toBe('Started')
})

it('offers no step before Started while the pieces are held', () => {
  const held = { ...completed, stop }
  expect(revertTargets(held, ['Quality'], now)).toEqual(['Started'])
  expect(revertTargets({ ...held, status: 'Started' }, ['Quality'], now)).toEqual([])
})

it.each([
  ['Started', { mayBeCut: false }, true],
  ['Started', null, true],
  ['Started', { mayBeCut: true }, false],
  ['Approved', null, false],
] as const)('a %s bar with the verdict %o may have to stop: %s', (status, verdict, may) =>
  expect(mayHaveToStop({ status, verdict })).toBe(may),
)
