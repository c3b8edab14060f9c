import { z } from 'zod'
import { setReleasePolicy } from '../../commands/company/releasePolicy.ts'
import { executionClasses } from '../../domain/orders/orderContent.ts'
import {
  completePolicy,
  defaultReleasePolicy,
  policySeverities,
  type ReleasePolicy,
  settableCodes,
} from '../../domain/verdict/releasePolicy.ts'
import { judgedFrom } from '../../projections/bars/verdicts.ts'
import { access } from '../../projections/company/access.ts'
import {
  type FoundReleasePolicy,
  findReleasePolicy,
  releasePolicies,
} from '../../projections/company/releasePolicies.ts'
import { requireComplete } from '../../projections/engine/reading/toDecide.ts'
import { streamText } from '../kit/lists/streamList.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import type { Route } from '../kit/routing/route.ts'
import { inspectionDocument, oneOf } from '../kit/schemas/fields.ts'
import { effectOf, policyEffect } from './policyEffect.ts'

/** The release policy: how severe the findings of verdicts are in a company. */

const severity = oneOf(policySeverities)

/** One field for each code, so that an unknown code is a fault with a pointer. */
const severities = z
  .strictObject(Object.fromEntries(settableCodes.map((code) => [code, severity.optional()])))
  .meta({ id: 'FindingSeverities' })

const byExecutionClass = z
  .strictObject(Object.fromEntries(executionClasses.map((one) => [one, severities.optional()])))
  .meta({ id: 'SeveritiesByExecutionClass' })

const policy = {
  severities: severities.meta({
    description: 'By the code of the finding. A code that is left out has its default.',
  }),
  byExecutionClass: byExecutionClass.meta({
    description:
      'By the strictest execution class of the orders on the bar; it beats `severities`. By default `no-certificate` and `heat-unread` are Blocks in EXC3 and EXC4.',
  }),
  defaultInspectionDocument: inspectionDocument
    .nullable()
    .meta({ description: 'The inspection document that an order requires when it names none.' }),
  fourEyes: z.boolean().meta({
    description:
      'The person who registered or last corrected a certificate does not release it, and the one who planned a bar does not override on it.',
  }),
  qualityOnly: z.boolean().meta({
    description:
      'Whether only Quality and Admin take off or lower a Block, and correct a judged value of a certificate that is Released or that a bar has.',
  }),
} satisfies Record<keyof ReleasePolicy, z.ZodType>

const releasePolicy = z.object(policy).meta({ id: 'ReleasePolicy', sharedMembers: 'ReleasePolicyMembers' })

const sentPolicy = z.strictObject(policy).partial().meta({
  id: 'ReleasePolicyToSet',
  sharedMembers: 'ReleasePolicyMembers',
  description:
    'A member that is left out stays as it is. `severities` and `byExecutionClass` are replaced as a whole.',
})

const path = '/api/company/{companyId}/release-policy'
const group = 'Release policy'

export const releasePolicyRoutes: Route[] = [
  recordRoute({
    tag: group,
    access: { company: 'view' },
    path,
    operationId: 'getReleasePolicy',
    summary: 'Read the release policy',
    description:
      'Shows every code that a company may set, with its default if the company has set nothing else.',
    reads: [access, releasePolicies],
    find: (snapshot, { params }) => findReleasePolicy(snapshot, params.companyId),
    present: ({ policy }: FoundReleasePolicy) => completePolicy(policy ?? defaultReleasePolicy),
    record: releasePolicy,
  }),
  commandRoute({
    tag: group,
    access: { company: 'administer' },
    method: 'put',
    path,
    operationId: 'setReleasePolicy',
    summary: 'Set the release policy',
    description:
      'The codes `certificate-tag`, `order-tag`, `certificate-voided` and `certificate-rejected` cannot be set. A policy that judges as the present one does records nothing.',
    body: sentPolicy,
    command: ({ params, body }) => setReleasePolicy(params.companyId, body),
    record: releasePolicy,
    dryRun: {
      description:
        'When true, nothing is recorded, and the answer lists the open bars that might not be cut any more under the policy.',
      answer: policyEffect,
      send: (policy, { params, res, requireAccess }, { reader }) => {
        const companyId = params.companyId!
        return reader.stream(companyId, judgedFrom, async (reading) => {
          await requireAccess()
          await requireComplete(reading, companyId)
          await streamText(res, reading, effectOf(reading, companyId, policy))
        })
      },
    },
    conditional: true,
    problems: ['facts-incomplete'],
  }),
]
