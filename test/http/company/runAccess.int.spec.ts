import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { own } from '../../support/own.ts'
import { startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** A run waits and works after the answer to its request. Meanwhile its author may lose the access to the company. */

let orderId: string
const service = await own(startTestService())
const postgres = await own(connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 1 }))
beforeAll(async () => {
  const lineItems = [{ lineNumber: 1, lengthMm: 1_000, quantity: 1 }]
  const order = { orderNumber: 'SO-1', lineItems }
  orderId = (await service.send('planner', 'POST', 'orders', { body: order })).body.orderId
})

/** Make somebody a Planner, and return the credentials of a token and of an API key. */
async function newPlanner(name: string) {
  await service.send('admin', 'PUT', `members/${name}`, { body: { roles: ['Planner'] } })
  const token = { authorization: `Bearer ${await service.identity.token({ oid: name, name })}` }
  const made = await fetch(`${service.url}/api/me/keys`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json' },
    body: '{ "label": "packs" }',
  })
  const { key } = (await made.json()) as { key: string }
  return { token, key: { 'service-api-key': key } }
}

async function issue(credentials: Record<string, string>): Promise<string> {
  const answer = await fetch(`${service.url}/api/company/${service.companyId}/orders/${orderId}/packs`, {
    method: 'POST',
    headers: { ...credentials },
  })
  expect(answer.status).toBe(202)
  return ((await answer.json()) as { runId: string }).runId
}

async function ended(runId: string) {
  let run: { status: string; error: { code: string } | null } | undefined
  await until(async () => {
    run = (await service.send('viewer', 'GET', `runs/${runId}`)).body
    return run?.status === 'succeeded' || run?.status === 'failed'
  })
  return run!.error?.code ?? run!.status
}

/** Let the runner take a run again, as if it had waited until now. */
async function again(runId: string) {
  await postgres.query(
    `UPDATE heatmark_local.company_run SET status = 'waiting', attempt = 0, result = NULL, error = NULL
     WHERE run_id = $1`,
    [runId],
  )
  await service.send('planner', 'POST', `orders/${orderId}/packs`, {
    headers: { 'idempotency-key': randomUUID() },
  })
  return ended(runId)
}

it('a run of a member who was removed while it waited makes nothing', async () => {
  const { token } = await newPlanner('leaver')
  const runId = await issue(token)
  expect(await ended(runId)).toBe('succeeded')
  expect(await again(runId)).toBe('succeeded')
  await service.send('admin', 'DELETE', 'members/leaver')
  expect(await again(runId)).toBe('forbidden')
})

it('records the account that asked, and nothing else of what is kept about it', async () => {
  const { key } = await newPlanner('issuer')
  const runId = await issue(key)
  expect(await ended(runId)).toBe('succeeded')
  // A newer release may keep more.
  await postgres.query(
    `UPDATE heatmark_local.company_run SET started_by = started_by || '{ "later": true }' WHERE run_id = $1`,
    [runId],
  )
  await service.send('planner', 'PUT', `orders/${orderId}`, { body: { customerName: 'Other' } })
  expect(await again(runId)).toBe('succeeded')
  const authorization = `Bearer ${await service.identity.token({ oid: 'auditor', name: 'Auditor' })}`
  const exported = await fetch(`${service.url}/api/company/${service.companyId}/audit/export`, {
    headers: { authorization, accept: 'application/x-ndjson' },
  })
  const events = (await exported.text()).trim().split('\n')
  const authors = events
    .map((line): { type: string; metadata: { actor: { id: string } } } => JSON.parse(line))
    .filter(({ type, metadata }) => type === 'PackIssued' && metadata.actor.id === 'issuer')
    .map(({ metadata }) => Object.keys(metadata.actor).sort())
  const members = ['id', 'kind', 'name', 'nameHash']
  expect(authors).toEqual([members, members])
})

it('a run by an API key goes on as long as the key may do it', async () => {
  const { key } = await newPlanner('owner')
  const runId = await issue(key)
  expect(await ended(runId)).toBe('succeeded')
  await service.send('admin', 'DELETE', 'members/owner?keepKeys=true')
  expect(await again(runId)).toBe('succeeded')
  await service.send('admin', 'DELETE', 'members/owner')
  expect(await again(runId)).toBe('forbidden')
})
