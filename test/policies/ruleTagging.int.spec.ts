import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { correctCertificate, registerCertificate } from '../../src/commands/certificates/certificates.ts'
import type { Execute } from '../../src/commands/executor/command.ts'
import { registerOrder } from '../../src/commands/orders/orders.ts'
import {
  catalogueOnce,
  evaluateByRules,
  subscribeRulePack,
  unsubscribeRulePack,
  upgradeRulePack,
} from '../../src/commands/rulePacks/rulePacks.ts'
import { createTag } from '../../src/commands/tags/tags.ts'
import { replaceMembers } from '../../src/domain/kernel/edit.ts'
import { millCertificationIdOf, systemTagIdOf } from '../../src/domain/kernel/identifiers.ts'
import type { Refusal } from '../../src/domain/kernel/refusal.ts'
import { assignedTags } from '../../src/domain/tags/assignments.ts'
import { tagCatalogue } from '../../src/domain/tags/tagCatalogue.ts'
import { listParked, readPolicyStatuses } from '../../src/policies/policyStatus.ts'
import { ruleTaggingName } from '../../src/policies/ruleTagging.ts'
import { certificateContent, orderContent, tagContent } from '../domain/verdict/facts.ts'
import { alice } from '../support/given.ts'
import { until } from '../support/until.ts'
import { context, recordedByRules, registerMany, type Stage, setStage } from './stage.ts'
import { thickRelease } from './thick.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})

afterAll(() => stage?.close())

const [release1, release2] = [thickRelease(1, 40), thickRelease(2, 20)]

function numbers(n: number) {
  return { certificateNumber: `MC-${n}`, heatNumber: 'H 1' }
}

function idOf(companyId: string, n: number) {
  return millCertificationIdOf(companyId, `MC-${n}`, 'H 1')
}

function register(execute: Execute, companyId: string, n: number, thicknessMm: number | null) {
  return execute(registerCertificate(companyId, numbers(n), certificateContent({ thicknessMm })), context)
}

function subscribe(execute: Execute, companyId: string) {
  return execute(subscribeRulePack(companyId, 'house'), context)
}

function finished(companyId: string) {
  return until(async () => (await stage.evaluation(companyId))?.finished)
}

function thickOf(companyId: string) {
  return systemTagIdOf(companyId, 'house', 'thick')
}

/** Whether the certificate has the tag, by its own stream. */
async function isTagged(companyId: string, n: number) {
  return assignedTags((await stage.certificate(companyId, idOf(companyId, n))).assignments).has(
    thickOf(companyId),
  )
}

describe('a decision on a rule pack', () => {
  it('evaluates every existing subject, and reports its progress', async () => {
    const companyId = randomUUID()
    const execute = stage.node(release1)
    for (let n = 0; n < 30; n += 1) await register(execute, companyId, n, n % 3 === 0 ? null : n * 2)
    await execute(registerOrder(companyId, 'SO-1', orderContent()), context)
    const policy = stage.policy(release1)
    await subscribe(execute, companyId)
    await finished(companyId)
    expect(await stage.evaluation(companyId)).toEqual({ done: 31, total: 31, finished: true })
    for (let n = 0; n < 30; n += 1) expect(await isTagged(companyId, n)).toBe(n % 3 !== 0 && n * 2 >= 40)
    const { assignments } = await stage.certificate(companyId, idOf(companyId, 0))
    expect(assignments.byRules.house!.notEvaluated).toMatchObject([{ reason: 'no thickness' }])

    await execute(unsubscribeRulePack(companyId, 'house'), context)
    // Subjects are evaluated concurrently, so the last may be done before others.
    const tagged = () => Promise.all(Array.from({ length: 30 }, (_, n) => isTagged(companyId, n)))
    await until(async () => !(await tagged()).includes(true))
    await policy.stop()
  })
})

it('drops the job of a decision that a later one on the same pack replaces', async () => {
  const companyId = randomUUID()
  const execute = stage.node(release1)
  await subscribe(execute, companyId)
  const policy = stage.policy(release1)
  await finished(companyId)
  await policy.stop()
  const evaluated = () =>
    stage.postgres.query('SELECT event_id FROM heatmark_local.rule_evaluation WHERE company_id = $1', [
      companyId,
    ])
  const before = await evaluated()
  // A job of another decision than the last one.
  await stage.postgres.query(
    `INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
     VALUES ($1, $2, $3, 'pack/house', 1, gen_random_uuid(), 1)`,
    [stage.storeId, ruleTaggingName, companyId],
  )
  const again = stage.policy(release1)
  const jobs = async () =>
    (await readPolicyStatuses(stage.postgres, stage.storeId, [ruleTaggingName]))[0]!.jobs
  await until(async () => (await jobs()) === 0)
  expect(await evaluated()).toEqual(before)
  await again.stop()
})

