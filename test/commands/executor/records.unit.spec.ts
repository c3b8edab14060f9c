import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { correctCertificate, registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import { registerCompany, removeMember, setMemberRoles } from '../../../src/commands/company/companies.ts'
import type { Execute } from '../../../src/commands/executor/command.ts'
import { correctOrder, registerOrder } from '../../../src/commands/orders/orders.ts'
import { createTag, restoreTag, softDeleteTag, updateTag } from '../../../src/commands/tags/tags.ts'
import { replaceMembers } from '../../../src/domain/kernel/edit.ts'
import type { TagContent } from '../../../src/domain/tags/tag.ts'
import { certificateContent, orderContent, tagContent } from '../../domain/verdict/facts.ts'
import { alice, bob } from '../../support/given.ts'
import { context, createStage, refusalOf, type ServiceNode, type Stage } from '../nodes.ts'

let stage: Stage
let node: ServiceNode
let execute: Execute
beforeAll(() => {
  stage = createStage()
  node = stage.node()
  execute = node.execute
})

function never() {
  return false
}

describe('a certificate', () => {
  const register = (companyId: string, certificateNumber = 'mc-1', heatNumber = ' H  1') =>
    registerCertificate(companyId, { certificateNumber, heatNumber }, certificateContent())

  it('is answered with its current content, in the spelling of the first request', async () => {
    const companyId = randomUUID()
    const first = await execute(register(companyId), context)
    expect(first.body).toStrictEqual({
      companyId,
      millCertificationId: expect.any(String),
      certificateNumber: 'mc-1',
      heatNumber: ' H  1',
      item: null,
      ...certificateContent(),
      registeredAt: new Date(stage.time).toISOString(),
      updatedAt: new Date(stage.time).toISOString(),
      updatedBy: context.actor.id,
      tags: [],
      blocked: false,
      documents: [],
      status: 'Received',
      replacedBy: null,
      revision: 0,
    })
    const again = await execute(register(companyId, 'MC-1 ', 'h 1'), context)
    expect(again).toMatchObject({ body: first.body, etag: 0, recorded: [], position: first.position })
  })

  it('is corrected with its numbers in any spelling, and refused with other numbers', async () => {
    const companyId = randomUUID()
    const { millCertificationId } = (await execute(register(companyId), context)).body
    const correct = (numbers: Parameters<typeof correctCertificate>[2]) =>
      execute(
        correctCertificate(
          companyId,
          millCertificationId,
          numbers,
          replaceMembers(certificateContent({ grade: 'S235JR' })),
        ),
        context,
      )
    await expect(correct({ certificateNumber: 'MC-2', heatNumber: 'H2' })).rejects.toMatchObject({
      code: 'validation-failed',
      details: { errors: [{ path: '/certificateNumber' }, { path: '/heatNumber' }] },
    })
    const { body, etag } = await correct({ certificateNumber: ' MC-1', heatNumber: 'h 1' })
    expect(body).toMatchObject({ certificateNumber: 'mc-1', heatNumber: ' H  1', grade: 'S235JR' })
    expect(etag).toBe(1)
  })

  it('is checked for existence, then for its ETag, and then for its numbers', async () => {
    const companyId = randomUUID()
    const correct = (id: string) =>
      refusalOf(
        execute(
          correctCertificate(
            companyId,
            id,
            { certificateNumber: 'other' },
            replaceMembers(certificateContent()),
          ),
          { ...context, ifMatch: never },
        ),
      )
    expect(await correct(randomUUID())).toBe('certificate-not-found')
    const { millCertificationId } = (await execute(register(companyId), context)).body
    expect(await correct(millCertificationId)).toBe('precondition-failed')
  })
})

describe('an order', () => {
  it('is answered with its line items, and keeps its number', async () => {
    const companyId = randomUUID()
    const { body, etag } = await execute(registerOrder(companyId, 'so-1', orderContent()), context)
    expect(body).toMatchObject({
      orderNumber: 'so-1',
      tags: [],
      blocked: false,
      lineItems: [{ lineNumber: 10 }],
    })
    expect(etag).toBe(0)
    const correct = (number?: string, customer = 'Other') =>
      execute(
        correctOrder(companyId, body.orderId, number, replaceMembers(orderContent({ customer }))),
        context,
      )
    await expect(correct('SO-2')).rejects.toMatchObject({
      code: 'validation-failed',
      details: { errors: [{ path: '/orderNumber' }] },
    })
    expect(await correct('SO-1')).toMatchObject({ body: { orderNumber: 'so-1', customer: 'Other' }, etag: 1 })
    expect(await correct()).toMatchObject({ etag: 1, recorded: [] })
  })
})

describe('a tag', () => {
  it('is answered with the fields of the source document and its last editor', async () => {
    const companyId = randomUUID()
    const content = tagContent({ description: 'Aside', severity: 'Audit' })
    const { body } = await execute(createTag(companyId, 'order', content), context)
    const tag = { companyId, tagId: body.tagId, family: 'order' } as const
    const record = { companyId, tagId: body.tagId, ...content, isSystemTag: false }
    expect(body).toStrictEqual({ ...record, active: true, lastModifiedBy: alice.id })
    const byBob = { ...context, actor: bob }
    expect((await execute(softDeleteTag(tag), byBob)).body).toStrictEqual({
      ...record,
      active: false,
      lastModifiedBy: bob.id,
    })
    expect(await execute(restoreTag(tag), context)).toMatchObject({ body: { active: true }, etag: 2 })
    expect(await refusalOf(execute(restoreTag({ ...tag, family: 'millCert' }), context))).toBe(
      'tag-not-found',
    )
  })
})

describe('a member', () => {
  const removed = (companyId: string, userId: string) =>
    removeMember(companyId, userId, { keepsKeys: true }).run({ ...node, newId: randomUUID }, context)

  it('has an ETag once it has roles, and is not found only when it never had any', async () => {
    const companyId = randomUUID()
    expect((await execute(registerCompany(companyId, 'Yard'), context)).body).toStrictEqual({
      companyId,
      name: 'Yard',
    })
    const set = (etag?: number) =>
      execute(
        setMemberRoles({ companyId, userId: 'bob', wanted: etag === undefined ? ['Viewer'] : ['Editor'] }),
        { ...context, ...(etag !== undefined && { ifMatch: (present: number) => present === etag }) },
      )
    expect(await set()).toMatchObject({ body: { userId: 'bob', roles: ['Viewer'] }, etag: 2 })
    expect(await refusalOf(set(1))).toBe('precondition-failed')
    expect(await set(2)).toMatchObject({ etag: 3 })
    const remove = (userId: string) => removed(companyId, userId)
    expect((await remove('bob')).recorded).toStrictEqual(['MemberRemoved'])
    expect((await remove('bob')).recorded).toStrictEqual([])
    expect(await refusalOf(remove('nobody'))).toBe('member-not-found')
    expect(await refusalOf(remove(alice.id))).toBe('last-admin')
  })

  it('belongs to a company that exists', async () => {
    const companyId = randomUUID()
    expect(
      await refusalOf(execute(setMemberRoles({ companyId, userId: 'bob', wanted: ['Viewer'] }), context)),
    ).toBe('forbidden')
    expect(await refusalOf(removed(companyId, 'bob'))).toBe('member-not-found')
  })
})

describe('an edit', () => {
  it('keeps what another node has just recorded in the members that it leaves out', async () => {
    const companyId = randomUUID()
    const [here, there] = [stage.node(), stage.node()]
    const created = await here.execute(createTag(companyId, 'order', tagContent()), context)
    const ref = { companyId, family: 'order', tagId: created.body.tagId } as const
    await there.execute(updateTag(ref, replaceMembers<TagContent>({ severity: 'Flag' })), context)
    // This node still has the state without the severity, and learns of it by the conflict.
    const renamed = await here.execute(updateTag(ref, replaceMembers<TagContent>({ name: 'Wait' })), context)
    expect(here.appends).toEqual([false, true, false])
    expect(renamed.body).toMatchObject({ name: 'Wait', severity: 'Flag' })
  })
})
