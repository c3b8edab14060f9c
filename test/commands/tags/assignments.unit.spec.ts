import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { correctCertificate, registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import type { Execute } from '../../../src/commands/executor/command.ts'
import { registerOrder } from '../../../src/commands/orders/orders.ts'
import { setManualAssignments } from '../../../src/commands/tags/assignments.ts'
import { createTag, softDeleteTag } from '../../../src/commands/tags/tags.ts'
import { replaceMembers } from '../../../src/domain/kernel/edit.ts'
import type { Family, Severity } from '../../../src/domain/tags/tag.ts'
import { certificateContent, orderContent, tagContent } from '../../domain/verdict/facts.ts'
import { context, createStage, refusalOf, type Stage } from '../nodes.ts'

let stage: Stage
let execute: Execute
beforeAll(() => {
  stage = createStage()
  execute = stage.node().execute
})

/** A company with one certificate and one order. */
async function yard() {
  const companyId = randomUUID()
  const numbers = { certificateNumber: 'MC', heatNumber: 'H' }
  const certificate = await execute(registerCertificate(companyId, numbers, certificateContent()), context)
  const order = await execute(registerOrder(companyId, 'SO', orderContent()), context)
  const subject = { millCert: certificate.body.millCertificationId, order: order.body.orderId }
  return {
    companyId,
    ...subject,
    tag: async (name: string, { family = 'millCert' as Family, severity = null as Severity | null } = {}) =>
      (await execute(createTag(companyId, family, tagContent({ name, severity })), context)).body.tagId,
    softDelete: (tagId: string) => execute(softDeleteTag({ companyId, family: 'millCert', tagId }), context),
    assign: (tagIds: string[], family: Family = 'millCert', ifMatch?: (etag: number) => boolean) =>
      execute(setManualAssignments(companyId, family, subject[family], tagIds), {
        ...context,
        ...(ifMatch && { ifMatch }),
      }),
    correct: (grade: string) =>
      execute(
        correctCertificate(companyId, subject.millCert, {}, replaceMembers(certificateContent({ grade }))),
        context,
      ),
  }
}

it("answers a certificate's assignments in the order of the tags' names, each tag once", async () => {
  const { tag, assign, millCert } = await yard()
  // Code points put 😀 after ﾟ; UTF-16 code units would put it before.
  const names = ['b', '😀', 'A', 'z', '\u{ffee}']
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, await tag(name))
  const { body } = await assign([...ids.values(), ids.get('b')!])
  expect(body.map(({ tagId }) => tagId)).toStrictEqual(
    ['A', 'b', 'z', '\u{ffee}', '😀'].map((name) => ids.get(name)),
  )
  expect(body[0]).toStrictEqual({
    assignmentId: expect.any(String),
    millCertificationId: millCert,
    tagId: ids.get('A'),
    assignedByRuleId: null,
    assignedAt: new Date(stage.time).toISOString(),
  })
  expect(new Set(body.map(({ assignmentId }) => assignmentId)).size).toBe(5)
})

it("answers an order's assignments by its own id", async () => {
  const { tag, assign, order } = await yard()
  const tagId = await tag('Urgent', { family: 'order' })
  const { body } = await assign([tagId], 'order')
  expect(body).toMatchObject([{ orderId: order, tagId }])
  expect(body[0]).not.toHaveProperty('millCertificationId')
})

it('keeps assignments that stay, and answers a repeated set without recording it', async () => {
  const { tag, assign } = await yard()
  const [first, second] = [await tag('a'), await tag('b')]
  const before = await assign([second])
  stage.time += 1_000
  const after = await assign([second, first])
  expect(after.body[1]).toStrictEqual(before.body[0])
  const again = await assign([first, second, first])
  expect(again).toMatchObject({ body: after.body, etag: after.etag!, position: after.position, recorded: [] })
  expect((await assign([])).body).toStrictEqual([])
})

it('gives assignments an ETag of their own, which other changes of the record do not change', async () => {
  const { tag, assign, correct } = await yard()
  const tagId = await tag('a')
  expect(await assign([])).toMatchObject({ etag: 0, recorded: [] })
  const { etag } = await correct('S235JR')
  expect(etag).toBe(1)
  expect((await assign([tagId], 'millCert', (present) => present === 0)).etag).toBe(2)
  expect(await refusalOf(assign([], 'millCert', (present) => present === 0))).toBe('precondition-failed')
  expect((await correct('S235JR')).etag).toBe(1)
})

it('names every tag that is unknown, of the other family, or deleted and not yet assigned', async () => {
  const { tag, assign, softDelete } = await yard()
  const [fine, deleted, other] = [await tag('a'), await tag('b'), await tag('c', { family: 'order' })]
  await softDelete(deleted)
  const unknown = randomUUID()
  await expect(assign([fine, unknown, deleted, other])).rejects.toMatchObject({
    code: 'validation-failed',
    details: {
      errors: [
        { path: '/tagIds/1', code: 'unknown-record', record: { tagId: unknown } },
        { path: '/tagIds/2', code: 'deleted-record', record: { tagId: deleted } },
        { path: '/tagIds/3', code: 'unknown-record', record: { tagId: other } },
      ],
    },
  })
})

it('keeps a deleted tag that was assigned before, and shows it nowhere else', async () => {
  const { tag, assign, softDelete, correct } = await yard()
  const [deleted, fine] = [await tag('a', { severity: 'Block' }), await tag('b', { severity: 'Flag' })]
  const before = await assign([deleted])
  expect((await correct('S235JR')).body).toMatchObject({
    tags: [{ tagId: deleted, name: 'a' }],
    blocked: true,
  })
  await softDelete(deleted)
  const { body } = await assign([fine, deleted])
  expect(body).toMatchObject([before.body[0]!, { tagId: fine }])
  expect((await correct('S275JR')).body).toMatchObject({
    tags: [{ tagId: fine, name: 'b', color: '#FF0000', severity: 'Flag' }],
    blocked: false,
  })
  await assign([fine])
  expect(await refusalOf(assign([fine, deleted]))).toBe('validation-failed')
})

it('finds no subject that was never registered, before it looks at the tags', async () => {
  const { companyId } = await yard()
  for (const [family, code] of [
    ['millCert', 'certificate-not-found'],
    ['order', 'order-not-found'],
  ] as const)
    await expect(
      execute(setManualAssignments(companyId, family, randomUUID(), [randomUUID()]), context),
    ).rejects.toMatchObject({ code })
})
