import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Role } from '../../src/domain/company/companyEvents.ts'
import type { Actor } from '../../src/domain/kernel/event.ts'
import { Refusal } from '../../src/domain/kernel/refusal.ts'
import { createInvitations, type Invitations, mostInvitations } from '../../src/identity/invitations.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import { ownDatabase } from '../support/postgres.ts'

/** Invitations of several companies in a real database. The commands are answered here. */

const { postgres } = await ownDatabase()
const storeId = randomUUID()
const email = 'erika@example.org'
const erika = { id: 'erika', name: 'Erika', kind: 'user', verifiedEmail: email, platformRoles: [] } as const
const invitation = () => ({
  invitationId: randomUUID(),
  email,
  roles: ['Planner'] as const,
  by: { id: 'sync', kind: 'application' } as const,
})

let invitations: Invitations
let authors: Omit<Actor, 'nameHash'>[]
let named: string[]
/** The roles that the person has after the command. */
let roles: readonly Role[]
/** The first admission throws it. */
let failure: Error | undefined

beforeAll(() => migrateLocal(postgres))
beforeEach(async () => {
  await postgres.query('DELETE FROM heatmark_local.invitation')
  authors = []
  named = []
  roles = ['Planner']
  failure = undefined
  invitations = createInvitations(
    { requests: postgres, storeId, positions: { waitFor: async () => true } },
    {
      async run(_, { actor }) {
        authors.push(actor)
        if (authors.length === 1 && failure) throw failure
        return { body: { roles } as never, position: 1, recorded: [], replayed: false }
      },
      persons: {
        async hashOf(_, { name }) {
          named.push(name)
          return undefined
        },
      },
    },
  )
})

const countOpen = async () => (await postgres.query('SELECT FROM heatmark_local.invitation')).length

it('is recorded as the act of the person or program that has invited', async () => {
  await invitations.invite(randomUUID(), invitation())
  await invitations.takeUp(erika, 'login')
  expect(authors).toEqual([{ id: 'sync', name: '', kind: 'application' }])
  expect(named).toEqual(['Erika'])
  expect(await countOpen()).toBe(0)
})

it('keeps no name of somebody who is not admitted', async () => {
  roles = []
  await invitations.invite(randomUUID(), invitation())
  await invitations.takeUp(erika, 'login')
  expect(named).toEqual([])
})

it.each([
  ['is kept while its company cannot take it up', new Error('the stream is unreadable'), 1],
  ['of somebody who is no Admin any more is forgotten', new Refusal('forbidden', 'no Admin'), 0],
])('%s, and those of other companies are taken up', async (_, error, left) => {
  failure = error
  for (const companyId of [randomUUID(), randomUUID()]) await invitations.invite(companyId, invitation())
  const login = invitations.takeUp(erika, 'login')
  if (left > 0) await expect(login).rejects.toThrow(error)
  else await login
  await expect.poll(countOpen).toBe(left)
})

it('is replaced, but not added, in a company that has the most invitations', async () => {
  const companyId = randomUUID()
  await invitations.invite(companyId, invitation())
  await postgres.query(
    `INSERT INTO heatmark_local.invitation
       (store_id, company_id, invitation_id, email, roles, invited_by, inviter_kind)
     SELECT $1, $2, gen_random_uuid(), n || '@example.org', '[]', 'ada', 'user' FROM generate_series(2, $3) n`,
    [storeId, companyId, mostInvitations],
  )
  const again = { ...invitation(), roles: ['Editor'] as const }
  expect(await invitations.invite(companyId, again)).toMatchObject({ roles: ['Editor'], invitedBy: 'sync' })
  expect(await invitations.invite(companyId, { ...again, email: 'new@example.org' })).toBeUndefined()
})

it('counts from its own day, also after a login that could not take it up', async () => {
  const companyId = randomUUID()
  await invitations.invite(companyId, invitation())
  await postgres.query(`UPDATE heatmark_local.invitation SET invited_at = now() - interval '3 days'`)
  failure = new Error('the stream is unreadable')
  await expect(invitations.takeUp(erika, 'login')).rejects.toThrow(failure)
  const age = "SELECT now() - invited_at > interval '2 days' AS old FROM heatmark_local.invitation"
  expect(await postgres.query(age)).toEqual([{ old: true }])
})
