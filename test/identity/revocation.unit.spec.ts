import { expect, it } from 'vitest'
import { Refusal } from '../../src/domain/kernel/refusal.ts'
import { untilInForce } from '../../src/identity/revocation.ts'
import { deafAfterMs } from '../../src/projections/engine/reading/readCache.ts'

/** The answer to a revocation waits until the access has ended everywhere. */

const waited: unknown[] = []
const heard = (reached: boolean) => ({
  positions: {
    waitFor: async (projections: readonly { name: string }[], ...rest: number[]) => {
      waited.push([projections.map(({ name }) => name), ...rest])
      return reached
    },
  },
})

it('waits for the read model in which every node looks keys up', async () => {
  expect(await untilInForce('keys', { position: 7 }, heard(true))).toBe(true)
  expect(waited).toEqual([[['access'], 7, 10_000]])
})

it('waits until no node has a membership in memory any more', async () => {
  const startedAt = performance.now()
  expect(await untilInForce('memberships', { position: 7 }, heard(true))).toBe(true)
  expect(performance.now() - startedAt).toBeGreaterThan(deafAfterMs)
})

it('refuses with 503 while the revocation is not in force', async () => {
  for (const revoked of ['keys', 'memberships'] as const) {
    const answer = untilInForce(revoked, { position: 7 }, heard(false))
    await expect(answer).rejects.toThrow(Refusal)
    await expect(answer).rejects.toMatchObject({ status: 503, code: 'revocation-pending' })
  }
})
