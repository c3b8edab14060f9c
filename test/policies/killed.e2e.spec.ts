import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { rejectCertificate } from '../../src/commands/certificates/certificateDecisions.ts'
import { subscribeRulePack } from '../../src/commands/rulePacks/rulePacks.ts'
import { approvalReviewName } from '../../src/policies/approvalReview.ts'
import { own } from '../support/own.ts'
import { sized } from '../support/size.ts'
import { until } from '../support/until.ts'
import { openShop } from './approvals.ts'
import { context, recordedByRules, registerMany, setStage } from './stage.ts'
import { thickRelease } from './thick.ts'

const [count, bars, kills] = sized([800, 100, 3], [4_000, 1_000, 8])
function thicknessOf(n: number) {
  return (n % 100) + 1
}

const stage = await own(setStage())

function startPolicies(): ChildProcess {
  const { eventStoreUrl, databaseUrl, readModels, storeId } = stage
  const main = new URL('./policyProcess.ts', import.meta.url).pathname
  return spawn(process.execPath, [main, eventStoreUrl, databaseUrl, readModels.schema, storeId], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

/** Count the bars of the company that have lost their approval, by the read models. */
async function withdrawn(companyId: string): Promise<number> {
  const [row] = await stage.postgres.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ${stage.readModels.tableName('bar', 1)}
     WHERE company_id = $1 AND withdrawal IS NOT NULL`,
    [companyId],
  )
  return row!.count
}

it(`skips no event, evaluates each of ${count} certificates and withdraws each of ${bars} approvals once, however often it is killed`, {
  timeout: 600_000,
}, async () => {
  const companyId = randomUUID()
  const ids = await registerMany(stage, companyId, count, thicknessOf)
  const shop = await openShop(stage.store)
  const certificate = await shop.certificate()
  const barIds = await shop.approvedBars(await shop.order(), certificate, bars)
  await beginAtHead(approvalReviewName)
  await stage.node(thickRelease(1, 40))(subscribeRulePack(companyId, 'house'), context)
  await shop.run(
    rejectCertificate({ companyId: shop.companyId, millCertificationId: certificate }, 'Cracked.'),
  )
  // Each of its certificates asks for a job of its own, while the policies are killed.
  const busy = randomUUID()
  const busyIds: string[] = []
  await stage.node(thickRelease(1, 40))(subscribeRulePack(busy, 'house'), context)
  const evaluated = async () => (await stage.evaluation(companyId))?.done ?? 0
  const reviewed = () => withdrawn(shop.companyId)

  for (let kill = 0; kill < kills; kill += 1) {
    const policies = startPolicies()
    const registering = registerMany(stage, busy, count / 4, thicknessOf)
    const [progress, all] = kill % 2 === 0 ? [reviewed, bars] : [evaluated, count]
    const before = await progress()
    const share = Math.floor((all - before) / (kills - kill + 1))
    await until(async () => (await progress()) >= before + randomInt(share + 1))
    policies.kill('SIGKILL')
    await once(policies, 'close')
    busyIds.push(...(await registering))
  }
  const last = startPolicies()
  await until(async () => (await stage.evaluation(companyId))?.finished, 300_000)
  await until(async () => (await reviewed()) === bars, 300_000)
  const thickOnes = busyIds.filter((_, n) => thicknessOf(n % (count / 4)) >= 40)
  await until(async () => (await recordedByRules(stage, busy)).size === thickOnes.length, 300_000)
  last.kill('SIGKILL')
  await once(last, 'close')

  const recorded = await recordedByRules(stage, companyId)
  for (const [n, id] of ids.entries())
    expect(recorded.get(id)?.length ?? 0, `${id} of ${thicknessOf(n)} mm`).toBe(thicknessOf(n) >= 40 ? 1 : 0)
  const recordedInBusy = await recordedByRules(stage, busy)
  for (const id of thickOnes) expect(recordedInBusy.get(id), id).toHaveLength(1)
  for (const barId of barIds)
    expect(await shop.eventsOf(barId)).toEqual(['BarOpened', 'BarApproved', 'BarApprovalWithdrawn'])
})

/** Give the policy its first checkpoint, as if it had run already. */
async function beginAtHead(policy: string): Promise<void> {
  const { position, id } = (await stage.store.last())!
  await stage.postgres.query('INSERT INTO heatmark_local.policy_cursor VALUES ($1, $2, $3, $4)', [
    stage.storeId,
    policy,
    position,
    id,
  ])
}
