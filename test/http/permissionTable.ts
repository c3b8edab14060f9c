/**
 * The interface's table of roles: it says of each route who may call it. The isolation spec compares the running service
 * with it, and fails for a route that is not here.
 */

import { ownDocument } from '../rulePacks/ownDocument.ts'
import { assignmentsOf } from '../support/assignmentsOf.ts'

const { id: _id, ...nextVersion } = { ...ownDocument, name: 'Next' }

/** The ids of one company's records. */
export interface Ids {
  readonly companyId: string
  readonly userId: string
  readonly millCertTagId: string
  readonly orderTagId: string
  readonly millCertificationId: string
  readonly orderId: string
  readonly lineItemId: string
  readonly planId: string
  readonly barId: string
  readonly cutId: string
  readonly dispatchId: string
  readonly deliveryId: string
  readonly importId: string
  readonly invitationId: string
  readonly packId: string
  readonly exportId: string
  readonly runId: string
  readonly documentId: string
  readonly profileId: string
  readonly webhookId: string
  readonly eventId: string
  /** A tile of the log; every company has it. */
  readonly tile: string
  readonly rulePackId: string
  /** A version of the rule pack. */
  readonly version: string
  /** The id of an API key that names the company. */
  readonly keyId: string
}

export interface Permission {
  readonly who: keyof typeof admitted
  /** A body that the route would accept, naming these records. */
  readonly body?: (ids: Ids) => unknown
  /** The query that the route needs, naming these records. */
  readonly query?: (ids: Ids) => string
  /** The status for a body that names another company's records; undefined when it names none. */
  readonly foreignBody?: number
  /**
   * False: the path accepts the ids of another company. Otherwise such ids are answered 404, or with the status that is
   * named here for the parameter.
   */
  readonly foreignPath?: false | Readonly<Record<string, number>>
}

/** A member for each role. */
export const roleClients = ['viewer', 'editor', 'planner', 'cutter', 'quality', 'auditor', 'admin'] as const
const members = [...roleClients, 'key'] as const
const strangers = ['operator', 'platformAdmin', 'outsider'] as const
const tokens = [...roleClients, ...strangers] as const

/** The callers that get in. `key` is an Admin's; `none`, `expiredKey` and `deletedKey` get in where anybody does. */
export const admitted = {
  anybody: ['none', 'expiredKey', 'deletedKey', 'outsiderKey', ...tokens, 'key'],
  everyCaller: [...tokens, 'key', 'outsiderKey'],
  everyToken: tokens,
  everyMember: members,
  editors: ['editor', 'admin', 'key'],
  taggers: ['editor', 'quality', 'admin', 'key'],
  certifiers: ['planner', 'quality', 'admin', 'key'],
  dispatchers: ['planner', 'quality', 'admin', 'key'],
  packReaders: ['planner', 'quality', 'auditor', 'admin', 'key'],
  planners: ['planner', 'admin', 'key'],
  approvers: ['planner', 'quality', 'admin', 'key'],
  releasers: ['quality', 'admin', 'key'],
  identifiers: ['planner', 'cutter', 'quality', 'admin', 'key'],
  sawyers: ['planner', 'cutter', 'admin', 'key'],
  auditors: ['quality', 'auditor', 'admin', 'key'],
  admins: ['admin', 'key'],
  adminsByToken: ['admin'],
  operators: ['operator'],
  platformAdmins: ['platformAdmin'],
} as const satisfies Record<string, readonly string[]>

export type Client = (typeof admitted.anybody)[number]
export const clients: readonly Client[] = admitted.anybody

const tag = () => ({ name: 'Of the table', color: '#123456' })
const certificate = () => ({
  certificateNumber: 'T-1',
  heatNumber: 'T-1',
  grade: 'S355J2',
  inspectionDocument: '3.1',
})
const because = () => ({ reason: 'Of the table' })
const delivery = ({ millCertificationId }: Ids) => ({
  deliveryNote: 'LS 4711',
  date: '2026-03-01',
  items: [{ millCertificationId, pieces: 1_000, lengthMm: 12_000 }],
})
const order = () => ({ orderNumber: 'T-1', lineItems: [{ lineNumber: 1, lengthMm: 100, quantity: 1 }] })
const bars = ({ millCertificationId, orderId, lineItemId }: Ids) => [
  {
    stockLengthMm: 6_000,
    grade: 'S355J2',
    millCertificationId,
    cuts: [{ orderId, lineItemId, lengthMm: 100, status: 'Proposed' }],
  },
]

