import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createApiKey } from '../../src/commands/apiKeys.ts'
import type { Execute, Executor, Workflow, WorkflowTools } from '../../src/commands/command.ts'
import { registerCompany, removeMember, setMemberRoles } from '../../src/commands/companies.ts'
import { createPlan } from '../../src/commands/productionPlans.ts'
import { runWorkflow } from '../../src/commands/workflow.ts'
import { accountStream } from '../../src/domain/account.ts'
import { companyStream } from '../../src/domain/company.ts'
import { forbidden } from '../../src/domain/refusal.ts'
import { unavailable } from '../../src/http/kit/problem.ts'
import { newApiKey } from '../../src/identity/apiKeyFormat.ts'
import { startProxy } from '../support/proxy.ts'
import { startStore, type TestStore } from '../support/store.ts'
import { until } from '../support/until.ts'
import { context, eventsOf, keyed, refusalOf, type ServiceNode, type Stage, startStage } from './nodes.ts'

/** The store is lost between two steps of a workflow. It is always a local node, behind a proxy. */

let node: TestStore
let proxy: Awaited<ReturnType<typeof startProxy>>
let stage: Stage
let direct: ServiceNode
let through: ServiceNode
let companyId: string
let bob: string
beforeAll(async () => {
  node = await startStore()
  proxy = await startProxy(node.url)
  stage = await startStage(proxy.url)
  direct = stage.node({ url: node.url })
})

afterAll(async () => {
  await stage.stop()
  await proxy.close()
  await node.stop()
})

beforeEach(async () => {
  proxy.accept()
  through = stage.node()
  companyId = randomUUID()
  bob = `bob-${companyId}`
  await direct.execute(registerCompany(companyId, 'Yard'), context)
  await direct.execute(setMemberRoles(companyId, bob, ['Editor']), context)
})

function create() {
  return createApiKey(
    bob,
    { label: 'press', expiresInDays: null },
    async () => [{ companyId, roles: ['Editor'] }],
    () => newApiKey(),
  )
}

function plan() {
  const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId: null, cuts: [] }
  return createPlan(companyId, { name: 'Week 17', bars: [bar] })
}

function tools(executor: Executor): WorkflowTools {
  return { ...executor, newId: randomUUID }
}

async function typesOf(stream: string) {
  return (await eventsOf(direct.store, stream)).map(({ type }) => type)
}

/** The store is gone once the first step has recorded something, so the next step cannot reach it. */
const goneAfterFirst: Execute = async (command, of) => {
  const outcome = await through.execute(command, of)
  if (outcome.recorded.length > 0) {
    proxy.refuse()
    // The first append may still go into the connection that was just cut, so its outcome is unknown.
    const probe = () => refusalOf(through.execute(registerCompany(randomUUID(), 'Probe'), context))
    await until(async () => (await probe()) === 'store-unavailable')
  }
  return outcome
}

/** Expect an unknown outcome, and that the same request on any node completes the workflow. */
async function breaksOff<Answer>(make: () => Workflow<Answer>, key: string) {
  const of = keyed(key)
  expect(await refusalOf(runWorkflow(make(), tools({ ...through, execute: goneAfterFirst }), of))).toBe(
    'outcome-unknown',
  )
  return () => runWorkflow(make(), tools(direct), of)
}

it('completes a removal that recorded revoked keys only in the company’s stream', async () => {
  await runWorkflow(create(), tools(direct), context)
  const repeat = await breaksOff(() => removeMember(companyId, bob, { revokeKeys: true }), 'remove')
  expect((await typesOf(companyStream(companyId))).at(-1)).toBe('MemberKeysRevoked')
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated'])
  expect(await repeat()).toMatchObject({ recorded: ['MemberRemoved'] })
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
})

it('completes a key that was created but not checked', async () => {
  const repeat = await breaksOff(create, 'create')
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated'])
  expect(await repeat()).toMatchObject({ replayed: true, body: { key: null } })
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated'])
})

it('completes a plan whose bars are opened', async () => {
  const repeat = await breaksOff(plan, 'plan')
  expect(await repeat()).toMatchObject({ recorded: ['ProductionPlanCreated', 'BarsPlanned'] })
})

it('answers that nothing was recorded when no step has recorded anything', async () => {
  const remove = removeMember(companyId, bob, { revokeKeys: true })
  const goneAfterCheck: Executor = {
    ...through,
    check: async (check, of) => {
      const outcome = await through.check(check, of)
      proxy.refuse()
      return outcome
    },
  }
  expect(await refusalOf(runWorkflow(remove, tools(goneAfterCheck), keyed('k')))).toBe('store-unavailable')
})

it.each([
  ['is lost', () => forbidden(), 'forbidden'],
  [
    'cannot be checked',
    () => unavailable('identity-provider-unavailable', 'Try again later.'),
    'outcome-unknown',
  ],
])('says that a part was recorded when the access %s between two steps', async (_, error, code) => {
  let hasAccess = true
  const requireAccess = async () => {
    if (!hasAccess) throw error()
  }
  const losing: Execute = async (command, of) => {
    const outcome = await direct.execute(command, of)
    hasAccess = outcome.recorded.length === 0
    return outcome
  }
  const made = runWorkflow(plan(), tools({ ...direct, execute: losing }), { ...context, requireAccess })
  const said = { code, message: expect.stringMatching(/part of (it|this request) was recorded/i) }
  await expect(made).rejects.toMatchObject(said)
})
