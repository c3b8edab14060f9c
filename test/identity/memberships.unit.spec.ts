import { expect, it } from 'vitest'
import { createMemberships, membershipsEndWithinMs } from '../../src/identity/memberships.ts'
import type { Changes } from '../../src/projections/engine/reading/knownStates.ts'
import type { Reader, Reading } from '../../src/projections/engine/reading/reader.ts'
import type { ProjectionState } from '../../src/projections/engine/schema/schema.ts'
import { PostgresUnavailable } from '../../src/stores/postgres/postgres.ts'
import { companyId } from '../support/given.ts'

/** These specs say how long a node may use a cached membership. */

function setUp() {
  const node = { now: 0, lastLookedAt: 0, heard: 'running', status: 'running', reads: 0, roles: ['Editor'] }
  let tell: (changes: Changes) => void = () => {}
  const reading = {
    table: () => 't',
    query: async () => [{ companyId, roles: node.roles }],
    requireRunning: () => {
      if (node.status === 'failed') throw new PostgresUnavailable(new Error('access has stopped'), false)
    },
  } as unknown as Reading
  const reader = {
    async read(_: unknown, look: (reading: Reading) => Promise<unknown>) {
      node.reads += 1
      return { value: await look(reading), position: 1 }
    },
  } as unknown as Reader
  const memberships = createMemberships({
    reader,
    clock: () => node.now,
    positions: {
      positionOf: () => 1,
      onChange: (listener) => {
        tell = listener
        return () => {}
      },
      get knownStates() {
        return new Map(
          node.heard ? [['access', { name: 'access', status: node.heard } as ProjectionState]] : [],
        )
      },
      get lastLookedAt() {
        return node.lastLookedAt
      },
    },
  })
  return {
    node,
    tell: (changes: Changes) => tell(changes),
    roles: () => memberships.rolesIn('bob', companyId),
    memberships,
  }
}

it('reads a membership once, and again after a change', async () => {
  const { node, tell, roles } = setUp()
  expect(await roles()).toEqual(['Editor'])
  expect(await roles()).toEqual(['Editor'])
  expect(node.reads).toBe(1)
  node.roles = []
  tell([{ companyId, projection: 'access' }])
  expect(await roles()).toEqual([])
  expect(node.reads).toBe(2)
})

it('uses a cached membership only while the last look is recent', async () => {
  const { node, roles } = setUp()
  await roles()
  node.roles = []
  node.now = 1_000
  expect(await roles()).toEqual(['Editor'])
  // A removal is answered only after `membershipsEndWithinMs`, which is later than this.
  node.now = 1_001
  expect(node.now).toBeLessThan(membershipsEndWithinMs)
  expect(await roles()).toEqual([])
})

it('recalls a membership only while it may be used', async () => {
  const { node, tell, roles, memberships } = setUp()
  const recall = () => memberships.recall('bob', companyId)
  expect(recall()).toBeUndefined()
  await roles()
  expect(recall()).toEqual(['Editor'])
  node.heard = 'failed'
  expect(recall()).toBeUndefined()
  node.heard = 'running'
  node.now = 1_001
  expect(recall()).toBeUndefined()
  node.now = 1_000
  tell([{ companyId, projection: 'access' }])
  expect(recall()).toBeUndefined()
})

it('refuses everybody once this node hears that access has stopped', async () => {
  const { node, roles, memberships } = setUp()
  await roles()
  node.heard = 'failed'
  await expect(roles()).rejects.toThrow(PostgresUnavailable)
  node.status = 'failed'
  await expect(memberships.all('bob')).rejects.toThrow(PostgresUnavailable)
})

it.each(['running', ''])(
  'refuses everybody when a read finds access stopped, whatever was heard (%j)',
  async (heard) => {
    const { node, roles, memberships } = setUp()
    Object.assign(node, { heard, status: 'failed' })
    await expect(roles()).rejects.toThrow(PostgresUnavailable)
    await expect(memberships.all('bob')).rejects.toThrow(PostgresUnavailable)
  },
)

it('reads all memberships of an account without the cache', async () => {
  const { node, memberships } = setUp()
  expect(await memberships.all('bob')).toEqual([{ companyId, roles: ['Editor'] }])
  node.roles = ['Viewer']
  expect(await memberships.all('bob')).toEqual([{ companyId, roles: ['Viewer'] }])
})
