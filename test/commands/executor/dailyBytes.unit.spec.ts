import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { BytesByAuthor } from '../../../src/admission/dailyBytes.ts'
import { rejectCertificate } from '../../../src/commands/certificates/certificateDecisions.ts'
import { createExecutor } from '../../../src/commands/executor/execute.ts'
import { runWorkflow } from '../../../src/commands/executor/workflow.ts'
import { registerOrder } from '../../../src/commands/orders/orders.ts'
import { Refusal } from '../../../src/domain/kernel/refusal.ts'
import { order as orderAggregate } from '../../../src/domain/orders/order.ts'
import { clock, now } from '../../../src/lib/clocks.ts'
import { bareOrder } from '../../domain/verdict/facts.ts'
import { noNames } from '../../support/noNames.ts'
import { context, openYard, under } from '../yard.ts'

const content = { ...bareOrder, lineItems: [] }
const policy = { id: 'ruleTagging', name: 'Rule packs', kind: 'service' } as const

/** A company with a certificate, which is at the bound. */
async function atBound() {
  const yard = await openYard()
  const recorded: [companyId: string, bytes: BytesByAuthor][] = []
  const options = {
    store: yard.store,
    persons: noNames,
    now,
    clock,
    newId: randomUUID,
    cacheBytes: 1_000_000,
  }
  const executor = createExecutor({
    ...options,
    dailyBytes: {
      async refuseAtBound(companyId, bound) {
        if (bound === 'none') return
        const members = { bytes: 2, limit: 1, retryAfterSeconds: 1 }
        throw new Refusal('company-too-large', `${companyId} is at the bound`, members)
      },
      add: (companyId, bytes) => void recorded.push([companyId, bytes]),
    },
  })
  const register = (orderNumber: string) => registerOrder(yard.companyId, orderNumber, content)
  return { ...yard, elsewhere: yard.executor(), executor, register, recorded }
}

it('refuses what a person records, also in a dry run, and no repeat', async () => {
  const { executor, elsewhere, register, companyId, recorded } = await atBound()
  const refused = `${companyId} is at the bound`
  await expect(executor.execute(register('SO-2'), context())).rejects.toThrow(refused)
  const dryRun = { stateOf: () => undefined, keep() {}, end() {} }
  await expect(executor.execute(register('SO-2'), context({ dryRun }))).rejects.toThrow(refused)
  expect(recorded).toEqual([])
  await elsewhere.execute(register('SO-2'), under('k'))
  expect(await executor.execute(register('SO-2'), under('k'))).toMatchObject({ replayed: true })
})

it('refuses no policy, and counts its bytes apart from those of persons', async () => {
  const { executor, register, companyId, recorded, store } = await atBound()
  await executor.execute(register('SO-2'), context({ actor: policy }))
  const { data, metadata } = (await store.last())!
  const stored = JSON.stringify(data).length + JSON.stringify(metadata).length
  expect(recorded).toEqual([[companyId, { persons: 0, others: expect.any(Number) }]])
  const [[, { others }]] = recorded as [[string, BytesByAuthor]]
  expect(others).toBeGreaterThanOrEqual(stored)
  expect(others).toBeLessThan(stored + 100)
})

it('refuses nothing that stops something', async () => {
  const { executor, companyId, millCertificationId } = await atBound()
  const reject = rejectCertificate({ companyId, millCertificationId }, 'The stamp is of another heat.')
  expect((await executor.execute(reject, context())).recorded).toEqual(['CertificateRejected'])
})

it('completes a request that has recorded something', async () => {
  const { executor, register } = await atBound()
  const tools = { ...executor, newId: randomUUID }
  const steps = (actor: typeof policy | undefined) => ({
    aggregate: orderAggregate,
    async run({ execute }: typeof tools) {
      await execute(register('SO-2'), context(actor && { actor }))
      return execute(register('SO-3'), context())
    },
  })
  await expect(runWorkflow(steps(undefined), tools, context())).rejects.toThrow('at the bound')
  expect((await runWorkflow(steps(policy), tools, context())).recorded).toEqual(['OrderRegistered'])
})
