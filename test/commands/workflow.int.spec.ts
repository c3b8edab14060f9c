import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createApiKey, type NewKey } from '../../src/commands/apiKeys.ts'
import type { Execute, Executor, Workflow, WorkflowTools } from '../../src/commands/command.ts'
import { registerCompany, removeMember, setMemberRoles } from '../../src/commands/companies.ts'
import { createPlan } from '../../src/commands/productionPlans.ts'
import { runWorkflow } from '../../src/commands/workflow.ts'
import { accountStream } from '../../src/domain/account.ts'
import { companyStream } from '../../src/domain/company.ts'
import { newApiKey } from '../../src/identity/apiKeyFormat.ts'
import { startNode, type TestNode } from '../support/node.ts'
import { startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import { context, eventsOf, keyed, refusalOf, type ServiceNode, type Stage, startStage } from './nodes.ts'

/** The store is lost between two steps of a workflow: a local node in any case, behind a proxy. */

let node: TestNode
let proxy: Awaited<ReturnType<typeof startProxy>>
let stage: Stage
let direct: ServiceNode
let through: ServiceNode
let companyId: string
let bob: string
beforeAll(async () => {
  node = await startNode()
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

const newKey: NewKey = () => newApiKey()
const create = () =>
  createApiKey(
    bob,
    { label: 'press', expiresInDays: null },
    async () => [{ companyId, roles: ['Editor'] }],
    newKey,
  )
const tools = (executor: Executor): WorkflowTools => ({ ...executor, newId: randomUUID })
const typesOf = async (stream: string) => (await eventsOf(direct.store, stream)).map(({ type }) => type)

/** The store is gone once the first step has recorded something: the next finds nobody there. */
const goneAfterFirst: Execute = async (command, of) => {
  const outcome = await through.execute(command, of)
  if (outcome.recorded.length > 0) {
    proxy.refuse()
    // The first may still be written to the connection that has just been cut: what became of it is unknown.
    const probe = () => refusalOf(through.execute(registerCompany(randomUUID(), 'Probe'), context))
    await until(async () => (await probe()) === 'unavailable store-unavailable')
  }
  return outcome
}
/** Says that the outcome is unknown; the same request completes it, wherever it is sent. */
const breaksOff = async <Answer>(make: () => Workflow<Answer>, key: string) => {
  const of = keyed(key)
  expect(await refusalOf(runWorkflow(make(), tools({ ...through, execute: goneAfterFirst }), of))).toBe(
    'unavailable outcome-unknown',
  )
  return () => runWorkflow(make(), tools(direct), of)
}

it('a removal of which only the company’s history says that keys are revoked', async () => {
  await runWorkflow(create(), tools(direct), context)
  const repeat = await breaksOff(() => removeMember(companyId, bob, { revokeKeys: true }), 'remove')
  expect((await typesOf(companyStream(companyId))).at(-1)).toBe('MemberKeysRevoked')
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated'])
  expect(await repeat()).toMatchObject({ recorded: ['MemberRemoved'] })
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated', 'ApiKeyDeleted'])
})

it('a key that is made, but not looked at again', async () => {
  const repeat = await breaksOff(create, 'create')
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated'])
  expect(await repeat()).toMatchObject({ replayed: true, body: { key: null } })
  expect(await typesOf(accountStream(bob))).toEqual(['ApiKeyCreated'])
})

it('a plan whose bars are opened', async () => {
  const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId: null, cuts: [] }
  const repeat = await breaksOff(() => createPlan(companyId, { name: 'Week 17', bars: [bar] }), 'plan')
  expect(await repeat()).toMatchObject({ recorded: ['ProductionPlanCreated', 'BarsPlanned'] })
})

it('one that has recorded nothing says so', async () => {
  const remove = removeMember(companyId, bob, { revokeKeys: true })
  const goneAfterCheck: Executor = {
    ...through,
    check: async (check, of) => {
      const outcome = await through.check(check, of)
      proxy.refuse()
      return outcome
    },
  }
  expect(await refusalOf(runWorkflow(remove, tools(goneAfterCheck), keyed('k')))).toBe(
    'unavailable store-unavailable',
  )
})
