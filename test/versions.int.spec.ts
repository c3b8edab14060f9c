// The first import, because the others read the versions of events.
import './support/registrationVersion2.ts'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { correctCertificate, registerCertificate } from '../src/commands/certificates/certificates.ts'
import type { CommandContext } from '../src/commands/executor/command.ts'
import { subscribeRulePack } from '../src/commands/rulePacks/rulePacks.ts'
import { millCertificateKey, millCertificateStream } from '../src/domain/certificates/certificate.ts'
import { replaceMembers } from '../src/domain/kernel/edit.ts'
import type { EventMetadata } from '../src/domain/kernel/event.ts'
import { millCertificationIdOf, systemTagIdOf } from '../src/domain/kernel/identifiers.ts'
import { assignedTags } from '../src/domain/tags/assignments.ts'
import { clock } from '../src/lib/clocks.ts'
import { projections } from '../src/projections/all.ts'
import { certificates } from '../src/projections/certificates/certificates.ts'
import { rebuild } from '../src/projections/engine/operations/rebuild.ts'
import { verify } from '../src/projections/engine/operations/verify.ts'
import { readStates } from '../src/projections/engine/schema/schema.ts'
import { type Appended, noStream } from '../src/stores/eventStore.ts'
import { certificateContent } from './domain/verdict/facts.ts'
import { context, setStage } from './policies/stage.ts'
import { thickRelease } from './policies/thick.ts'
import { alice } from './support/given.ts'
import { own } from './support/own.ts'
import type { Version1 } from './support/registrationVersion2.ts'
import { until } from './support/until.ts'

const stage = await own(setStage())

const release = thickRelease(1, 40)
const companyId = randomUUID()
const numbers = (n: number) => ({ certificateNumber: `MC-${n}`, heatNumber: 'H 1' })
const idOf = (n: number) => millCertificationIdOf(companyId, `MC-${n}`, 'H 1')
const streamOf = (n: number) => millCertificateStream(millCertificateKey(companyId, idOf(n)))
const idempotency = { key: 'k', caller: alice.id, request: 'POST /', requestHash: 'h' }

const appendVersion1 = (
  n: number,
  data: Partial<Version1>,
  more: Partial<EventMetadata> = {},
): Promise<Appended> =>
  stage.store.append(streamOf(n), noStream, [
    {
      id: randomUUID(),
      type: 'MillCertificateRegistered',
      data: { companyId, ...numbers(n), ...data },
      metadata: {
        actor: alice,
        occurredAt: new Date().toISOString(),
        correlationId: 'c',
        schemaVersion: 1,
        ...more,
      },
    },
  ])
const version1 = (n: number, thicknessCm: number): Version1 => {
  const { thicknessMm: _, ...content } = certificateContent()
  return { ...content, id: idOf(n), thicknessCm }
}
const register = (n: number, thicknessMm: number, more: Partial<CommandContext> = {}) =>
  stage.node(release)(registerCertificate(companyId, numbers(n), certificateContent({ thicknessMm })), {
    ...context,
    ...more,
  })

const state = async () =>
  (await readStates(stage.postgres, stage.readModels)).find(({ name }) => name === certificates.name)!
const reached = (position: number) => until(async () => (await state()).position >= position)
const rows = async () =>
  stage.postgres.query(
    `SELECT mill_certification_id AS id, thickness_mm AS mm
     FROM ${stage.readModels.tableName('certificate', (await state()).generation)} ORDER BY certificate_number`,
  )
const options = () => ({
  eventStore: stage.store,
  postgres: stage.postgres,
  readModels: stage.readModels.only([certificates]),
  clock,
})

