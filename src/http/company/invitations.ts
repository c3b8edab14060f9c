import { z } from 'zod'
import { roles } from '../../domain/company/companyEvents.ts'
import { invalid } from '../../domain/kernel/refusal.ts'
import { emailIn, emailPattern } from '../../identity/caller.ts'
import { invitationDays, listInvitations, mostInvitations } from '../../identity/invitations.ts'
import { access } from '../../projections/company/access.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import { authorOf } from '../kit/routing/commandContext.ts'
import { send } from '../kit/routing/respond.ts'
import { type Declaration, id, paramsOf, type Route } from '../kit/routing/route.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { oneOf, uuid } from '../kit/schemas/fields.ts'

/** Invitations of people by e-mail, before the service knows their accounts. */

const all = '/api/company/{companyId}/invitations'
const administering = { tag: 'Companies and members', access: { company: 'administer' } } as const

const newInvitation = z
  .strictObject({
    email: z.string().regex(emailPattern, 'must be an e-mail address'),
    roles: listOf(oneOf(roles), { least: 1, most: 100 }),
  })
  .meta({ id: 'NewInvitation', examples: [{ email: 'erika@example.org', roles: ['Planner'] }] })

const invitation = z
  .object({
    invitationId: uuid,
    email: z.string(),
    roles: z.array(oneOf(roles)),
    invitedBy: z.string().meta({ description: 'The userId of the Admin.' }),
  })
  .meta({ id: 'Invitation' })

const inviting = {
  ...administering,
  path: all,
  operationId: 'inviteMember',
  summary: 'Invite a person by e-mail',
  description: `The next login to the portal with this address, verified by the identity provider, makes the person a member, if you are still an Admin then. An invitation counts for ${invitationDays} days, and replaces an earlier one to the same address.`,
} satisfies Declaration

const withdrawing = {
  ...administering,
  path: `${all}/{invitationId}`,
  operationId: 'withdrawInvitation',
  summary: 'Withdraw an invitation',
} satisfies Declaration

export const invitationRoutes: Route[] = [
  listRoute({
    ...administering,
    path: all,
    operationId: 'listInvitations',
    summary: 'List the open invitations',
    reads: [access],
    rows: (snapshot, { params }, page) => listInvitations(snapshot, params.companyId, page),
    // Invitations are no events.
    alwaysRead: true,
    sortKey: z.tuple([z.string()]),
    item: invitation,
  }),
  {
    ...inviting,
    method: 'post',
    params: paramsOf(inviting),
    query: z.strictObject({}),
    headers: z.object({}),
    body: newInvitation,
    responses: { 200: { description: 'The invitation.', schema: invitation } },
    problems: [],
    async answer(exchange, { invitations, newId }) {
      const { res, params, body, requireAccess } = exchange
      const { email, roles } = body as z.output<typeof newInvitation>
      await requireAccess()
      const wanted = { invitationId: newId(), email: emailIn(email)!, roles, by: authorOf(exchange) }
      const kept = await invitations.invite(params.companyId!, wanted)
      if (!kept)
        throw invalid([
          {
            path: '/email',
            code: 'out-of-bounds',
            message: `The company has ${mostInvitations} invitations.`,
          },
        ])
      await send(res, { status: 200, headers: { 'Cache-Control': 'no-store' }, body: kept })
    },
  },
  {
    ...withdrawing,
    method: 'delete',
    params: paramsOf({ ...withdrawing, params: { invitationId: id } }),
    query: z.strictObject({}),
    headers: z.object({}),
    body: undefined,
    responses: { 204: { description: 'It is withdrawn, or was not there.' } },
    problems: [],
    async answer({ res, params, requireAccess }, { invitations }) {
      await requireAccess()
      await invitations.withdraw(params.companyId!, params.invitationId!)
      await send(res, { status: 204 })
    },
  },
]