const C = '/api/company/{companyId}'

const tags = (
  family: 'millcert-tags' | 'order-tags',
  subjectId: string,
  tagId: 'millCertTagId' | 'orderTagId',
): Record<string, Permission> => {
  const F = `${C}/${family}`
  const A = `${C}/${assignmentsOf(family)}`
  return {
    [`GET ${F}`]: { who: 'everyMember' },
    [`POST ${F}`]: { who: 'taggers', body: tag },
    [`GET ${F}/{tagId}`]: { who: 'everyMember' },
    [`PUT ${F}/{tagId}`]: { who: 'taggers', body: tag },
    [`PATCH ${F}/{tagId}`]: { who: 'taggers', body: tag },
    [`DELETE ${F}/{tagId}`]: { who: 'taggers' },
    [`GET ${F}/{tagId}/history`]: { who: 'everyMember' },
    [`GET ${F}/deleted`]: { who: 'everyMember' },
    [`POST ${F}/{tagId}/restore`]: { who: 'taggers' },
    [`GET ${A}`]: { who: 'everyMember' },
    [`GET ${A}/{${subjectId}}`]: { who: 'everyMember' },
    [`GET ${A}/{${subjectId}}/explanations`]: { who: 'everyMember' },
    [`PUT ${A}/{${subjectId}}/manual`]: {
      who: 'taggers',
      body: (ids) => ({ tagIds: [ids[tagId]] }),
      foreignBody: 400,
    },
    [`GET ${A}/{${subjectId}}/manual`]: { who: 'everyMember' },
    [`GET ${A}/{${subjectId}}/manual/{tagId}`]: { who: 'everyMember' },
    [`PUT ${A}/{${subjectId}}/manual/{tagId}`]: { who: 'taggers', foreignPath: { tagId: 400 } },
    // The record does not have the tag of another company, so there is nothing to take away.
    [`DELETE ${A}/{${subjectId}}/manual/{tagId}`]: {
      who: 'taggers',
      foreignPath: { tagId: 204 },
    },
  }
}

const webhook = () => ({ url: 'https://example.com/', active: false })
const W = `${C}/webhooks`

