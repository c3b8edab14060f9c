import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { own } from '../../../support/own.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/** Requests whose body is held back until the access that they began with has ended. */

const service = await own(startTestService())

const credentialsOf = async (name: string) => ({
  authorization: `Bearer ${await service.identity.token({ oid: name, name })}`,
})

/** Make somebody a member, create an API key as that member, and return how to send either. */
const newMember = async (name: string, role: string) => {
  await service.send('admin', 'PUT', `members/${name}`, { body: { roles: [role] } })
  const token = await credentialsOf(name)
  const made = await fetch(`${service.url}/api/me/keys`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json' },
    body: '{ "label": "press" }',
  })
  const { key } = (await made.json()) as { key: string }
  return { token, key: { 'service-api-key': key } }
}

const remove = async (name: string) =>
  expect((await service.send('admin', 'DELETE', `members/${name}`)).status).toBe(204)

/** Send the beginning of a request; the rest is sent when `end` is called. */
const begin = (
  method: string,
  path: string,
  credentials: Record<string, string>,
  start: string,
  type = 'application/json',
) => {
  const headers = { ...credentials, 'content-type': type, 'transfer-encoding': 'chunked' }
  const sent = request(`${service.url}/api/company/${service.companyId}/${path}`, { method, headers })
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.once('end', () => resolve({ status: response.statusCode!, text }))
    })
  })
  sent.write(start)
  return (rest: string) => {
    sent.end(rest)
    return answered
  }
}
/** Until the service has checked who sends a request that has begun. */
const looked = () => pause(300)

const order = (orderNumber: string) =>
  `${JSON.stringify({ orderNumber, lineItems: [{ lineNumber: 1, lengthMm: 1, quantity: 1 }] })}\n`

describe('a body that comes after its sender has lost access', () => {
  it('does not bring a removed Admin back', async () => {
    const { token } = await newMember('fired', 'Admin')
    const end = begin('PUT', 'members/fired', token, '{ "roles":')
    await looked()
    await remove('fired')
    expect((await end('["Admin"] }')).status).toBe(403)
    const members = await service.send('admin', 'GET', 'members')
    expect(members.body.map(({ userId }: { userId: string }) => userId)).not.toContain('fired')
  })

  it('records nothing by a deleted API key', async () => {
    const { key } = await newMember('leaver', 'Editor')
    const end = begin('POST', 'millcert-tags', key, '{ "name": "Late",')
    await looked()
    await remove('leaver')
    expect((await end('"color": "#c00" }')).status).toBe(401)
    expect((await service.send('viewer', 'GET', 'millcert-tags')).body).toEqual([])
  })

  it('records no more lines of a bulk request', async () => {
    const { key, token } = await newMember('loader', 'Planner')
    const bulk = [key, token].map((credentials, n) =>
      begin('POST', 'orders/bulk', credentials, order(`Early ${n}`), 'application/x-ndjson'),
    )
    const orderNumbers = async () =>
      (await service.send('viewer', 'GET', 'orders')).body.map(
        (one: { orderNumber: string }) => one.orderNumber,
      )
    await until(async () => (await orderNumbers()).length === 2)
    await remove('loader')
    const answers = await Promise.all(bulk.map((end, n) => end(order(`Late ${n}`))))
    const statuses = answers.map(({ text }) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).status),
    )
    expect(statuses).toEqual([
      [201, 401],
      [201, 403],
    ])
    expect((await orderNumbers()).sort()).toEqual(['Early 0', 'Early 1'])
  })
})
