import { expect } from 'vitest'
import { ownDocument } from '../rulePacks/ownDocument.ts'
import type { Answer } from '../support/call.ts'
import { until } from '../support/until.ts'
import type { Ids } from './permissionTable.ts'

/** Give a company a record of every kind, by requests of its Admin. */
export async function furnishCompany(
  companyId: string,
  send: (method: string, path: string, body: unknown) => Promise<Answer>,
): Promise<Omit<Ids, 'userId' | 'keyId'>> {
  const C = `/api/company/${companyId}`
  const post = async (path: string, body: unknown) => {
    const answer = await send('POST', `${C}/${path}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }
  const tag = { name: `Hold ${companyId}`, color: '#abcdef' }
  const [{ tagId: millCertTagId }, { tagId: orderTagId }] = [
    await post('millcert-tags', tag),
    await post('order-tags', tag),
  ]
  const { millCertificationId } = await post('millcert/certificates', {
    certificateNumber: `C ${companyId}`.slice(0, 50),
    heatNumber: 'H',
    grade: 'S355J2',
    inspectionDocument: '3.1',
  })
  const { documentId } = await post('documents?fileName=heat.json', { heatNumber: 'H', companyId })
  const original = `${C}/millcert/certificates/${millCertificationId}/documents/${documentId}`
  expect((await send('PUT', original, undefined)).status).toBe(200)
  const { orderId, lineItems } = await post('orders', {
    orderNumber: `O ${companyId}`.slice(0, 50),
    lineItems: [{ lineNumber: 10, lengthMm: 2_000, quantity: 1 }],
  })
  const { lineItemId } = lineItems[0]
  const cuts = [{ orderId, lineItemId, lengthMm: 2_000, status: 'Proposed' }]
  const accepted = cuts.map((cut) => ({ ...cut, status: 'Accepted' }))
  const { planId, bars } = await post('production-plans', {
    name: 'Week 17',
    bars: [{ stockLengthMm: 6_000, grade: 'S355J2', millCertificationId, cuts }],
  })
  const { webhookId } = await post('webhooks', { url: 'https://example.com/', active: false })
  const { profileId } = await post('optimisation/filter-profiles', { name: `Profile ${companyId}` })
  for (const [subject, tagId] of [
    [`millcert-tag-assignments/${millCertificationId}`, millCertTagId],
    [`order-tag-assignments/${orderId}`, orderTagId],
  ])
    expect((await send('PUT', `${C}/${subject}/manual`, { tagIds: [tagId] })).status).toBe(200)
  const [{ barId, cuts: planned }] = bars
  const [sawn] = await post(`production-plans/${planId}/bars`, {
    bars: [{ stockLengthMm: 6_000, grade: 'S355J2', millCertificationId, cuts: accepted }],
  })
  for (const step of ['approve', 'start', 'complete'])
    expect((await send('POST', `${C}/production-plan-bars/${sawn.barId}/${step}`, undefined)).status).toBe(
      204,
    )
  const file = {
    RefSchemaUrl: 'https://schemas.s1seven.com/en10168-schemas/v0.4.1/schema.json',
    Certificate: { CommercialTransaction: { A03: 'C 2' }, Inspection: [{ C00: 'H 2' }] },
  }
  const imported = await send('POST', `${C}/imports?kind=certificates`, file)
  expect(imported.status, JSON.stringify(imported.body)).toBe(200)
  const { deliveryId } = await post('deliveries', {
    deliveryNote: 'LS 4711',
    date: '2026-03-01',
    items: [{ millCertificationId, pieces: 1_000, lengthMm: 12_000 }],
  })
  const { dispatchId } = await post(`orders/${orderId}/dispatches`, {
    date: '2026-03-01',
    reference: 'DN 17',
    cutIds: [sawn.cuts[0].cutId],
  })
  const ran = async (path: string) => {
    let { body: run } = await send('POST', `${C}/${path}`, undefined)
    await until(async () => {
      run = (await send('GET', `${C}/runs/${run.runId}`, undefined)).body
      return run.result !== null || run.error !== null
    })
    return run
  }
  const { runId, result } = await ran(`orders/${orderId}/packs`)
  const { packId } = result
  const { exportId } = (await ran('exports')).result
  const { rulePackId } = await post('rule-packs', { ...ownDocument, id: `house-${companyId}` })
  const invitation = { email: 'invited@example.org', roles: ['Viewer'] }
  const { body: invited } = await send('POST', `${C}/invitations`, invitation)
  const { invitationId } = invited
  const { body: events } = await send('GET', `${C}/audit?limit=1`, undefined)
  return {
    companyId,
    rulePackId,
    version: '1',
    eventId: events[0].eventId,
    tile: '0/000.p/1',
    millCertTagId,
    orderTagId,
    millCertificationId,
    documentId,
    orderId,
    lineItemId,
    planId,
    barId,
    cutId: planned[0].cutId,
    dispatchId,
    deliveryId,
    importId: imported.body.importId,
    invitationId,
    packId,
    exportId,
    runId,
    profileId,
    webhookId,
  }
}
