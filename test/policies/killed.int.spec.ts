import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { subscribeRulePack } from '../../src/commands/rulePacks.ts'
import { until } from '../support/until.ts'
import { context, recordedByRules, registerMany, type Stage, setStage } from './stage.ts'
import { thickRelease } from './thick.ts'

const [count, kills] = process.env.HEATMARK_TEST_LONG ? [20_000, 12] : [1_000, 3]
function thicknessOf(n: number) {
  return (n % 100) + 1
}

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})

afterAll(() => stage?.close())

function startPolicy(): ChildProcess {
  const { eventStoreUrl, databaseUrl, readModels, storeId } = stage
  const main = new URL('./policyProcess.ts', import.meta.url).pathname
  return spawn(process.execPath, [main, eventStoreUrl, databaseUrl, readModels.schema, storeId], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

it(`evaluates each of ${count} certificates once, however often it is killed`, {
  timeout: 600_000,
}, async () => {
  const companyId = randomUUID()
  const ids = await registerMany(stage, companyId, count, thicknessOf)
  await stage.node(thickRelease(1, 40))(subscribeRulePack(companyId, 'house'), context)
  const done = async () => (await stage.evaluation(companyId))?.done ?? 0

  for (let kill = 0; kill < kills; kill += 1) {
    const policy = startPolicy()
    const before = await done()
    const share = Math.floor((count - before) / (kills - kill + 1))
    await until(async () => (await done()) > before + randomInt(share), 120_000)
    policy.kill('SIGKILL')
    await once(policy, 'close')
    expect(await stage.evaluation(companyId)).toMatchObject({ total: count, finished: false })
  }
  const last = startPolicy()
  await until(async () => (await stage.evaluation(companyId))?.finished, 300_000)
  last.kill('SIGKILL')
  await once(last, 'close')

  const recorded = await recordedByRules(stage, companyId)
  for (const [n, id] of ids.entries())
    expect(recorded.get(id)?.length ?? 0, `${id} of ${thicknessOf(n)} mm`).toBe(thicknessOf(n) >= 40 ? 1 : 0)
})
