import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { own } from '../../support/own.ts'
import { type Sent, startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** The bound of the event bytes of a company and a day, over the whole service. */

const limit = 1_048_576
const service = await own(startTestService({ DAILY_EVENTS_PER_COMPANY_MB: '1' }))
const sql = await own(new pg.Client({ connectionString: service.settings.DATABASE_URL! }))
beforeAll(async () => {
  await sql.connect()
})

const send = (client: 'planner' | 'quality', path: string, body: object, more: Sent = {}) =>
  service.send(client, 'POST', path, { body, ...more })

/** Register an order whose event has more than half of the bytes that a company may record. */
const registerLargeOrder = () => {
  const line = { lengthMm: 1_000, quantity: 1, description: 'ü'.repeat(500) }
  const lineItems = Array.from({ length: 500 }, (_, index) => ({ lineNumber: index + 1, ...line }))
  return send('planner', 'orders', { orderNumber: randomUUID(), lineItems })
}

const registerCertificate = (more?: Sent) => {
  const content = {
    certificateNumber: randomUUID(),
    heatNumber: 'H 1',
    grade: 'S355J2',
    inspectionDocument: '3.1',
  }
  return send('planner', 'millcert/certificates', content, more)
}

const rowsOfDay = async (assignment?: string) => {
  const { rows } = await sql.query(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_name LIKE '%daily_bytes%' AND table_schema LIKE 'heatmark%'`,
  )
  const [{ schema, name }] = rows
  const where = 'WHERE company_id = $1'
  const text = assignment
    ? `UPDATE "${schema}"."${name}" SET ${assignment} ${where} RETURNING persons`
    : `SELECT persons FROM "${schema}"."${name}" ${where}`
  return (await sql.query(text, [service.companyId])).rows
}

it('refuses what a company records beyond it, and nothing that stops something, until the next day', async () => {
  const { body: certificate } = await registerCertificate()
  const { body: tag } = await send('quality', 'millcert-tags', {
    name: 'Hold',
    color: '#f00',
    severity: 'Block',
  })
  const setRoles = (roles: string[]) => service.send('admin', 'PUT', 'members/planner', { body: { roles } })
  expect((await setRoles(['Planner', 'Editor'])).body).toMatchObject({ roles: ['Editor', 'Planner'] })
  for (let n = 0; n < 2; n++) expect((await registerLargeOrder()).status).toBe(201)

  const refused = await registerCertificate()
  expect(refused.status).toBe(429)
  expect(refused.body).toMatchObject({ code: 'company-too-large', limit })
  expect(refused.body.bytes).toBeGreaterThan(limit)
  const seconds = refused.body.retryAfterSeconds
  expect(refused.headers.get('retry-after')).toBe(String(seconds))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(86_400)
  const elsewhere = await service.send('outsider', 'POST', `/api/company/${service.otherCompanyId}/orders`, {
    body: { orderNumber: 'SO-1', lineItems: [{ lineNumber: 1, lengthMm: 1_000, quantity: 1 }] },
  })
  expect(elsewhere.status).toBe(201)

  // A node that has recorded nothing reads the bytes of the day.
  await until(async () => (await rowsOfDay()).some(({ persons }) => Number(persons) > limit))
  const another = await service.startAnother()
  expect((await registerCertificate({ at: another.url })).status).toBe(429)
  const byHand = `millcert-tag-assignments/${certificate.millCertificationId}/manual/${tag.tagId}`
  expect((await service.send('quality', 'PUT', byHand)).status).toBe(200)
  const off = await service.send('quality', 'DELETE', byHand)
  expect(off.body).toMatchObject({ code: 'company-too-large' })
  expect((await setRoles(['Planner', 'Editor', 'Quality'])).body).toMatchObject({ code: 'company-too-large' })
  expect((await setRoles(['Planner'])).body).toMatchObject({ roles: ['Planner'] })
  const path = `millcert/certificates/${certificate.millCertificationId}`
  expect((await send('quality', `${path}/reject`, { reason: 'Another heat.' })).status).toBe(200)
  expect((await send('quality', `${path}/reopen`, { reason: 'A mistake.' })).body).toMatchObject({
    code: 'company-too-large',
  })
  expect((await send('quality', `${path}/void`, { reason: 'Twice.' })).status).toBe(200)
  await another.stop()

  // As if it had been recorded on the day before.
  expect(await rowsOfDay(`day = day - interval '1 day'`)).toHaveLength(1)
  const later = await service.startAnother()
  expect((await registerCertificate({ at: later.url })).status).toBe(201)
  await later.stop()
})
