import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { codesOf } from '../../../src/http/kit/routing/problemCodes.ts'
import { routes } from '../../../src/http/routes.ts'
import { ownDocument } from '../../rulePacks/ownDocument.ts'
import { assignmentsOf } from '../../support/assignmentsOf.ts'
import { own } from '../../support/own.ts'
import { type Answer, type Sent, startTestService } from '../../support/testService.ts'

/** The settings of a company. The outsider is the Admin of another company, which requires If-Match. */

const service = await own(startTestService())
const other = `/api/company/${service.otherCompanyId}`

const send = (method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Answer> =>
  service.send('outsider', method, path.startsWith('/') ? path : `${other}/${path}`, { body, ...sent })
async function done(answer: Promise<Answer>, status: number) {
  const { status: got, body, headers } = await answer
  expect(got, JSON.stringify(body)).toBe(status)
  return { body, headers, etag: headers.get('etag')! }
}

describe('the settings', () => {
  const settings = (client: 'viewer' | 'admin' | 'planner', method: string, body?: unknown, sent?: Sent) =>
    service.send(client, method, 'settings', { body, ...sent })

  it('are read by every member, and changed by an Admin who knows their state', async () => {
    const before = await done(settings('viewer', 'GET'), 200)
    expect(before.body).toEqual({ requireIfMatch: false, longestKeyDays: null, cutterIdleMinutes: 30 })
    await done(settings('planner', 'PUT', { requireIfMatch: true }), 403)
    await done(settings('admin', 'PUT', {}), 200)
    const known = { headers: { 'if-match': before.etag } }
    const set = await done(
      settings('admin', 'PUT', { requireIfMatch: true, cutterIdleMinutes: 480 }, known),
      200,
    )
    const after = await done(settings('viewer', 'GET'), 200)
    expect(after).toMatchObject({ body: { requireIfMatch: true, cutterIdleMinutes: 480 }, etag: set.etag })
    await done(settings('admin', 'PUT', { requireIfMatch: false }, known), 412)
    await done(
      settings('admin', 'PUT', { requireIfMatch: false }, { headers: { 'if-match': after.etag } }),
      200,
    )
  })
})

describe('with requireIfMatch', () => {
  /** Requests that change or delete an existing record, by operation, in an order in which all of them succeed. */
  const changes = new Map<string, readonly [method: string, path: string, body?: unknown]>()

  beforeAll(async () => {
    const create = async (path: string, body: unknown) => (await done(send('POST', path, body), 201)).body
    const tags = async (family: string, called: string, subjectId: string) => {
      const { tagId } = await create(family, { name: 'Hold', color: '#123' })
      const manual = `${assignmentsOf(family)}/${subjectId}/manual`
      await done(send('PUT', manual, { tagIds: [tagId] }), 200)
      changes.set(`setManual${called}Tags`, ['PUT', manual, { tagIds: [tagId] }])
      changes.set(`assignManual${called}Tag`, ['PUT', `${manual}/${tagId}`])
      changes.set(`unassignManual${called}Tag`, ['DELETE', `${manual}/${tagId}`])
      changes.set(`update${called}Tag`, ['PUT', `${family}/${tagId}`, { name: 'Stop', color: '#123' }])
      changes.set(`patch${called}Tag`, ['PATCH', `${family}/${tagId}`, { color: '#456' }])
      changes.set(`delete${called}Tag`, ['DELETE', `${family}/${tagId}`])
      changes.set(`restore${called}Tag`, ['POST', `${family}/${tagId}/restore`])
    }
    const { millCertificationId } = await create('millcert/certificates', {
      certificateNumber: 'C',
      heatNumber: 'H',
      grade: 'S355J2',
      inspectionDocument: '3.1',
    })
    const note = { deliveryNote: 'LS 1', date: '2026-03-02', items: [{ millCertificationId, pieces: 1 }] }
    const { deliveryId } = await create('deliveries', note)
    const delivery = `deliveries/${deliveryId}`
    changes.set('correctDelivery', [
      'PUT',
      delivery,
      { ...note, items: [{ millCertificationId, pieces: 2 }] },
    ])
    changes.set('voidDelivery', ['POST', `${delivery}/void`, { reason: 'For the spec.' }])
    const line = { lineNumber: 10, lengthMm: 100, quantity: 1 }
    const { orderId, lineItems } = await create('orders', { orderNumber: 'O', lineItems: [line] })
    await tags('millcert-tags', 'MillCert', millCertificationId)
    await tags('order-tags', 'Order', orderId)
    const certificate = `millcert/certificates/${millCertificationId}`
    changes.set('correctCertificate', ['PUT', certificate, { grade: 'S235JR' }])
    changes.set('patchCertificate', ['PATCH', certificate, { grade: 'S355J2' }])
    changes.set('correctOrder', ['PUT', `orders/${orderId}`, { customer: 'Bridge', lineItems: [line] }])
    changes.set('patchOrder', ['PATCH', `orders/${orderId}`, { customer: 'Beam' }])

    const cut = { orderId, lineItemId: lineItems[0].lineItemId, lengthMm: 100, status: 'Proposed' }
    const bar = { stockLengthMm: 6_000, grade: 'S355J2', cuts: [cut] }
    const { planId, bars } = await create('production-plans', { name: 'Week 17', bars: [bar] })
    changes.set('addBarsToProductionPlan', ['POST', `production-plans/${planId}/bars`, { bars: [bar] }])
    const cutPath = `production-plan-bars/${bars[0].barId}/cuts/${bars[0].cuts[0].cutId}`
    changes.set('changeCutStatus', ['PUT', cutPath, { status: 'Accepted' }])
    const ofBar = `production-plan-bars/${bars[0].barId}/certificate`
    changes.set('setBarCertificate', ['PUT', ofBar, { millCertificationId }])
    const reason = 'For the spec.'
    for (const [step, body] of [
      ['approve'],
      ['start'],
      ['complete'],
      ['revert', { to: 'Draft', reason }],
      ['cancel', { reason }],
    ] as const)
      changes.set(`${step}ProductionPlanBar`, ['POST', `production-plan-bars/${bars[0].barId}/${step}`, body])
    await cutBars(orderId, lineItems[0].lineItemId)
    for (const [step, body] of [
      ['release'],
      ['reject', { reason }],
      ['reopen', { reason }],
      ['void', { reason }],
      ['reinstate', { reason }],
    ] as const)
      changes.set(`${step}Certificate`, ['POST', `${certificate}/${step}`, body])
    await create('rule-packs', ownDocument)
    const pack = `rule-packs/${ownDocument.id}`
    changes.set('subscribeRulePack', ['POST', `${pack}/subscribe`])
    changes.set('replaceRulePack', ['PUT', pack, { ...ownDocument, name: 'More' }])
    const validation = { by: 'Ada Ahlers', edition: 'EN 10025-2:2019', date: '2026-03-02', note: 'Compared.' }
    changes.set('validateRulePack', ['PUT', `${pack}/validation`, validation])
    changes.set('upgradeRulePack', ['POST', `${pack}/upgrade`])
    changes.set('unsubscribeRulePack', ['POST', `${pack}/unsubscribe`])
    changes.set('deleteRulePack', ['DELETE', pack])

    const { profileId } = await create('optimisation/filter-profiles', { name: 'Offcuts' })
    const profile = `optimisation/filter-profiles/${profileId}`
    changes.set('updateFilterProfile', ['PUT', profile, { name: 'Long' }])
    changes.set('patchFilterProfile', ['PATCH', profile, { name: 'Short' }])
    changes.set('deleteFilterProfile', ['DELETE', profile])

    const { webhookId } = await create('webhooks', { url: 'https://example.com/', types: [] })
    const webhook = `webhooks/${webhookId}`
    changes.set('changeWebhook', ['PUT', webhook, { url: 'https://example.com/a', types: [] }])
    changes.set('rollWebhookSecret', ['POST', `${webhook}/roll-secret`])
    changes.set('resumeWebhook', ['POST', `${webhook}/resume`])
    changes.set('deleteWebhook', ['DELETE', webhook])

    await done(send('PUT', 'members/bob', { roles: ['Viewer'] }), 200)
    changes.set('setMemberRoles', ['PUT', 'members/bob', { roles: ['Editor'] }])
    changes.set('removeMember', ['DELETE', 'members/bob'])
    const { keyId } = await create('/api/me/keys', { label: 'Saw' })
    changes.set('revokeCompanyApiKey', ['DELETE', `api-keys/${keyId}`])
    changes.set('setReleasePolicy', ['PUT', 'release-policy', { fourEyes: true }])
    changes.set('setCompanySettings', ['PUT', 'settings', { requireIfMatch: true }])

    await done(send('PUT', 'settings', { requireIfMatch: true }), 200)
  })

  /** Cut a piece to scrap, one to send away, and plan a bar with a Block to override. */
  async function cutBars(orderId: string, lineItemId: string) {
    const create = async (path: string, body: unknown) => (await done(send('POST', path, body), 201)).body
    const cut = { orderId, lineItemId, lengthMm: 100, status: 'Accepted' }
    const { millCertificationId } = await create('millcert/certificates', {
      certificateNumber: 'C 2',
      heatNumber: 'H 2',
      grade: 'S355J2',
      inspectionDocument: '3.1',
    })
    const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId }
    const { bars } = await create('production-plans', {
      name: 'Week 18',
      bars: [
        { ...bar, cuts: [cut, cut] },
        { ...bar, grade: 'S460N', cuts: [cut] },
      ],
    })
    const [whole, blocked] = bars.map(({ barId }: { barId: string }) => `production-plan-bars/${barId}`)
    for (const step of ['approve', 'start', 'complete']) await done(send('POST', `${whole}/${step}`), 204)
    const [first, second] = bars[0].cuts
    const reason = 'For the spec.'
    changes.set('scrapCut', ['POST', `${whole}/cuts/${first.cutId}/scrap`, { reason }])
    const { body } = await send('GET', `${blocked}/verdict`)
    const findings = body.findings
      .filter(({ severity }: { severity: string }) => severity === 'Block')
      .map(({ key }: { key: string }) => key)
    changes.set('overrideFindings', ['POST', `${blocked}/override`, { reason, findings }])
    changes.set('dispatchPieces', [
      'POST',
      `orders/${orderId}/dispatches`,
      { date: '2026-03-31', reference: 'DN 1', cutIds: [second.cutId] },
    ])
  }

  const demanding = routes
    .filter(({ path, headers }) => path.startsWith('/api/company/') && 'if-match' in headers.shape)
    .map((route) => ({ operationId: route.operationId, codes: codesOf(route) }))

  it.each(demanding)('$operationId documents that it may need If-Match', ({ codes }) => {
    expect(codes).toContain('precondition-required')
  })

  it('refuses each change of a record without If-Match', async () => {
    // The routes of documents are tried where their store is.
    expect([...changes.keys(), 'attachDocument', 'detachDocument', 'deleteDocument'].sort()).toEqual(
      demanding.map(({ operationId }) => operationId).sort(),
    )
    for (const [operationId, [method, path, body]] of changes) {
      const refused = await done(send(method, path, body), 428)
      expect(refused.body.code, operationId).toBe('precondition-required')
      await done(send(method, path, body, { headers: { 'if-match': '"999"' } }), 412)
      const answer = await send(method, path, body, { headers: { 'if-match': '*' } })
      expect(answer.status, `${operationId}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    }
  })

  it('a record that is not there needs no If-Match', async () => {
    await done(send('PUT', `members/${randomUUID()}`, { roles: ['Viewer'] }), 200)
    await done(send('PATCH', `orders/${randomUUID()}`, {}), 404)
  })

  it('a repeat under its Idempotency-Key gets the first answer', async () => {
    const { tagId, name } = (await done(send('POST', 'order-tags', { name: 'Twice', color: '#123' }), 201))
      .body
    const headers = { 'if-match': '*', 'idempotency-key': randomUUID() }
    const path = `order-tags/${tagId}`
    await done(send('PATCH', path, { name, color: '#456' }, { headers }), 200)
    const { 'if-match': _, ...without } = headers
    const again = await done(send('PATCH', path, { name, color: '#456' }, { headers: without }), 200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('ends when the setting is taken back', async () => {
    await done(send('PUT', 'settings', { requireIfMatch: false }, { headers: { 'if-match': '*' } }), 200)
    await done(send('PUT', 'settings', {}), 200)
  })
})
