import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerCompany, setMemberRoles } from '../../src/commands/company/companies.ts'
import { createExecutor } from '../../src/commands/executor/execute.ts'
import { routes } from '../../src/http/routes.ts'
import { clock, now } from '../../src/lib/clocks.ts'
import { concurrently } from '../../src/lib/concurrently.ts'
import { connectEventStore } from '../../src/stores/eventStoreDb/connect.ts'
import { ownDocument } from '../rulePacks/ownDocument.ts'
import { startAppendProxy } from '../support/appendProxy.ts'
import { assignmentsOf } from '../support/assignmentsOf.ts'
import { startBucket } from '../support/bucket.ts'
import { type Answer, call } from '../support/call.ts'
import { type ClusterNode, startCluster } from '../support/cluster.ts'
import { noNames } from '../support/noNames.ts'
import { own } from '../support/own.ts'
import { createDatabase } from '../support/postgres.ts'
import { startStore } from '../support/store.ts'
import { until } from '../support/until.ts'

/**
 * For every command that takes an Idempotency-Key, the service is killed between the append and the answer. The
 * same request to a new process gets the answer, and the command has recorded its events once.
 */

interface Asked {
  /** A path below `/api/company/{companyId}`, or a whole path that begins with /. */
  readonly path: string
  readonly body?: object
}

type Ask = (method: string, path: string, body?: object) => Promise<Answer['body']>
/** Create the records that the command needs, and return its request. */
type Scene = (ask: Ask) => Promise<Asked>

function tag(name: string) {
  return { name, color: '#1f77b4' }
}

const certificate = {
  certificateNumber: 'C-1',
  heatNumber: 'H-1',
  grade: 'S355J2',
  inspectionDocument: '3.1',
}

const order = { orderNumber: 'O-1', lineItems: [{ lineNumber: 1, lengthMm: 1_000, quantity: 2 }] }
async function newBar(ask: Ask) {
  const { orderId, lineItems } = await ask('POST', 'orders', order)
  const { lineItemId } = lineItems[0]
  const cut = { cutId: randomUUID(), orderId, lineItemId, lengthMm: 1_000, status: 'Accepted' }
  return { barId: randomUUID(), stockLengthMm: 6_000, grade: 'S355J2', cuts: [cut] }
}

async function newDelivery(ask: Ask) {
  const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
  return { deliveryNote: 'LS 1', date: '2026-03-02', items: [{ millCertificationId, pieces: 1 }] }
}

async function plannedBar(ask: Ask, ...steps: string[]) {
  const bar = await newBar(ask)
  await ask('POST', 'production-plans', { name: 'Plan', bars: [bar] })
  const path = `production-plan-bars/${bar.barId}`
  for (const step of steps) await ask('POST', `${path}/${step}`)
  return { path, cutId: bar.cuts[0]!.cutId }
}

function tagScenes(
  called: string,
  segment: string,
  subject: (ask: Ask) => Promise<string>,
): Record<string, Scene> {
  return {
    [`create${called}Tag`]: async () => ({ path: segment, body: tag('new') }),
    [`update${called}Tag`]: async (ask) => ({
      path: `${segment}/${(await ask('POST', segment, tag('old'))).tagId}`,
      body: tag('new'),
    }),
    [`delete${called}Tag`]: async (ask) => ({
      path: `${segment}/${(await ask('POST', segment, tag('old'))).tagId}`,
    }),
    [`patch${called}Tag`]: async (ask) => ({
      path: `${segment}/${(await ask('POST', segment, tag('old'))).tagId}`,
      body: { name: 'new' },
    }),
    [`restore${called}Tag`]: async (ask) => {
      const { tagId } = await ask('POST', segment, tag('old'))
      await ask('DELETE', `${segment}/${tagId}`)
      return { path: `${segment}/${tagId}/restore` }
    },
    [`setManual${called}Tags`]: async (ask) => {
      const { tagId } = await ask('POST', segment, tag('assigned'))
      return { path: `${assignmentsOf(segment)}/${await subject(ask)}/manual`, body: { tagIds: [tagId] } }
    },
    [`assignManual${called}Tag`]: async (ask) => {
      const { tagId } = await ask('POST', segment, tag('assigned'))
      return { path: `${assignmentsOf(segment)}/${await subject(ask)}/manual/${tagId}` }
    },
    [`unassignManual${called}Tag`]: async (ask) => {
      const { tagId } = await ask('POST', segment, tag('assigned'))
      const manual = `${assignmentsOf(segment)}/${await subject(ask)}/manual`
      await ask('PUT', manual, { tagIds: [tagId] })
      return { path: `${manual}/${tagId}` }
    },
  }
}

