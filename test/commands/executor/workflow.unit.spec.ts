import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { createPlan } from '../../../src/commands/bars/plans.ts'
import { createApiKey } from '../../../src/commands/company/apiKeys.ts'
import { registerCompany, removeMember, setMemberRoles } from '../../../src/commands/company/companies.ts'
import type { Execute, Executor, Workflow, WorkflowTools } from '../../../src/commands/executor/command.ts'
import { runWorkflow } from '../../../src/commands/executor/workflow.ts'
import { accountStream } from '../../../src/domain/company/account.ts'
import { companyStream } from '../../../src/domain/company/company.ts'
import { forbidden } from '../../../src/domain/kernel/refusal.ts'
import { unavailable } from '../../../src/http/kit/problem.ts'
import { newApiKey } from '../../../src/identity/apiKeyFormat.ts'
import { type EventStore, StoreUnavailable } from '../../../src/stores/eventStore.ts'
import { context, createStage, eventsOf, keyed, refusalOf, type ServiceNode } from '../nodes.ts'

/** The store is lost between two steps of a workflow. */

const stage = createStage()
const direct = stage.node()
let isAway: boolean
let through: ServiceNode
let companyId: string
let bob: string
beforeEach(async () => {
  isAway = false
  through = stage.node({ through: mayBeAway })
  companyId = randomUUID()
  bob = `bob-${companyId}`
  await direct.execute(registerCompany(companyId, 'Yard'), context)
  await direct.execute(setMemberRoles({ companyId, userId: bob, wanted: ['Editor'] }), context)
})

/** No request reaches the store while it is away. */
function mayBeAway(store: EventStore): EventStore {
  const refuse = () => {
    if (isAway) throw new StoreUnavailable(new Error('connect ECONNREFUSED'))
  }
  return {
    ...store,
    async append(...append) {
      refuse()
      return store.append(...append)
    },
    async *readStream(...read) {
      refuse()
      yield* store.readStream(...read)
    },
  }
}

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

/** The store is away once the first step has recorded something, so the next step cannot reach it. */
const awayAfterFirst: Execute = async (command, of) => {
  const outcome = await through.execute(command, of)
  isAway = outcome.recorded.length > 0
  return outcome
}

/** Expect an unknown outcome, and that the same request on any node completes the workflow. */
async function breaksOff<Answer>(make: () => Workflow<Answer>, key: string) {
  const of = keyed(key)
  expect(await refusalOf(runWorkflow(make(), tools({ ...through, execute: awayAfterFirst }), of))).toBe(
    'outcome-unknown',
  )
  return () => runWorkflow(make(), tools(direct), of)
}

it('completes a removal that recorded revoked keys only in the company’s stream', async () => {
  await runWorkflow(create(), tools(direct), context)
  const repeat = await breaksOff(() => removeMember(companyId, bob), 'remove')
  expect((await typesOf(companyStream(companyId))).at(-1)).toBe('MemberKeysNarrowed')
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
  const remove = removeMember(companyId, bob)
  const awayAfterCheck: Executor = {
    ...through,
    check: async (check, of) => {
      const outcome = await through.check(check, of)
      isAway = true
      return outcome
    },
  }
  const run = () => runWorkflow(remove, tools(awayAfterCheck), keyed('k'))
  await expect(run()).rejects.toMatchObject({
    code: 'store-unavailable',
    // The log tells the operator.
    cause: { name: 'StoreUnavailable' },
  })
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
