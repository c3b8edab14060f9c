import { describe, expect, it } from 'vitest'
import { createSharedSigning } from '../../../src/proofs/signing/sharedSigning.ts'
import type { SignedCheckpoint } from '../../../src/proofs/signing/signer.ts'

/** One signing at a time for each company, however many ask. */

const signedAt = (position: number): SignedCheckpoint => ({
  size: 1,
  root: Buffer.alloc(32),
  note: '',
  position,
})
const anything = () => true

function begin() {
  const begun: (PromiseWithResolvers<SignedCheckpoint> & { readonly companyId: string })[] = []
  const shared = createSharedSigning((companyId) => {
    const one = { ...Promise.withResolvers<SignedCheckpoint>(), companyId }
    begun.push(one)
    return one.promise
  })
  return { begun, shared }
}

/** Let everything that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('signing that callers share', () => {
  it('signs once for all callers of a company, and again for those who come later', async () => {
    const { begun, shared } = begin()
    const asked = Array.from({ length: 50 }, () => shared.sign('a', anything))
    await settle()
    expect(begun).toHaveLength(1)
    begun[0]!.resolve(signedAt(7))
    expect(await Promise.all(asked)).toEqual(asked.map(() => signedAt(7)))
    const later = shared.sign('a', anything)
    await settle()
    begun[1]!.resolve(signedAt(8))
    expect((await later).position).toBe(8)
  })

  it('signs once more for those whom the first checkpoint does not cover', async () => {
    const { begun, shared } = begin()
    const first = shared.sign('a', anything)
    const newer = [1, 2, 3].map(() => shared.sign('a', ({ position }) => position >= 9))
    await settle()
    begun[0]!.resolve(signedAt(8))
    expect((await first).position).toBe(8)
    await settle()
    expect(begun).toHaveLength(2)
    begun[1]!.resolve(signedAt(9))
    for (const one of newer) expect((await one).position).toBe(9)
  })

  it('tells every caller of an error, and tries again for the next', async () => {
    const { begun, shared } = begin()
    const asked = [shared.sign('a', anything), shared.sign('a', anything)]
    await settle()
    begun[0]!.reject(new Error('the store is down'))
    for (const one of await Promise.allSettled(asked)) expect(one).toMatchObject({ status: 'rejected' })
    void shared.sign('a', anything)
    await settle()
    expect(begun).toHaveLength(2)
  })

  it('signs a few companies at once, and lets the others wait', async () => {
    const { begun, shared } = begin()
    const asked = [...'abcdef'].map((companyId) => shared.sign(companyId, anything))
    await settle()
    expect(begun.map(({ companyId }) => companyId)).toEqual(['a', 'b', 'c', 'd'])
    begun[1]!.resolve(signedAt(1))
    await settle()
    expect(begun.map(({ companyId }) => companyId)).toEqual(['a', 'b', 'c', 'd', 'e'])
    // Let the others sign too: a call that is still waiting would be refused after this spec has ended.
    for (let next = 0; next < asked.length; next += 1) {
      begun[next]!.resolve(signedAt(1))
      await settle()
    }
    await Promise.all(asked)
  })
})