/** A file: its bytes are those of the JSON body. */
const sheet = { certificate: 'C-1' }
async function storedSheet(ask: Ask): Promise<string> {
  return (await ask('POST', 'documents', sheet)).documentId
}

const rulePack = 'rule-packs/completeness'

const webhook = { url: 'https://example.com/', active: false }
const addedWebhook = async (ask: Ask) => `webhooks/${(await ask('POST', 'webhooks', webhook)).webhookId}`

const scenes: Record<string, Scene> = {
  createApiKey: async () => ({ path: '/api/me/keys', body: { label: 'Key' } }),
  rollApiKeys: async (ask) => {
    await ask('POST', '/api/me/keys', { label: 'Key' })
    return { path: '/api/me/keys/roll' }
  },
  rollApiKey: async (ask) => ({
    path: `/api/me/keys/${(await ask('POST', '/api/me/keys', { label: 'Key' })).keyId}/roll`,
  }),
  deleteApiKey: async (ask) => ({
    path: `/api/me/keys/${(await ask('POST', '/api/me/keys', { label: 'Key' })).keyId}`,
  }),
  revokeCompanyApiKey: async (ask) => ({
    path: `api-keys/${(await ask('POST', '/api/me/keys', { label: 'Key' })).keyId}`,
  }),
  addWebhook: async () => ({ path: 'webhooks', body: webhook }),
  changeWebhook: async (ask) => ({
    path: await addedWebhook(ask),
    body: { url: 'https://example.com/other' },
  }),
  deleteWebhook: async (ask) => ({ path: await addedWebhook(ask) }),
  resumeWebhook: async (ask) => ({ path: `${await addedWebhook(ask)}/resume` }),
  rollWebhookSecret: async (ask) => ({ path: `${await addedWebhook(ask)}/roll-secret` }),
  registerCompany: async () => ({ path: '/api/companies', body: { companyId: randomUUID(), name: 'New' } }),
  setCompanySettings: async () => ({ path: 'settings', body: { requireIfMatch: true } }),
  setMemberRoles: async () => ({ path: 'members/somebody', body: { roles: ['Viewer'] } }),
  removeMember: async (ask) => {
    await ask('PUT', 'members/somebody', { roles: ['Viewer'] })
    return { path: 'members/somebody' }
  },
  ...tagScenes(
    'MillCert',
    'millcert-tags',
    async (ask) => (await ask('POST', 'millcert/certificates', certificate)).millCertificationId,
  ),
  ...tagScenes('Order', 'order-tags', async (ask) => (await ask('POST', 'orders', order)).orderId),
  registerCertificate: async () => ({ path: 'millcert/certificates', body: certificate }),
  correctCertificate: async (ask) => {
    const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
    return {
      path: `millcert/certificates/${millCertificationId}`,
      body: { grade: 'S275JR', inspectionDocument: '3.2' },
    }
  },
  patchCertificate: async (ask) => {
    const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
    const path = `millcert/certificates/${millCertificationId}`
    return { path, body: { grade: 'S275JR' } }
  },
  ...Object.fromEntries(
    Object.entries({
      releaseCertificate: { step: 'release', before: [] },
      rejectCertificate: { step: 'reject', before: [] },
      reopenCertificate: { step: 'reopen', before: ['reject'] },
      voidCertificate: { step: 'void', before: [] },
      reinstateCertificate: { step: 'reinstate', before: ['void'] },
    }).map(([operationId, { step, before }]) => [
      operationId,
      async (ask: Ask) => {
        const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
        const path = `millcert/certificates/${millCertificationId}`
        const reason = { reason: 'The stamp is wrong.' }
        for (const earlier of before) await ask('POST', `${path}/${earlier}`, reason)
        return { path: `${path}/${step}`, body: step === 'release' ? { note: 'Checked.' } : reason }
      },
    ]),
  ),
  releaseCertificates: async (ask) => {
    const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
    return { path: 'millcert/certificates/release', body: { ids: [millCertificationId] } }
  },
  recordDelivery: async (ask) => ({ path: 'deliveries', body: await newDelivery(ask) }),
  correctDelivery: async (ask) => {
    const delivery = await newDelivery(ask)
    const { deliveryId } = await ask('POST', 'deliveries', delivery)
    return { path: `deliveries/${deliveryId}`, body: { ...delivery, date: '2026-03-03' } }
  },
  voidDelivery: async (ask) => {
    const { deliveryId } = await ask('POST', 'deliveries', await newDelivery(ask))
    return { path: `deliveries/${deliveryId}/void`, body: { reason: 'Recorded twice.' } }
  },
  registerOrder: async () => ({ path: 'orders', body: order }),
  correctOrder: async (ask) => {
    const { orderId } = await ask('POST', 'orders', order)
    return { path: `orders/${orderId}`, body: { customer: 'New', lineItems: order.lineItems } }
  },
  patchOrder: async (ask) => {
    const { orderId } = await ask('POST', 'orders', order)
    return { path: `orders/${orderId}`, body: { customer: 'New' } }
  },
  createProductionPlan: async (ask) => ({
    path: 'production-plans',
    body: { name: 'Plan', bars: [await newBar(ask)] },
  }),
  addBarsToProductionPlan: async (ask) => {
    const { planId } = await ask('POST', 'production-plans', { name: 'Plan' })
    return { path: `production-plans/${planId}/bars`, body: { bars: [await newBar(ask)] } }
  },
  approveProductionPlanBar: async (ask) => ({ path: `${(await plannedBar(ask)).path}/approve` }),
  approveProductionPlan: async (ask) => {
    const { planId } = await ask('GET', (await plannedBar(ask)).path)
    return { path: `production-plans/${planId}/approve` }
  },
  overrideFindings: async (ask) => {
    const { path } = await plannedBar(ask)
    const { cuts } = await ask('GET', path)
    const { tagId } = await ask('POST', 'order-tags', { ...tag('stop'), severity: 'Block' })
    await ask('PUT', `order-tag-assignments/${cuts[0].orderId}/manual/${tagId}`)
    const { findings } = await ask('GET', `${path}/verdict`)
    const { key } = findings.find(({ severity }: { severity: string }) => severity === 'Block')
    return { path: `${path}/override`, body: { reason: 'The designer agreed.', findings: [key] } }
  },
  setBarCertificate: async (ask) => {
    const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
    return { path: `${(await plannedBar(ask)).path}/certificate`, body: { millCertificationId } }
  },
  startProductionPlanBar: async (ask) => ({ path: `${(await plannedBar(ask, 'approve')).path}/start` }),
  completeProductionPlanBar: async (ask) => ({
    path: `${(await plannedBar(ask, 'approve', 'start')).path}/complete`,
  }),
  revertProductionPlanBar: async (ask) => ({
    path: `${(await plannedBar(ask, 'approve', 'start')).path}/revert`,
    body: { to: 'Approved', reason: 'The wrong bar.' },
  }),
  cancelProductionPlanBar: async (ask) => ({
    path: `${(await plannedBar(ask)).path}/cancel`,
    body: { reason: 'The order is cancelled.' },
  }),
  scrapCut: async (ask) => {
    const { path, cutId } = await plannedBar(ask, 'approve', 'start')
    return { path: `${path}/cuts/${cutId}/scrap`, body: { reason: 'Cut too short.' } }
  },
  dispatchPieces: async (ask) => {
    const { path, cutId } = await plannedBar(ask, 'approve', 'start', 'complete')
    const { cuts } = await ask('GET', path)
    return {
      path: `orders/${cuts[0].orderId}/dispatches`,
      body: {
        date: '2026-03-01',
        reference: 'DN 17',
        cutIds: [cutId],
        override: { reason: 'The designer agreed.' },
      },
    }
  },
  changeCutStatus: async (ask) => {
    const { path, cutId } = await plannedBar(ask)
    return { path: `${path}/cuts/${cutId}`, body: { status: 'Rejected' } }
  },
  storeDocument: async () => ({ path: 'documents', body: sheet }),
  deleteDocument: async (ask) => ({ path: `documents/${await storedSheet(ask)}` }),
  attachDocument: async (ask) => {
    const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
    return { path: `millcert/certificates/${millCertificationId}/documents/${await storedSheet(ask)}` }
  },
  detachDocument: async (ask) => {
    const { millCertificationId } = await ask('POST', 'millcert/certificates', certificate)
    const path = `millcert/certificates/${millCertificationId}/documents/${await storedSheet(ask)}`
    await ask('PUT', path)
    return { path }
  },
  addRulePack: async () => ({ path: 'rule-packs', body: ownDocument }),
  replaceRulePack: async (ask) => {
    await ask('POST', 'rule-packs', ownDocument)
    return { path: `rule-packs/${ownDocument.id}`, body: { ...ownDocument, name: 'Next' } }
  },
  deleteRulePack: async (ask) => {
    await ask('POST', 'rule-packs', ownDocument)
    return { path: `rule-packs/${ownDocument.id}` }
  },
  subscribeRulePack: async () => ({ path: `${rulePack}/subscribe` }),
  validateRulePack: async () => ({
    path: `${rulePack}/validation`,
    body: { by: 'Ada Ahlers', edition: 'EN 10025-2:2019', date: '2026-03-02', note: 'Compared.' },
  }),
  unsubscribeRulePack: async (ask) => {
    await ask('POST', `${rulePack}/subscribe`)
    return { path: `${rulePack}/unsubscribe` }
  },
  upgradeRulePack: async (ask) => {
    await ask('POST', 'rule-packs', ownDocument)
    await ask('POST', `rule-packs/${ownDocument.id}/subscribe`)
    await ask('PUT', `rule-packs/${ownDocument.id}`, { ...ownDocument, name: 'Next' })
    return { path: `rule-packs/${ownDocument.id}/upgrade` }
  },
  setReleasePolicy: async () => ({ path: 'release-policy', body: { fourEyes: true } }),
  saveFilterProfile: async () => ({ path: 'optimisation/filter-profiles', body: { name: 'Profile' } }),
  updateFilterProfile: async (ask) => {
    const { profileId } = await ask('POST', 'optimisation/filter-profiles', { name: 'Profile' })
    return { path: `optimisation/filter-profiles/${profileId}`, body: { name: 'Other' } }
  },
  patchFilterProfile: async (ask) => {
    const { profileId } = await ask('POST', 'optimisation/filter-profiles', { name: 'Profile' })
    const path = `optimisation/filter-profiles/${profileId}`
    return { path, body: { name: 'Other' } }
  },
  deleteFilterProfile: async (ask) => {
    const { profileId } = await ask('POST', 'optimisation/filter-profiles', { name: 'Profile' })
    return { path: `optimisation/filter-profiles/${profileId}` }
  },
}

