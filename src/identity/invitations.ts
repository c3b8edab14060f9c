import { admitInvited } from '../commands/company/companies.ts'
import type { CommandContext, Outcome, Workflow } from '../commands/executor/command.ts'
import type { Author, Persons } from '../commands/executor/persons.ts'
import type { Role } from '../domain/company/companyEvents.ts'
import { isRefusal } from '../domain/kernel/refusal.ts'
import { access } from '../projections/company/access.ts'
import { type ListQuery, listQuery, type Page } from '../projections/engine/reading/listQuery.ts'
import type { Reading } from '../projections/engine/reading/reader.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'
import type { Postgres } from '../stores/postgres/postgres.ts'
import type { Caller } from './caller.ts'

/**
 * Invitations to a company by e-mail. They wait in `heatmark_local`, because no event may hold an e-mail address. The
 * first login with the address, as the identity provider has verified it, makes the person a member.
 */

export interface Invitation {
  readonly invitationId: string
  readonly email: string
  readonly roles: readonly Role[]
  /** The Admin who invites. */
  readonly invitedBy: string
}

interface NewInvitation extends Omit<Invitation, 'invitedBy'> {
  readonly by: Pick<Author, 'id' | 'kind'>
}

interface TakenInvitation extends NewInvitation {
  readonly companyId: string
  readonly invitedAt: string
}

export interface Invitations {
  /** Keep an invitation in place of an earlier one to the same address. Return undefined if the company has too many. */
  invite(companyId: string, invitation: NewInvitation): Promise<Invitation | undefined>
  withdraw(companyId: string, invitationId: string): Promise<void>
  /** Make the person a member of each company that has invited the verified address. */
  takeUp(caller: Caller, correlationId: string): Promise<void>
}

interface Stores {
  readonly requests: Pick<Postgres, 'query'>
  readonly storeId: string
  readonly positions: Pick<Positions, 'waitFor'>
}

interface Commands {
  run<Answer>(workflow: Workflow<Answer>, context: CommandContext): Promise<Outcome<Answer>>
  readonly persons: Pick<Persons, 'hashOf'>
}

export const invitationDays = 30
export const mostInvitations = 500
const isFresh = `invited_at > now() - interval '${invitationDays} days'`
/** The page that opens after the login should know the membership. */
const shownWithinMs = 5_000

export function createInvitations(
  { requests: { query }, storeId, positions }: Stores,
  { run, persons }: Commands,
): Invitations {
  const keep = async (
    companyId: string,
    { invitationId, email, roles, by }: NewInvitation,
    invitedAt?: string,
  ) => {
    const [kept] = await query<Invitation>(
      `INSERT INTO heatmark_local.invitation AS i
         (store_id, company_id, invitation_id, email, roles, invited_by, inviter_kind, invited_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, coalesce($8, now())
       WHERE (SELECT count(*) FROM heatmark_local.invitation
              WHERE store_id = $1 AND company_id = $2 AND email <> $4) < ${mostInvitations}
       ON CONFLICT (store_id, company_id, email) DO UPDATE
       SET roles = EXCLUDED.roles, invited_by = EXCLUDED.invited_by, inviter_kind = EXCLUDED.inviter_kind,
           invited_at = EXCLUDED.invited_at
       WHERE i.invited_at <= EXCLUDED.invited_at
       RETURNING invitation_id AS "invitationId", email, roles, invited_by AS "invitedBy"`,
      [storeId, companyId, invitationId, email, JSON.stringify(roles), by.id, by.kind, invitedAt],
    )
    return kept
  }
  return {
    async invite(companyId, invitation) {
      await query(`DELETE FROM heatmark_local.invitation WHERE store_id = $1 AND NOT ${isFresh}`, [storeId])
      return keep(companyId, invitation)
    },
    async withdraw(companyId, invitationId) {
      await query(
        'DELETE FROM heatmark_local.invitation WHERE store_id = $1 AND company_id = $2 AND invitation_id = $3',
        [storeId, companyId, invitationId],
      )
    },
    async takeUp(caller, correlationId) {
      const { id: userId, verifiedEmail } = caller
      if (verifiedEmail === undefined) return
      // Once an invitation is withdrawn, nobody takes it up.
      const taken = await query<TakenInvitation>(
        `DELETE FROM heatmark_local.invitation WHERE store_id = $1 AND email = $2 AND ${isFresh}
         RETURNING company_id AS "companyId", invitation_id AS "invitationId", email, roles, invited_at AS "invitedAt",
           json_build_object('id', invited_by, 'kind', inviter_kind) AS by`,
        [storeId, verifiedEmail],
      )
      const take = async ({ companyId, invitedAt, ...invitation }: TakenInvitation) => {
        const { roles: wanted, by } = invitation
        const admission = admitInvited({ companyId, userId, wanted, by: by.id }, new Date(invitedAt))
        // The Admin has decided it. The newest known name of the Admin counts.
        const actor = { ...by, name: '' }
        try {
          const { body, position } = await run(admission, { actor, correlationId })
          if (body.roles.length === 0) return
          await positions.waitFor([access], position, shownWithinMs)
          // The list of members should say who has come.
          await persons.hashOf(companyId, caller)
        } catch (error) {
          // The next login tries again, unless whoever has invited is no Admin any more.
          if (isRefusal(error, 'forbidden')) return
          await keep(companyId, invitation, invitedAt)
          throw error
        }
      }
      // No company waits for another one.
      await Promise.all(taken.map(take))
    },
  }
}

/** The open invitations of a company. */
export function listInvitations({ storeId }: Reading, companyId: string, page?: Page): ListQuery {
  return listQuery(
    {
      select: {
        invitationId: 'i.invitation_id',
        email: 'i.email',
        roles: 'i.roles',
        invitedBy: 'i.invited_by',
      },
      from: 'heatmark_local.invitation i',
      where: `i.store_id = $1 AND i.company_id = $2 AND ${isFresh}`,
      values: [storeId, companyId],
      order: ['i.email'],
    },
    page,
  )
}
