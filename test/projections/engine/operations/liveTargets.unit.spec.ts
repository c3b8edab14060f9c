import { expect, it } from 'vitest'
import { liveTargets } from '../../../../src/projections/engine/operations/rebuild.ts'
import type { ProjectionState } from '../../../../src/projections/engine/schema/schema.ts'
import type { EventStore } from '../../../../src/stores/eventStore.ts'

/** Where a rebuild brings each projection. */

const state = (name: string, status: ProjectionState['status'], position: number): ProjectionState => ({
  name,
  version: 1,
  generation: 1,
  status,
  position,
  eventId: `${position}`,
  failure: null,
})
const targetsOf = async (...states: ProjectionState[]) => {
  const eventStore = { last: async () => ({ position: 100 }) } as unknown as EventStore
  return Object.fromEntries(await liveTargets(eventStore)(states))
}

it('leaves a running one where it is, and brings a stopped one to where the others are', async () => {
  expect(await targetsOf(state('a', 'running', 20), state('b', 'failed', 5))).toEqual({ a: 20, b: 20 })
  expect(await targetsOf(state('a', 'failed', 20), state('b', 'failed', 5))).toEqual({ a: 100, b: 100 })
})

it('brings none back to an earlier position than it has shown', async () => {
  expect(await targetsOf(state('a', 'failed', 20), state('b', 'running', 5))).toEqual({ a: 20, b: 5 })
})
