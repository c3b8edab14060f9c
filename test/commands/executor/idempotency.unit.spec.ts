import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { correctCertificate, registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import { registerCompany } from '../../../src/commands/company/companies.ts'
import { setManualAssignments } from '../../../src/commands/tags/assignments.ts'
import { createTag, softDeleteTag, updateTag } from '../../../src/commands/tags/tags.ts'
import { replaceMembers } from '../../../src/domain/kernel/edit.ts'
import type { Family } from '../../../src/domain/tags/tag.ts'
import { catalogueStream } from '../../../src/domain/tags/tagCatalogue.ts'
import { certificateContent, tagContent } from '../../domain/verdict/facts.ts'
import { context, createStage, eventsOf, keyed, refusalOf } from '../nodes.ts'

const stage = createStage()
const here = stage.node()
const there = stage.node()

function yard() {
  const companyId = randomUUID()
  const family: Family = 'millCert'
  return {
    companyId,
    events: () => eventsOf(here.store, catalogueStream(companyId)),
    create: (name = 'Hold') => createTag(companyId, family, tagContent({ name })),
    rename: (tagId: string, name: string) =>
      updateTag({ companyId, family, tagId }, replaceMembers(tagContent({ name }))),
    softDelete: (tagId: string) => softDeleteTag({ companyId, family, tagId }),
  }
}

const day = 86_400_000

describe('the same request again under its key', () => {
  it.each([
    ['on one node', () => [here]],
    ['on two nodes', () => [here, there]],
    ['on two nodes that know the stream', () => [here, there], 'known'],
  ])('is carried out once of 20 at the same instant, %s', async (_, nodes, known?: string) => {
    const { companyId, create, events } = yard()
    if (known) for (const [n, node] of nodes().entries()) await node.execute(create(`Known ${n}`), context)
    const before = (await events()).length
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => nodes()[n % nodes().length]!.execute(create(), keyed(companyId))),
    )
    expect(await events()).toHaveLength(before + 1)
    const [first, ...others] = outcomes.filter(({ replayed }) => !replayed)
    expect(others).toStrictEqual([])
    for (const outcome of outcomes)
      expect({ ...outcome, replayed: false }).toStrictEqual({ ...first, replayed: false })
  })

  it('is answered by a new node, as after a crash before the answer', async () => {
    const { create } = yard()
    const first = await here.execute(create(), keyed('k'))
    expect(await stage.node().execute(create(), keyed('k'))).toStrictEqual({ ...first, replayed: true })
  })

  it('is answered as the first time, whatever was recorded since', async () => {
    const { companyId, create, rename, softDelete } = yard()
    const created = await here.execute(create(), keyed('create'))
    const { tagId } = created.body
    const numbers = { certificateNumber: 'MC', heatNumber: 'H' }
    const { millCertificationId } = (
      await here.execute(registerCertificate(companyId, numbers, certificateContent()), context)
    ).body
    const assign = setManualAssignments(companyId, 'millCert', millCertificationId, [tagId])
    const assigned = await here.execute(assign, keyed('assign'))
    const content = certificateContent({ grade: 'S235JR' })
    const correct = correctCertificate(companyId, millCertificationId, {}, replaceMembers(content))
    const corrected = await here.execute(correct, keyed('correct'))
    expect(corrected.body.tags).toMatchObject([{ tagId, name: 'Hold' }])

    await there.execute(rename(tagId, 'Quarantine'), context)
    await there.execute(softDelete(tagId), context)
    await there.execute(setManualAssignments(companyId, 'millCert', millCertificationId, []), context)
    await there.execute(
      correctCertificate(companyId, millCertificationId, {}, replaceMembers(certificateContent())),
      context,
    )

    for (const node of [here, there]) {
      expect(await node.execute(create(), keyed('create'))).toStrictEqual({ ...created, replayed: true })
      expect(await node.execute(assign, keyed('assign'))).toStrictEqual({ ...assigned, replayed: true })
      expect(await node.execute(correct, keyed('correct'))).toStrictEqual({ ...corrected, replayed: true })
    }
  })

  it('is answered even when the record has another ETag by now', async () => {
    const { create, rename } = yard()
    const { tagId } = (await here.execute(create(), context)).body
    const ifMatch = (etag: number) => etag === 0
    const first = await here.execute(rename(tagId, 'Aside'), { ...keyed('k'), ifMatch })
    const again = await here.execute(rename(tagId, 'Aside'), { ...keyed('k'), ifMatch })
    expect(again).toStrictEqual({ ...first, replayed: true })
  })

  it('is answered with all events of the append', async () => {
    const companyId = randomUUID()
    const first = await here.execute(registerCompany(companyId, 'Yard'), keyed('k'))
    expect(first.recorded).toStrictEqual(['CompanyRegistered', 'MemberRolesSet'])
    expect(await there.execute(registerCompany(companyId, 'Yard'), keyed('k'))).toStrictEqual({
      ...first,
      replayed: true,
    })
  })
})