/** Workflows of several appends: the kill may come after any of them, and the repeat completes the rest. */
const ofSeveralAppends = ['createProductionPlan', 'addBarsToProductionPlan', 'addRulePack']

/** Requests that begin a run record no event. `orderPacks` and `companyExports` in `test/http` repeat them. */
const ofRuns = ['issueOrderPack', 'exportCompany']

const commands = routes
  .filter(({ headers, operationId }) => 'idempotency-key' in headers.shape && !ofRuns.includes(operationId))
  .map(({ operationId, method }) => ({ operationId, method: method.toUpperCase() }))

interface Command {
  readonly method: string
  readonly key: string
  readonly send: (node: ClusterNode) => Promise<Answer>
}

/** The service before the kill, and the service after it. */
let restarted: ClusterNode
const underWay = new Map<string, Command>()

/** A company with an administrator for each command, so that no command waits for another's stream. */
async function prepare(steady: ClusterNode, operationId: string, method: string): Promise<Command> {
  const companyId = randomUUID()
  const userId = `user-of-${operationId}`
  const { execute } = createExecutor({
    store,
    persons: noNames,
    now,
    clock,
    newId: randomUUID,
    cacheBytes: 1_048_576,
  })
  const context = { actor: { id: 'spec', name: 'Spec', kind: 'service' }, correlationId: 'spec' } as const
  await execute(registerCompany(companyId, operationId), context)
  await execute(setMemberRoles({ companyId, userId, wanted: ['Admin'] }), context)
  const token = await cluster.identity.token({ oid: userId, name: operationId, roles: ['PlatformAdmin'] })
  const addressOf = (node: ClusterNode, path: string) =>
    node.url + (path.startsWith('/') ? path : `/api/company/${companyId}/${path}`)
  await until(async () => (await call('GET', addressOf(steady, 'orders'), { token })).status === 200)

  const ask: Ask = async (verb, path, body) => {
    const answer = await call(verb, addressOf(steady, path), { token, ...(body && { body }) })
    if (answer.status >= 400) throw new Error(`${verb} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { path, body } = await scenes[operationId]!(ask)
  const key = randomUUID()
  const headers = { 'idempotency-key': key }
  return {
    method,
    key,
    send: (node) => call(method, addressOf(node, path), { token, headers, ...(body && { body }) }),
  }
}

const counts = new Map<string, number>()
let countedTo = 0

/** Return how many events each key has recorded so far. Reads on from where the last call ended. */
async function eventsByKey(): Promise<ReadonlyMap<string, number>> {
  for await (const { metadata, position } of store.readAll(countedTo)) {
    const key = metadata?.idempotency?.key
    if (key) counts.set(key, (counts.get(key) ?? 0) + 1)
    countedTo = position
  }
  return counts
}

const bucket = await own(startBucket())
const eventStore = await own(startStore())
const database = await own(createDatabase())
const store = await own(connectEventStore(eventStore.url))
const proxy = await own(startAppendProxy(eventStore.url))
const cluster = await own(startCluster({ eventStoreUrl: eventStore.url, databaseUrl: database.url }))
beforeAll(async () => {
  const [steady, doomed] = await Promise.all([
    cluster.start(bucket.settings),
    cluster.start({ ...bucket.settings, EVENTSTORE_URL: proxy.url, PROCESS_ROLES: 'http' }),
  ])
  const known = commands.filter(({ operationId }) => scenes[operationId])
  await concurrently(8, known, async ({ operationId, method }) => {
    underWay.set(operationId, await prepare(steady, operationId, method))
  })

  proxy.holdAnswers()
  const unheard = [...underWay.values()].map(({ send }) => send(doomed).catch(() => 'no answer'))
  await until(async () => {
    const recorded = await eventsByKey()
    return [...underWay.values()].every(({ key }) => recorded.has(key))
  })
  await doomed.end('SIGKILL')
  expect(await Promise.all(unheard)).toEqual(unheard.map(() => 'no answer'))
  restarted = await cluster.start(bucket.settings)
})

describe('a command whose answer was lost', () => {
  it.each(commands)('$operationId is done once, and a repeat gets its answer', async ({ operationId }) => {
    const known = underWay.get(operationId)
    if (!known) throw new Error(`add a scene for ${operationId}`)
    const { key, send } = known
    const before = (await eventsByKey()).get(key)
    const repeat = await send(restarted)
    expect(repeat.status, JSON.stringify(repeat.body)).toBeLessThan(300)
    const after = (await eventsByKey()).get(key)
    if (!ofSeveralAppends.includes(operationId)) {
      expect(repeat.headers.get('idempotent-replayed')).toBe('true')
      expect(after).toBe(before)
    }
    const again = await send(restarted)
    expect(again.status).toBe(repeat.status)
    // The first repeat makes the secret of a webhook that the killed process did not, and is the only one to show it.
    expect(again.body).toEqual(repeat.body?.secret ? { ...repeat.body, secret: null } : repeat.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    for (const name of ['etag', 'location', 'commit-position'])
      expect(again.headers.get(name)).toBe(repeat.headers.get(name))
    expect((await eventsByKey()).get(key)).toBe(after)
  })
})
