import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { registerCertificate } from '../../src/commands/certificates/certificates.ts'
import { registerOrder } from '../../src/commands/orders/orders.ts'
import { addRulePack } from '../../src/commands/rulePacks/ownRulePacks.ts'
import { subscribeRulePack } from '../../src/commands/rulePacks/rulePacks.ts'
import { millCertificationIdOf, systemTagIdOf } from '../../src/domain/kernel/identifiers.ts'
import { assignedTags } from '../../src/domain/tags/assignments.ts'
import { clock } from '../../src/lib/clocks.ts'
import { listParked } from '../../src/policies/policyStatus.ts'
import { ruleTagging, ruleTaggingName } from '../../src/policies/ruleTagging.ts'
import { judgeByOwnRules } from '../../src/rulePacks/ownRules/judge.ts'
import { createOwnRules } from '../../src/rulePacks/ownRules/ownRules.ts'
import type { PackContent } from '../../src/rulePacks/rulePack.ts'
import { certificateContent, lineItem, orderContent } from '../domain/verdict/facts.ts'
import { ownDocument, slowDocument } from '../rulePacks/ownDocument.ts'
import { own } from '../support/own.ts'
import { until } from '../support/until.ts'
import { executorOf } from './connect.ts'
import { context, type Hosted, registerMany, setStage } from './stage.ts'
import { thickRelease } from './thick.ts'

/** The rule packs of companies, as the policy applies them with the thread that runs their expressions. */

const ownRules = createOwnRules(clock, { cpuMs: 1_000, wallMs: 30_000 })
const release = thickRelease(1, 40)
const stage = await own(setStage())
const execute = stage.node(release)
afterAll(() => ownRules.close())

/** A company that subscribes to its own pack, whose document no check has refused, and has certificates. */
async function companyWith(document: PackContent, first: string, thicknesses: readonly number[]) {
  const companyId = `${first.repeat(8)}${randomUUID().slice(8)}`
  const check = async () => ({ faults: [], checked: { document, hash: document.id, cost: 1 } })
  const executor = executorOf(stage.store, release)
  await addRulePack(companyId, document, check).run({ ...executor, newId: randomUUID }, context)
  await execute(subscribeRulePack(companyId, document.id), context)
  for (const [n, thicknessMm] of thicknesses.entries())
    await execute(registerCertificate(companyId, numbers(n), certificateContent({ thicknessMm })), context)
  return companyId
}

function numbers(n: number) {
  return { certificateNumber: `MC-${n}`, heatNumber: 'H 1' }
}

async function isTagged(companyId: string, n: number): Promise<boolean> {
  const { assignments } = await stage.certificate(
    companyId,
    millCertificationIdOf(companyId, `MC-${n}`, 'H 1'),
  )
  return assignedTags(assignments).has(systemTagIdOf(companyId, ownDocument.id, 'thick'))
}

/** @param judged called with the company of each subject, before the subject is judged */
function policy(judged: (companyId: string) => void = () => {}): Hosted {
  const judge = judgeByOwnRules(ownRules, stage.store)
  return stage.host(
    ruleTagging({
      eventStore: stage.store,
      postgres: stage.postgres,
      execute,
      noteEvent: () => {},
      newId: randomUUID,
      judgeByOwnRules: (turn) => async (companyId, catalogue, subject) => {
        judged(companyId)
        return judge(turn)(companyId, catalogue, subject)
      },
    }),
  )
}

/** Register an order of 500 lines without a grade. */
function registerLongOrder(companyId: string) {
  const lineItems = Array.from({ length: 500 }, (_, n) => {
    const { lineItemId: _id, ...line } = lineItem(n + 1)
    return { ...line, grade: null }
  })
  return execute(registerOrder(companyId, 'SO-1', orderContent({ lineItems })), context)
}

it('parks a company whose own rules take too long, and tags by the rules of another company meanwhile', async () => {
  // The company that cannot be evaluated comes first.
  const broken = await companyWith(slowDocument, '0', [])
  await registerLongOrder(broken)
  const well = await companyWith(ownDocument, 'f', [100, 70])
  const running = policy()
  await until(() => isTagged(well, 0))
  expect(await isTagged(well, 1)).toBe(false)
  const parked = () =>
    listParked(stage.postgres, { storeId: stage.storeId, policy: ruleTaggingName, most: 10 })
  await until(async () => (await parked()).length > 0)
  expect(await parked()).toMatchObject([
    { companyId: broken, reason: expect.stringContaining('took more than 1000 ms of CPU time') },
  ])
  expect(running.status()).toMatchObject({ leading: true, condition: undefined })

  const { certificateNumber, heatNumber } = numbers(2)
  await execute(
    registerCertificate(well, { certificateNumber, heatNumber }, certificateContent({ thicknessMm: 90 })),
    context,
  )
  await until(() => isTagged(well, 2))
  await running.stop()
})

it('tags a certificate of one company after two turns of another with many subjects at the latest', async () => {
  // A turn has at most 200 subjects. The large company comes first by id, and decides before the other registers.
  const [large, count] = [`00000000${randomUUID().slice(8)}`, 600]
  await registerMany(stage, large, count, () => 50)
  await execute(subscribeRulePack(large, 'house'), context)
  const small = await companyWith(ownDocument, 'f', [100])
  const order: string[] = []
  const running = policy((companyId) => order.push(companyId))
  await until(() => isTagged(small, 0))
  const before = order.slice(0, order.indexOf(small)).filter((one) => one === large).length
  expect(before).toBeLessThanOrEqual(400)
  await until(async () => (await stage.evaluation(large))?.finished)
  expect(order.filter((one) => one === large).length).toBeGreaterThanOrEqual(count)
  await running.stop()
})
