import { expect, it } from 'vitest'
import { refuseReusedKey } from '../../../../src/http/kit/routing/idempotency.ts'
import type { Services } from '../../../../src/http/kit/services.ts'

it('refuses a key that another request has used within the last 24 hours', async () => {
  const known = { requestHash: 'another', recordedAt: '2026-03-01T12:00:00.000Z' }
  const use = { key: 'k', caller: 'alice', request: 'POST /somewhere', requestHash: 'this' }
  const refuseAt = (now: string, row: object | undefined = known) => {
    const reader = { read: async () => ({ value: row }) }
    return refuseReusedKey(use, { reader, now: () => new Date(now) } as unknown as Services)
  }
  await expect(refuseAt('2026-03-02T11:59:59.999Z')).rejects.toMatchObject({ code: 'idempotency-key-reused' })
  expect(await refuseAt('2026-03-02T12:00:00.000Z')).toBeUndefined()
  expect(await refuseAt('2026-03-01T12:00:00.000Z', { ...known, requestHash: 'this' })).toBeUndefined()
})