it('folds versions 1 and 2 of a type alike, live, rebuilt and verified', async () => {
  await appendVersion1(1, version1(1, 5), { idempotency })
  const { position } = await register(2, 50)
  const [first] = await Array.fromAsync(stage.store.readStream(streamOf(1), 0))
  const [second] = await Array.fromAsync(stage.store.readStream(streamOf(2), 0))
  expect(first).toMatchObject({ data: version1(1, 5), metadata: { schemaVersion: 1 } })
  expect(second!.metadata.schemaVersion).toBe(2)

  await reached(position)
  const expected = [
    { id: idOf(1), mm: 50 },
    { id: idOf(2), mm: 50 },
  ]
  expect(await rows()).toEqual(expected)
  expect(await verify(options())).toMatchObject({ differenceCount: 0 })
  const before = await state()
  await rebuild(options())
  expect((await state()).generation).toBe(before.generation + 1)
  expect(await rows()).toEqual(expected)
})

it('verifies rows of both versions against a fold of the newest', async () => {
  const { generation } = await state()
  await stage.postgres.query(
    `UPDATE ${stage.readModels.tableName('certificate', generation)} SET thickness_mm = 1`,
  )
  const { differences } = await verify(options())
  expect(differences.map(({ live, rebuilt }) => [live, rebuilt])).toEqual([
    [1, 50],
    [1, 50],
  ])
  await rebuild(options())
})

it('decides on the newest version and answers with it', async () => {
  // A repeat of the request that version 1 was recorded for, answered from its event.
  const repeated = await register(1, 50, { idempotency })
  expect(repeated).toMatchObject({ replayed: true, body: { millCertificationId: idOf(1), thicknessMm: 50 } })
  expect(await register(1, 50)).toMatchObject({ recorded: [] })
  const content = certificateContent({ thicknessMm: 60 })
  await stage.node(release)(correctCertificate(companyId, idOf(1), {}, replaceMembers(content)), context)
  const corrected = (await Array.fromAsync(stage.store.readStream(streamOf(1), 1)))[0]
  expect(corrected!.data).toMatchObject({ changes: [{ field: 'thicknessMm', from: 50, to: 60 }] })
})

it('gives the rule policy the newest version', async () => {
  await stage.node(release)(subscribeRulePack(companyId, 'house'), context)
  const policy = stage.policy(release)
  const isTagged = async (n: number) => {
    const { assignments } = await stage.certificate(companyId, idOf(n))
    return assignedTags(assignments).has(systemTagIdOf(companyId, 'house', 'thick'))
  }
  await until(async () => (await isTagged(1)) && (await isTagged(2)))
  // Recorded by a node that did not know of the pack.
  await appendVersion1(3, version1(3, 4))
  await until(() => isTagged(3))
  expect(policy.conditions).toEqual([])
  await policy.stop()
})

it('stops the projections that handle an event at which its upcaster throws, and no others', async () => {
  const { thicknessCm: _, ...unreadable } = version1(4, 5)
  const before = await state()
  const { position } = await appendVersion1(4, unreadable)
  await until(async () =>
    (await readStates(stage.postgres, stage.readModels)).every(
      (one) => one.status === 'failed' || one.position >= position,
    ),
  )
  const { status, failure, position: stoppedAt } = await state()
  expect(stoppedAt).toBeGreaterThanOrEqual(before.position)
  expect({ status, code: failure?.code, at: failure?.event }).toMatchObject({
    status: 'failed',
    code: 'upcast-failed',
    at: { type: 'MillCertificateRegistered', position, schemaVersion: 1 },
  })
  expect(failure!.message).toBe(
    `MillCertificateRegistered at position ${position} cannot be brought from version 1 to 2: it has no thickness`,
  )
  const handling = projections.filter(({ handlers }) => 'MillCertificateRegistered' in handlers)
  const failed = (await readStates(stage.postgres, stage.readModels)).filter(
    ({ status }) => status === 'failed',
  )
  expect(failed.map(({ name }) => name)).toEqual(handling.map(({ name }) => name).sort())
  await expect(rebuild(options())).rejects.toMatchObject({ code: 'fold-failed' })
  // The store has answered: what is asked of this certificate is not tried again.
  await expect(register(4, 50)).rejects.toMatchObject({ code: 'upcast-failed' })
  expect((await register(5, 50)).recorded).toContain('MillCertificateRegistered')
})