describe('companies', () => {
  it('are served in turn: a small one is evaluated while a large one is under way', async () => {
    // The large company comes first by id and by decision.
    const large = `00000000${randomUUID().slice(8)}`
    const small = `ffffffff${randomUUID().slice(8)}`
    const execute = stage.node(release1)
    await registerMany(stage, large, 600, () => 50)
    await register(execute, small, 1, 50)
    await subscribe(execute, large)
    await subscribe(execute, small)
    const policy = stage.policy(release1)
    await finished(small)
    expect(await stage.evaluation(large)).toMatchObject({ total: 600, finished: false })
    expect(await isTagged(small, 1)).toBe(true)
    await finished(large)
    expect((await recordedByRules(stage, large)).size).toBe(600)
    await policy.stop()
  })

  it('are parked alone when they cannot be served: the others are evaluated', async () => {
    const broken = `00000000${randomUUID().slice(8)}`
    const well = `ffffffff${randomUUID().slice(8)}`
    const execute = stage.node(release1)
    for (const companyId of [broken, well]) {
      await register(execute, companyId, 1, 50)
      await subscribe(execute, companyId)
    }
    const revision = (await Array.fromAsync(stage.store.readStream(tagCatalogue.streamName(broken), 0)))
      .length
    const unknown = { id: randomUUID(), type: 'TagEmbroidered', data: { companyId: broken } }
    const metadata = {
      actor: alice,
      occurredAt: new Date().toISOString(),
      correlationId: 'c',
      schemaVersion: 1,
    }
    await stage.store.append(tagCatalogue.streamName(broken), revision - 1, [{ ...unknown, metadata }])

    const policy = stage.policy(release1, { giveUpMs: 50 })
    await finished(well)
    expect(await isTagged(well, 1)).toBe(true)
    expect(await stage.evaluation(broken)).toBeUndefined()
    const parked = await listParked(stage.postgres, {
      storeId: stage.storeId,
      policy: ruleTaggingName,
      most: 10,
    })
    expect(parked).toMatchObject([
      { companyId: broken, reason: expect.stringMatching(/^newer-release-running: .*TagEmbroidered/) },
    ])
    await policy.stop()
  })
})

describe('registering', () => {
  it('evaluates at once by the packs in force, and so does correcting', async () => {
    const companyId = randomUUID()
    const execute = stage.node(release1)
    await subscribe(execute, companyId)
    const { recorded, body } = await register(execute, companyId, 1, 50)
    expect(recorded).toEqual(['MillCertificateRegistered', 'RuleAssignmentsReplaced'])
    expect(body).toMatchObject({ blocked: true, tags: [{ name: 'Tag thick', severity: 'Block' }] })
    const corrected = await execute(
      correctCertificate(
        companyId,
        idOf(companyId, 1),
        {},
        replaceMembers(certificateContent({ thicknessMm: 30 })),
      ),
      context,
    )
    expect(corrected.recorded).toEqual(['MillCertificateCorrected', 'RuleAssignmentsReplaced'])
    expect(corrected.body).toMatchObject({ blocked: false, tags: [] })
  })
})

