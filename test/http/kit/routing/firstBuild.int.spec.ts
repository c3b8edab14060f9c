import { expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { createDatabase } from '../../../support/postgres.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** A database without read models, beside a store with a history: after a restore, or a release that folds otherwise. */

const empty = await own(createDatabase())
const service = await own(startTestService())

it('refuses reads until the first build of the read models is complete', async () => {
  const body = { name: 'Prime', color: '#0a0' }
  expect((await service.send('editor', 'POST', 'millcert-tags', { body })).status).toBe(201)
  const there = { DATABASE_URL: empty.url }
  const serving = await service.startAnother({ ...there, PROCESS_ROLES: 'http' })
  const at = serving.url

  const asked = await Promise.all([
    service.send('editor', 'GET', 'millcert-tags', { at }),
    service.send('editor', 'GET', '/api/me', { at }),
    service.send('editor', 'POST', 'millcert-tags', { at, body: { name: 'Other', color: '#0a0' } }),
    service.send('viewer', 'GET', 'orders', { at, headers: { 'Service-Api-Key': 'hmk_none' } }),
  ])
  for (const { status, body, headers } of asked) {
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'read-model-behind' })
    expect(body.detail).toMatch(/being built and are at position \d+ of \d+/)
    expect(headers.get('retry-after')).toBeTruthy()
  }
  const report = await service.send('operator', 'GET', '/api/ops/projections', { at })
  expect(report.body).toContainEqual(expect.objectContaining({ name: 'tags', position: 0 }))
  expect((await fetch(`${at}/openapi.json`)).status).toBe(200)

  const projecting = await service.startAnother({ ...there, PROCESS_ROLES: 'projector' })
  const tags = async () => service.send('editor', 'GET', 'millcert-tags', { at })
  await until(async () => (await tags()).status === 200)
  expect((await tags()).body).toMatchObject([body])
  await projecting.stop()

  // A node that lags after its first build serves its rows as they are.
  await service.send('editor', 'POST', 'millcert-tags', { body: { name: 'Later', color: '#0a0' } })
  const late = await service.startAnother({ ...there, PROCESS_ROLES: 'http' })
  const old = await service.send('editor', 'GET', 'millcert-tags', { at: late.url })
  expect(old).toMatchObject({ status: 200, body: [body] })
  await late.stop()
  await serving.stop()
})