describe('an Idempotency-Key', () => {
  it('is refused with a different request', async () => {
    const { create, events } = yard()
    await here.execute(create(), keyed('k', 'a body'))
    for (const node of [here, there, stage.node()])
      expect(await refusalOf(node.execute(create('Other'), keyed('k', 'another body')))).toBe(
        'idempotency-key-reused',
      )
    expect(await events()).toHaveLength(1)
  })

  it('applies to one caller and one path', async () => {
    const { create, events } = yard()
    await here.execute(create('a'), keyed('k', 'x', 'POST /a'))
    await there.execute(create('b'), keyed('k', 'y', 'POST /b'))
    const { idempotency } = keyed('k', 'z', 'POST /a')
    await here.execute(create('c'), { ...context, idempotency: { ...idempotency!, caller: 'somebody' } })
    expect(await events()).toHaveLength(3)
  })

  it('is not remembered for a refusal or a request that recorded nothing', async () => {
    const { create, softDelete, rename, events } = yard()
    const { tagId } = (await here.execute(create(), context)).body
    expect(await refusalOf(here.execute(create(), keyed('k')))).toBe('tag-name-taken')
    expect((await here.execute(rename(tagId, 'Hold'), keyed('r'))).recorded).toStrictEqual([])
    await here.execute(rename(tagId, 'Aside'), context)
    expect((await here.execute(create(), keyed('k'))).replayed).toBe(false)
    expect(await refusalOf(here.execute(rename(tagId, 'Hold'), keyed('r')))).toBe('tag-name-taken')
    await here.execute(softDelete(tagId), keyed('d'))
    expect(await here.execute(softDelete(tagId), keyed('d'))).toMatchObject({ replayed: true, etag: 3 })
    expect(await events()).toHaveLength(4)
  })

  it('is remembered for 24 hours, and can then be used again', async () => {
    const { create, events } = yard()
    // With these, the stream has a number of keys at which no expired one is dropped.
    for (const other of ['x', 'y']) await here.execute(create(other), keyed(other))
    const first = await here.execute(create('a'), keyed('k', 'a'))
    stage.time += day - 1
    expect((await here.execute(create('a'), keyed('k', 'a'))).body).toStrictEqual(first.body)
    stage.time += 1
    const second = await here.execute(create('b'), keyed('k', 'b'))
    expect(second).toMatchObject({ replayed: false, body: { name: 'b' } })
    // No event lies between the two, so the look-up must find the second one alone.
    for (const node of [here, there])
      expect(await node.execute(create('b'), keyed('k', 'b'))).toStrictEqual({ ...second, replayed: true })
    expect(await refusalOf(here.execute(create('a'), keyed('k', 'a')))).toBe('idempotency-key-reused')
    expect(await events()).toHaveLength(4)
  })
})
