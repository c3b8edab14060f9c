import { expect, it } from 'vitest'
import { untilInForce } from '../../../../src/http/kit/authentication/revocation.ts'
import { Problem } from '../../../../src/http/kit/problem.ts'
import type { Services } from '../../../../src/http/kit/services.ts'
import { deafAfterMs } from '../../../../src/projections/reading/readCache.ts'

/** What is waited for before a revocation is answered. */

const waited: unknown[] = []
const services = (reached: boolean) =>
  ({
    positions: {
      waitFor: async (projections: readonly { name: string }[], ...rest: number[]) => {
        waited.push([projections.map(({ name }) => name), ...rest])
        return reached
      },
    },
  }) as unknown as Services

it('of keys: the read model that every node looks them up in', async () => {
  expect(await untilInForce('keys', { position: 7 }, services(true))).toBe(true)
  expect(waited).toEqual([[['access'], 7, 10_000]])
})

it('of memberships: also that no node has one in memory any more', async () => {
  const startedAt = performance.now()
  expect(await untilInForce('memberships', { position: 7 }, services(true))).toBe(true)
  expect(performance.now() - startedAt).toBeGreaterThan(deafAfterMs)
})

it('is never answered before it is in force', async () => {
  for (const revoked of ['keys', 'memberships'] as const) {
    const answer = untilInForce(revoked, { position: 7 }, services(false))
    await expect(answer).rejects.toThrow(Problem)
    await expect(answer).rejects.toMatchObject({ status: 503, code: 'revocation-pending' })
  }
})