export const permissionTable: Readonly<Record<string, Permission>> = {
  [`GET ${W}`]: { who: 'admins' },
  [`POST ${W}`]: { who: 'adminsByToken', body: webhook },
  [`GET ${W}/{webhookId}`]: { who: 'admins' },
  [`PUT ${W}/{webhookId}`]: { who: 'adminsByToken', body: webhook },
  [`DELETE ${W}/{webhookId}`]: { who: 'adminsByToken' },
  [`POST ${W}/{webhookId}/resume`]: { who: 'adminsByToken' },
  [`POST ${W}/{webhookId}/roll-secret`]: { who: 'adminsByToken' },
  [`GET ${W}/{webhookId}/attempts`]: { who: 'admins' },
  'GET /health/live': { who: 'anybody' },
  'GET /health/ready': { who: 'anybody' },
  'GET /openapi.json': { who: 'anybody' },
  'GET /docs': { who: 'anybody' },
  'GET /docs/rule-packs': { who: 'anybody' },
  'GET /problems': { who: 'anybody' },
  'GET /problems/{code}': { who: 'anybody' },
  'GET /metrics': { who: 'operators' },

  'GET /api/me': { who: 'everyCaller' },
  'GET /api/me/keys': { who: 'everyToken' },
  'GET /api/me/keys/{keyId}': { who: 'everyToken' },
  'POST /api/me/keys': { who: 'everyToken' },
  'POST /api/me/keys/roll': { who: 'everyToken' },
  'POST /api/me/keys/{keyId}/roll': { who: 'everyToken' },
  'DELETE /api/me/keys/{keyId}': { who: 'everyToken' },

  'GET /api/companies': { who: 'everyCaller' },
  'POST /api/companies': { who: 'platformAdmins' },
  [`GET ${C}`]: { who: 'everyMember' },
  [`GET ${C}/settings`]: { who: 'everyMember' },
  [`PUT ${C}/settings`]: { who: 'adminsByToken', body: () => ({}) },
  [`GET ${C}/members`]: { who: 'admins' },
  [`PUT ${C}/members/{userId}`]: {
    who: 'adminsByToken',
    body: () => ({ roles: ['Viewer'] }),
    foreignPath: false,
  },
  [`GET ${C}/members/{userId}`]: { who: 'admins' },
  [`DELETE ${C}/members/{userId}`]: { who: 'adminsByToken' },
  [`GET ${C}/api-keys`]: { who: 'admins' },
  [`GET ${C}/api-keys/{keyId}`]: { who: 'admins' },
  [`DELETE ${C}/api-keys/{keyId}`]: { who: 'adminsByToken' },

  ...tags('millcert-tags', 'millCertificationId', 'millCertTagId'),
  ...tags('order-tags', 'orderId', 'orderTagId'),

  [`GET ${C}/millcert/certificates`]: { who: 'everyMember' },
  [`POST ${C}/millcert/certificates`]: { who: 'certifiers', body: certificate },
  [`POST ${C}/millcert/certificates/bulk`]: { who: 'certifiers' },
  [`GET ${C}/millcert/certificates/{millCertificationId}/history`]: { who: 'everyMember' },
  [`GET ${C}/millcert/certificates/{millCertificationId}`]: { who: 'everyMember' },
  [`PUT ${C}/millcert/certificates/{millCertificationId}`]: {
    who: 'certifiers',
    body: () => ({ grade: 'S355J2', inspectionDocument: '3.1' }),
  },
  [`PATCH ${C}/millcert/certificates/{millCertificationId}`]: {
    who: 'certifiers',
    body: () => ({ grade: 'S355J2' }),
  },
  ...Object.fromEntries(
    ['release', 'reject', 'reopen', 'void', 'reinstate'].map((step) => [
      `POST ${C}/millcert/certificates/{millCertificationId}/${step}`,
      { who: 'releasers', body: () => (step === 'release' ? {} : because()) } as const,
    ]),
  ),
  // Each record has a result of its own. Another company's is 404 there.
  [`POST ${C}/millcert/certificates/release`]: {
    who: 'releasers',
    body: ({ millCertificationId }) => ({ ids: [millCertificationId] }),
    foreignBody: 200,
  },
  [`GET ${C}/millcert/certificates/{millCertificationId}/usage`]: { who: 'everyMember' },
  [`PUT ${C}/millcert/certificates/{millCertificationId}/documents/{documentId}`]: { who: 'certifiers' },
  [`DELETE ${C}/millcert/certificates/{millCertificationId}/documents/{documentId}`]: { who: 'certifiers' },

  [`GET ${C}/documents`]: { who: 'everyMember' },
  [`POST ${C}/documents`]: { who: 'certifiers' },
  [`GET ${C}/documents/{documentId}`]: { who: 'everyMember' },
  [`GET ${C}/documents/{documentId}/content`]: { who: 'everyMember' },
  [`DELETE ${C}/documents/{documentId}`]: { who: 'certifiers' },

  [`POST ${C}/imports`]: { who: 'certifiers' },
  [`POST ${C}/imports/{importId}/confirm`]: { who: 'certifiers', body: () => ({ proposal: 'none' }) },
  [`GET ${C}/imports/{importId}`]: { who: 'certifiers' },
  [`GET ${C}/imports/template`]: { who: 'everyMember' },

  [`GET ${C}/deliveries`]: { who: 'everyMember' },
  [`POST ${C}/deliveries`]: {
    who: 'certifiers',
    body: (ids) => ({ ...delivery(ids), deliveryNote: 'LS 4712' }),
    foreignBody: 400,
  },
  [`GET ${C}/deliveries/{deliveryId}`]: { who: 'everyMember' },
  [`PUT ${C}/deliveries/{deliveryId}`]: { who: 'certifiers', body: delivery, foreignBody: 400 },
  [`POST ${C}/deliveries/{deliveryId}/void`]: {
    who: 'certifiers',
    body: () => ({ reason: 'Of the table' }),
  },

  [`GET ${C}/orders`]: { who: 'everyMember' },
  [`POST ${C}/orders`]: { who: 'planners', body: order },
  [`POST ${C}/orders/bulk`]: { who: 'planners' },
  [`GET ${C}/orders/{orderId}`]: { who: 'everyMember' },
  [`PUT ${C}/orders/{orderId}`]: {
    who: 'planners',
    body: () => ({ lineItems: [{ lineNumber: 10, lengthMm: 2_000, quantity: 1 }] }),
  },
  [`PATCH ${C}/orders/{orderId}`]: { who: 'dispatchers', body: () => ({ customer: 'Of the table' }) },
  [`GET ${C}/orders/{orderId}/line-items/{lineItemId}`]: { who: 'everyMember' },
  [`GET ${C}/orders/{orderId}/traceability`]: { who: 'everyMember' },
  [`GET ${C}/orders/{orderId}/history`]: { who: 'everyMember' },
  [`GET ${C}/orders/{orderId}/dispatches`]: { who: 'everyMember' },
  [`POST ${C}/orders/{orderId}/dispatches`]: {
    who: 'dispatchers',
    body: ({ cutId }) => ({ date: '2026-03-01', reference: 'Of the table', cutIds: [cutId] }),
    foreignBody: 400,
  },
  [`GET ${C}/orders/{orderId}/dispatches/{dispatchId}`]: { who: 'everyMember' },
  [`GET ${C}/orders/{orderId}/packs`]: { who: 'packReaders' },
  [`POST ${C}/orders/{orderId}/packs`]: {
    who: 'dispatchers',
    body: ({ cutId }) => ({ cutIds: [cutId] }),
    foreignBody: 400,
  },
  [`GET ${C}/orders/{orderId}/packs/{packId}`]: { who: 'packReaders' },
  [`GET ${C}/orders/{orderId}/packs/{packId}/content`]: { who: 'packReaders' },
  [`POST ${C}/exports`]: { who: 'admins' },
  [`GET ${C}/exports/{exportId}/content`]: { who: 'admins' },
  [`GET ${C}/runs`]: { who: 'everyMember' },
  [`GET ${C}/runs/{runId}`]: { who: 'everyMember' },

  [`GET ${C}/recalls`]: {
    who: 'everyMember',
    query: ({ millCertificationId }) => `?millCertificationId=${millCertificationId}`,
  },

  [`GET ${C}/labels`]: { who: 'everyMember', query: ({ barId }) => `?barId=${barId}` },

  [`GET ${C}/production-plans`]: { who: 'everyMember' },
  [`POST ${C}/production-plans`]: {
    who: 'planners',
    body: (ids) => ({ name: 'Of the table', bars: bars(ids) }),
    foreignBody: 400,
  },
  [`GET ${C}/production-plans/{planId}`]: { who: 'everyMember' },
  [`POST ${C}/production-plans/{planId}/bars`]: {
    who: 'planners',
    body: (ids) => ({ bars: bars(ids) }),
    foreignBody: 400,
  },
  [`POST ${C}/production-plans/{planId}/approve`]: {
    who: 'approvers',
    body: ({ barId }) => ({ barIds: [barId] }),
    foreignBody: 200,
  },
  [`GET ${C}/production-plan-bars`]: { who: 'everyMember' },
  [`GET ${C}/production-plan-bars/{barId}`]: { who: 'everyMember' },
  [`GET ${C}/production-plan-bars/{barId}/candidates`]: { who: 'everyMember' },
  [`GET ${C}/production-plan-bars/{barId}/verdict`]: { who: 'everyMember' },
  [`GET ${C}/production-plan-bars/{barId}/history`]: { who: 'everyMember' },
  [`POST ${C}/production-plan-bars/{barId}/approve`]: { who: 'approvers' },
  [`POST ${C}/production-plan-bars/{barId}/override`]: {
    who: 'releasers',
    body: () => ({ reason: 'The designer agreed.', findings: ['of the table'] }),
  },
  [`PUT ${C}/production-plan-bars/{barId}/certificate`]: {
    who: 'identifiers',
    body: ({ millCertificationId }) => ({ millCertificationId }),
    foreignBody: 400,
  },
  [`POST ${C}/production-plan-bars/{barId}/start`]: { who: 'sawyers' },
  [`POST ${C}/production-plan-bars/{barId}/complete`]: { who: 'sawyers' },
  [`POST ${C}/production-plan-bars/{barId}/revert`]: {
    who: 'identifiers',
    body: () => ({ to: 'Draft', ...because() }),
  },
  [`POST ${C}/production-plan-bars/{barId}/cancel`]: { who: 'planners', body: because },
  [`POST ${C}/production-plan-bars/{barId}/cuts/{cutId}/scrap`]: { who: 'releasers', body: because },
  [`GET ${C}/production-plan-bars/{barId}/cuts/{cutId}`]: { who: 'everyMember' },
  [`PUT ${C}/production-plan-bars/{barId}/cuts/{cutId}`]: {
    who: 'approvers',
    body: () => ({ status: 'Accepted' }),
  },

  [`GET ${C}/invitations`]: { who: 'admins' },
  [`POST ${C}/invitations`]: {
    who: 'adminsByToken',
    body: () => ({ email: 'somebody@example.org', roles: ['Viewer'] }),
  },
  [`DELETE ${C}/invitations/{invitationId}`]: { who: 'adminsByToken', foreignPath: { invitationId: 204 } },

  [`GET ${C}/optimisation/filter-profiles`]: { who: 'everyMember' },
  [`POST ${C}/optimisation/filter-profiles`]: { who: 'editors', body: () => ({ name: 'Of the table' }) },
  [`GET ${C}/optimisation/filter-profiles/{profileId}`]: { who: 'everyMember' },
  [`PUT ${C}/optimisation/filter-profiles/{profileId}`]: {
    who: 'editors',
    body: () => ({ name: 'Of the table' }),
  },
  [`PATCH ${C}/optimisation/filter-profiles/{profileId}`]: {
    who: 'editors',
    body: () => ({ name: 'Of the table' }),
  },
  [`DELETE ${C}/optimisation/filter-profiles/{profileId}`]: { who: 'editors' },

  [`GET ${C}/rule-packs`]: { who: 'everyMember' },
  [`POST ${C}/rule-packs`]: { who: 'adminsByToken' },
  [`GET ${C}/rule-packs/{rulePackId}`]: { who: 'everyMember' },
  [`PUT ${C}/rule-packs/{rulePackId}`]: { who: 'adminsByToken', body: () => nextVersion },
  [`GET ${C}/rule-packs/{rulePackId}/versions/{version}`]: {
    who: 'everyMember',
    foreignPath: { version: 200 },
  },
  [`DELETE ${C}/rule-packs/{rulePackId}`]: { who: 'adminsByToken' },
  [`POST ${C}/rule-packs/{rulePackId}/subscribe`]: { who: 'adminsByToken' },
  [`POST ${C}/rule-packs/{rulePackId}/unsubscribe`]: { who: 'adminsByToken' },
  [`POST ${C}/rule-packs/{rulePackId}/upgrade`]: { who: 'adminsByToken' },
  [`POST ${C}/rule-packs/{rulePackId}/preview`]: { who: 'adminsByToken' },
  [`PUT ${C}/rule-packs/{rulePackId}/validation`]: {
    who: 'adminsByToken',
    body: () => ({ by: 'Q. Manager', edition: 'EN 10025-2:2019', date: '2026-03-02' }),
  },

  [`GET ${C}/changes`]: { who: 'everyMember' },
  [`GET ${C}/audit`]: { who: 'auditors' },
  [`GET ${C}/audit/export`]: { who: 'auditors' },
  [`GET ${C}/history/log/keys`]: { who: 'auditors' },
  [`GET ${C}/history/log/checkpoint`]: { who: 'auditors' },
  [`GET ${C}/history/log/proof/{eventId}`]: { who: 'auditors' },
  [`GET ${C}/history/log/consistency`]: { who: 'auditors', query: () => '?from=1&to=1' },
  [`GET ${C}/history/log/anchors`]: { who: 'auditors' },
  [`GET ${C}/history/log/tile/{tile}`]: { who: 'auditors', foreignPath: false },

  [`GET ${C}/release-policy`]: { who: 'everyMember' },
  [`PUT ${C}/release-policy`]: {
    who: 'adminsByToken',
    body: () => ({ severities: { 'not-judged': 'Audit' } }),
  },

  'GET /api/ops/projections': { who: 'operators' },
  'POST /api/ops/projections/{name}/rebuild': { who: 'operators' },
  'POST /api/ops/projections/{name}/verify': { who: 'operators' },
  'GET /api/ops/runs': { who: 'operators' },
  'GET /api/ops/runs/{runId}': { who: 'operators' },
}
