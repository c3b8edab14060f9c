/**
 * Who may call which route, as data of its own: the interface's table of roles, route by route. The isolation
 * spec compares the running service with it, and fails for a route that is not here.
 */

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
  readonly profileId: string
  /** The id of an API key that names the company. */
  readonly keyId: string
}

export interface Permission {
  readonly who: keyof typeof admitted
  /** A body that the route would accept, naming these records. */
  readonly body?: (ids: Ids) => unknown
  /** What a body that names another company's records is answered; undefined when it names none. */
  readonly foreignBody?: number
  /** What another company's ids in the path are answered, where that is not 404; false: anybody's will do. */
  readonly foreignPath?: false
}

const members = ['viewer', 'editor', 'planner', 'auditor', 'admin', 'key'] as const
const strangers = ['operator', 'platformAdmin', 'outsider'] as const
const tokens = ['viewer', 'editor', 'planner', 'auditor', 'admin', ...strangers] as const

/** Which callers get in. `key` is an Admin's; `none`, `expiredKey` and `deletedKey` get in where anybody does. */
export const admitted = {
  anybody: ['none', 'expiredKey', 'deletedKey', 'outsiderKey', ...tokens, 'key'],
  everyCaller: [...tokens, 'key', 'outsiderKey'],
  everyToken: tokens,
  everyMember: members,
  editors: ['editor', 'admin', 'key'],
  planners: ['planner', 'admin', 'key'],
  admins: ['admin', 'key'],
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
  return {
    [`GET ${F}`]: { who: 'everyMember' },
    [`POST ${F}`]: { who: 'editors', body: tag },
    [`GET ${F}/{tagId}`]: { who: 'everyMember' },
    [`PUT ${F}/{tagId}`]: { who: 'editors', body: tag },
    [`DELETE ${F}/{tagId}`]: { who: 'editors' },
    [`GET ${F}/{tagId}/history`]: { who: 'everyMember' },
    [`GET ${F}/deleted`]: { who: 'everyMember' },
    [`POST ${F}/{tagId}/restore`]: { who: 'editors' },
    [`GET ${F}/assignments`]: { who: 'everyMember' },
    [`GET ${F}/assignments/{${subjectId}}`]: { who: 'everyMember' },
    [`GET ${F}/assignments/{${subjectId}}/explanations`]: { who: 'everyMember' },
    [`PUT ${F}/assignments/{${subjectId}}/manual`]: {
      who: 'editors',
      body: (ids) => ({ tagIds: [ids[tagId]] }),
      foreignBody: 400,
    },
  }
}

export const permissionTable: Readonly<Record<string, Permission>> = {
  'GET /health/live': { who: 'anybody' },
  'GET /health/ready': { who: 'anybody' },
  'GET /openapi.json': { who: 'anybody' },
  'GET /docs': { who: 'anybody' },
  'GET /metrics': { who: 'operators' },

  'GET /api/me': { who: 'everyCaller' },
  'GET /api/me/keys': { who: 'everyToken' },
  'POST /api/me/keys': { who: 'everyToken' },
  'POST /api/me/keys/roll': { who: 'everyToken' },
  'DELETE /api/me/keys/{keyId}': { who: 'everyToken' },

  'GET /api/companies': { who: 'everyCaller' },
  'POST /api/companies': { who: 'platformAdmins' },
  [`GET ${C}`]: { who: 'everyMember' },
  [`GET ${C}/members`]: { who: 'admins' },
  [`PUT ${C}/members/{userId}`]: {
    who: 'admins',
    body: () => ({ roles: ['Viewer'] }),
    foreignPath: false,
  },
  [`DELETE ${C}/members/{userId}`]: { who: 'admins' },
  [`GET ${C}/api-keys`]: { who: 'admins' },
  [`DELETE ${C}/api-keys/{keyId}`]: { who: 'admins' },

  ...tags('millcert-tags', 'millCertificationId', 'millCertTagId'),
  ...tags('order-tags', 'orderId', 'orderTagId'),

  [`GET ${C}/millcert/certificates`]: { who: 'everyMember' },
  [`POST ${C}/millcert/certificates`]: { who: 'planners', body: certificate },
  [`POST ${C}/millcert/certificates/bulk`]: { who: 'planners' },
  [`GET ${C}/millcert/certificates/{millCertificationId}`]: { who: 'everyMember' },
  [`PUT ${C}/millcert/certificates/{millCertificationId}`]: {
    who: 'planners',
    body: () => ({ grade: 'S355J2', inspectionDocument: '3.1' }),
  },
  [`GET ${C}/millcert/certificates/{millCertificationId}/usage`]: { who: 'everyMember' },

  [`GET ${C}/orders`]: { who: 'everyMember' },
  [`POST ${C}/orders`]: { who: 'planners', body: order },
  [`POST ${C}/orders/bulk`]: { who: 'planners' },
  [`GET ${C}/orders/{orderId}`]: { who: 'everyMember' },
  [`PUT ${C}/orders/{orderId}`]: {
    who: 'planners',
    body: () => ({ lineItems: [{ lineNumber: 10, lengthMm: 2_000, quantity: 1 }] }),
  },
  [`GET ${C}/orders/{orderId}/line-items/{lineItemId}`]: { who: 'everyMember' },
  [`GET ${C}/orders/{orderId}/traceability`]: { who: 'everyMember' },

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
  [`GET ${C}/production-plan-bars`]: { who: 'everyMember' },
  [`GET ${C}/production-plan-bars/{barId}`]: { who: 'everyMember' },
  [`POST ${C}/production-plan-bars/{barId}/approve`]: { who: 'planners' },
  [`POST ${C}/production-plan-bars/{barId}/start`]: { who: 'planners' },
  [`POST ${C}/production-plan-bars/{barId}/complete`]: { who: 'planners' },
  [`PUT ${C}/production-plan-bars/{barId}/cuts/{cutId}`]: {
    who: 'planners',
    body: () => ({ status: 'Accepted' }),
  },

  [`GET ${C}/optimisation/filter-profiles`]: { who: 'everyMember' },
  [`POST ${C}/optimisation/filter-profiles`]: { who: 'editors', body: () => ({ name: 'Of the table' }) },
  [`PUT ${C}/optimisation/filter-profiles/{profileId}`]: {
    who: 'editors',
    body: () => ({ name: 'Of the table' }),
  },
  [`DELETE ${C}/optimisation/filter-profiles/{profileId}`]: { who: 'editors' },

  [`GET ${C}/rule-packs`]: { who: 'everyMember' },
  [`POST ${C}/rule-packs/{rulePackId}/subscribe`]: { who: 'admins', foreignPath: false },
  [`POST ${C}/rule-packs/{rulePackId}/unsubscribe`]: { who: 'admins', foreignPath: false },
  [`POST ${C}/rule-packs/{rulePackId}/upgrade`]: { who: 'admins', foreignPath: false },
  [`POST ${C}/rule-packs/{rulePackId}/preview`]: { who: 'admins', foreignPath: false },

  'GET /api/ops/projections': { who: 'operators' },
  'POST /api/ops/projections/{name}/rebuild': { who: 'operators' },
  'POST /api/ops/projections/{name}/verify': { who: 'operators' },
  'GET /api/ops/runs': { who: 'operators' },
  'GET /api/ops/runs/{runId}': { who: 'operators' },
}