describe('races', () => {
  it('of subscribing with registrations on two nodes give the result of a naive evaluation', async () => {
    const companyId = randomUUID()
    const nodes = [stage.node(release1), stage.node(release1)]
    const policy = stage.policy(release1)
    const count = 120
    const registrations = Array.from({ length: count }, async (_, n) => {
      const execute = nodes[n % 2]!
      await register(execute, companyId, n, n)
      if (n === count / 3) await subscribe(nodes[1]!, companyId)
    })
    await Promise.all(registrations)
    await finished(companyId)
    const states = () => Promise.all(Array.from({ length: count }, (_, n) => isTagged(companyId, n)))
    const naive = Array.from({ length: count }, (_, n) => n >= 40)
    await until(async () => JSON.stringify(await states()) === JSON.stringify(naive))
    await policy.stop()
    const recorded = await recordedByRules(stage, companyId)
    for (let n = 0; n < count; n += 1)
      expect(recorded.get(idOf(companyId, n))?.length ?? 0).toBe(n >= 40 ? 1 : 0)
  })

  it('of subscribing with a tag of the same name have one winner, all or nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const companyId = randomUUID()
      const nodes = [stage.node(release1), stage.node(release1)]
      const create = createTag(companyId, 'millCert', tagContent({ name: 'TAG THICK' }))
      const [subscribed, created] = await Promise.allSettled([
        subscribe(nodes[0]!, companyId),
        nodes[1]!(create, context),
      ])
      const events = await Array.fromAsync(stage.store.readStream(tagCatalogue.streamName(companyId), 0))
      const types = events.map(({ type }) => type)
      if (subscribed.status === 'fulfilled') {
        expect((created as PromiseRejectedResult).reason).toMatchObject({ code: 'tag-name-taken' } as Refusal)
        expect(types).toEqual(['TagCreated', 'TagCreated', 'RulePackSubscribed'])
      } else {
        expect(subscribed.reason).toMatchObject({ code: 'tag-name-taken' })
        expect(types).toEqual(['TagCreated'])
      }
    }
  })

  it('of a decision with a process that was paused leave the tags of the packs in force', async () => {
    const companyId = randomUUID()
    const execute = stage.node(release1)
    await subscribe(execute, companyId)
    await register(execute, companyId, 1, 50)
    // The process has read the packs in force, and is paused before it records what they say.
    const known = catalogueOnce(companyId)
    const evaluate = () =>
      execute(
        evaluateByRules(companyId, 'millCert', idOf(companyId, 1), known, async () => new Map()),
        context,
      )
    expect((await evaluate()).recorded).toEqual([])
    const policy = stage.policy(release1)
    await execute(unsubscribeRulePack(companyId, 'house'), context)
    await until(async () => !(await isTagged(companyId, 1)))
    await finished(companyId)

    expect((await evaluate()).recorded).toEqual(['RuleAssignmentsReplaced'])
    await until(async () => !(await isTagged(companyId, 1)))
    await policy.stop()
    const recorded = (await recordedByRules(stage, companyId)).get(idOf(companyId, 1))!
    expect(recorded.map(({ data }) => data.added.length - data.removed.length)).toEqual([1, -1, 1, -1])
  })

  it('of two policies let one of them do the work', async () => {
    const companyId = randomUUID()
    const execute = stage.node(release1)
    for (let n = 0; n < 20; n += 1) await register(execute, companyId, n, 50)
    const policies = [stage.policy(release1), stage.policy(release1)]
    await subscribe(execute, companyId)
    await finished(companyId)
    expect(policies.filter((policy) => policy.status().leading)).toHaveLength(1)
    await Promise.all(policies.map((policy) => policy.stop()))
    const recorded = await recordedByRules(stage, companyId)
    expect([...recorded.values()].map((events) => events.length)).toEqual(Array(20).fill(1))
  })
})

describe('two releases', () => {
  // They need a store of their own: a policy releases its lease while it meets versions that it does not ship.
  beforeAll(async () => {
    await stage.close()
    stage = await setStage()
  })

  it('follow each other: an upgrade evaluates again, and leaves the old evidence in the events', async () => {
    const companyId = randomUUID()
    const [first, second] = [stage.node(release1), stage.node(release2)]
    for (const [n, mm] of [10, 30, 50].entries()) await register(first, companyId, n, mm)
    const old = stage.policy(release1)
    await subscribe(first, companyId)
    await finished(companyId)
    await old.stop()
    const policy = stage.policy(release2)
    await second(upgradeRulePack(companyId, 'house'), context)
    // The old release had finished, so only the new one's events show the end of its evaluation.
    await until(async () => [...(await recordedByRules(stage, companyId)).values()].flat().length === 3)
    const recorded = await recordedByRules(stage, companyId)
    const versions = (n: number) => recorded.get(idOf(companyId, n))?.map(({ data }) => data.version)
    expect([versions(0), versions(1), versions(2)]).toEqual([undefined, [2], [1, 2]])
    expect(recorded.get(idOf(companyId, 2))![0]!.data.matched[0]).toMatchObject({ ruleId: 'is-thick' })
    expect(recorded.get(idOf(companyId, 2))![0]!.metadata.actor).toEqual({
      id: 'house',
      name: 'House rules',
      kind: 'rulePack',
    })
    await policy.stop()
  })

  it('run side by side: the release that ships the version in force evaluates what the other cannot', async () => {
    const companyId = randomUUID()
    const [first, second] = [stage.node(release1), stage.node(release2)]
    await subscribe(second, companyId)
    const { recorded } = await register(first, companyId, 1, 25)
    expect(recorded).toEqual(['MillCertificateRegistered'])
    // The old release's policy holds the lease first, and releases it.
    const old = stage.policy(release1)
    await until(() => old.conditions.some((message) => message.includes('does not ship')))
    // The company's next try is due.
    await stage.postgres.query('UPDATE heatmark_local.policy_parked SET next_try_at = clock_timestamp()')
    const policy = stage.policy(release2)
    await until(() => isTagged(companyId, 1))
    await Promise.all([old.stop(), policy.stop()])
    expect((await recordedByRules(stage, companyId)).get(idOf(companyId, 1))).toHaveLength(1)
  })
})
