import { createHmac, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { readWebhook } from '../../packages/client/src/index.ts'

/** A webhook is read only if it is new and signed with the secret (Standard Webhooks). */

const secretOf = () => `whsec_${randomBytes(24).toString('base64')}`
const secret = secretOf()
const nowMs = 1_800_000_000_000
const changes = [{ id: 'e', type: 'heatmark.bar.started.v1', subject: 'bar/b' }]

function sent({ by = secret, atMs = nowMs, text = JSON.stringify(changes) } = {}) {
  const timestamp = String(atMs / 1_000)
  const key = Buffer.from(by.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v2,abc v1,!! v1,${signature}`,
  }
  return { headers, body: text }
}
const read = (webhook: ReturnType<typeof sent>, secrets: string | string[] = secret) =>
  readWebhook(webhook, secrets, { now: () => nowMs })
const untrusted = { code: 'not-authentic' }

it('reads the changes of a signed webhook, also while the secret is rolled', async () => {
  expect(await read(sent())).toEqual(changes)
  expect(await read(sent(), [secretOf(), secret])).toEqual(changes)
  expect(
    await readWebhook({ ...sent(), headers: new Headers(sent().headers) }, secret, { now: () => nowMs }),
  ).toEqual(changes)
})

it('refuses another secret, another body and another time', async () => {
  await expect(read(sent({ by: secretOf() }))).rejects.toMatchObject(untrusted)
  await expect(read({ ...sent(), body: '[]' })).rejects.toMatchObject(untrusted)
  for (const atMs of [nowMs - 301_000, nowMs + 301_000, Number.NaN])
    await expect(read(sent({ atMs })), String(atMs)).rejects.toMatchObject(untrusted)
  const { headers, body } = sent()
  const otherVersion = headers['webhook-signature'].replace(/v1,(?=[^ ]+$)/, 'v2,')
  const webhook = { headers: { ...headers, 'webhook-signature': otherVersion }, body }
  await expect(read(webhook)).rejects.toMatchObject(untrusted)
  await expect(read({ body: '[]', headers: {} as never })).rejects.toMatchObject(untrusted)
})
