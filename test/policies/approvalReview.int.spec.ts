import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { approveBar, changeCutStatus, startBar } from '../../src/commands/bars/bars.ts'
import type { BarRecord } from '../../src/commands/bars/plannedBar.ts'
import { createPlan } from '../../src/commands/bars/plans.ts'
import { rejectCertificate } from '../../src/commands/certificates/certificateDecisions.ts'
import { correctCertificate } from '../../src/commands/certificates/certificates.ts'
import { setReleasePolicy } from '../../src/commands/company/releasePolicy.ts'
import { recordDelivery, voidDelivery } from '../../src/commands/deliveries/deliveries.ts'
import { attachDocument, detachDocument } from '../../src/commands/documents/certificateDocuments.ts'
import { storeDocument } from '../../src/commands/documents/documents.ts'
import { runWorkflow } from '../../src/commands/executor/workflow.ts'
import { correctOrder } from '../../src/commands/orders/orders.ts'
import { addRulePack } from '../../src/commands/rulePacks/ownRulePacks.ts'
import { subscribeRulePack, unsubscribeRulePack } from '../../src/commands/rulePacks/rulePacks.ts'
import { setManualAssignments } from '../../src/commands/tags/assignments.ts'
import { createTag, restoreTag, softDeleteTag, updateTag } from '../../src/commands/tags/tags.ts'
import { productionPlanBarKey, productionPlanBarStream } from '../../src/domain/bars/bar.ts'
import type { BarRef } from '../../src/domain/bars/barEvents.ts'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import { documentIdOf } from '../../src/domain/documents/document.ts'
import { replaceMembers } from '../../src/domain/kernel/edit.ts'
import type { Refusal } from '../../src/domain/kernel/refusal.ts'
import { noRuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import type { Family, Severity, TagContent } from '../../src/domain/tags/tag.ts'
import { now } from '../../src/lib/clocks.ts'
import { approvalReviewName, everyApproval } from '../../src/policies/approvalReview.ts'
import { readPolicyStatuses } from '../../src/policies/policyStatus.ts'
import { emptyLookUps } from '../commands/bars/lookUps.ts'
import { deliveryOf } from '../domain/deliveries/deliveryOf.ts'
import { tagContent } from '../domain/verdict/facts.ts'
import { alice } from '../support/given.ts'
import { own } from '../support/own.ts'
import { sized } from '../support/size.ts'
import { until } from '../support/until.ts'
import { openShop, reviewOf, type Shop } from './approvals.ts'
import { executorOf } from './connect.ts'
import { context, setStage } from './stage.ts'

let shop: Shop
/** A bar with a Block that was approved before the policy ran for the first time. */
let former: string
const stage = await own(setStage())
beforeAll(async () => {
  shop = await openShop(stage.store)
  const certificate = await shop.certificate()
  former = (await shop.approvedBars(await shop.order(), certificate))[0]!
  await reject(certificate)
  stage.host(reviewOf(stage))
  await settled()
})

/** Wait until every event is heard and every job is done. */
async function settled() {
  const { position } = (await stage.store.last())!
  await until(async () => {
    const [status] = await readPolicyStatuses(stage.postgres, stage.storeId, [approvalReviewName])
    return status!.position >= position
  })
}

function reject(millCertificationId: string) {
  const { companyId } = shop
  return shop.run(rejectCertificate({ companyId, millCertificationId }, 'Cracked.'))
}

async function newTag(family: Family, severity: Severity | null) {
  const { body } = await shop.run(
    createTag(shop.companyId, family, tagContent({ name: randomUUID(), severity })),
  )
  return { companyId: shop.companyId, family, tagId: body.tagId }
}

function assign({ companyId, family, tagId }: Awaited<ReturnType<typeof newTag>>, subjectId: string) {
  return shop.run(setManualAssignments(companyId, family, subjectId, [tagId]))
}

async function isWithdrawn(barId: string): Promise<boolean> {
  await settled()
  return (await shop.eventsOf(barId)).at(-1) === 'BarApprovalWithdrawn'
}

/** An Approved bar with its certificate and its order. */
async function approved(heatNumber?: string) {
  const millCertificationId = await shop.certificate({}, heatNumber)
  const item = await shop.order()
  const [barId] = await shop.approvedBars(item, millCertificationId)
  return { millCertificationId, ...item, barId: barId! }
}

/** Append an event that no command of this release would record. */
async function append(
  { companyId, planId, barId }: BarRef,
  expected: number,
  type: string,
  data: object,
): Promise<void> {
  const metadata = { actor: alice, occurredAt: now().toISOString(), correlationId: 'c', schemaVersion: 1 }
  const event = { id: randomUUID(), type, data: { companyId, planId, barId, ...data }, metadata }
  await stage.store.append(streamOf(barId), expected, [event])
}

function streamOf(barId: string) {
  return productionPlanBarStream(productionPlanBarKey(shop.companyId, barId))
}

it('does not judge approvals that are older than its first start, until a sweep asks for them', async () => {
  expect((await shop.eventsOf(former)).at(-1)).toBe('BarApproved')
  const last = (await stage.store.last())!
  await stage.postgres.query(
    `INSERT INTO heatmark_local.policy_job (store_id, policy, company_id, scope, position, event_id, since)
     VALUES ($1, $2, $3, $4, $5, $6, $5)`,
    [stage.storeId, approvalReviewName, shop.companyId, everyApproval, last.position, last.id],
  )
  await until(async () => (await shop.eventsOf(former)).at(-1) === 'BarApprovalWithdrawn')
})

describe('an approval is withdrawn', () => {
  it('when the certificate is rejected, in the name of the policy and with the findings', async () => {
    const { millCertificationId, barId } = await approved()
    const other = await approved()
    await reject(millCertificationId)
    expect(await isWithdrawn(barId)).toBe(true)
    expect(await isWithdrawn(other.barId)).toBe(false)
    const event = (await Array.fromAsync(stage.store.readStream(streamOf(barId), 0))).at(-1)!
    expect(event).toMatchObject({
      data: { barId, findings: [{ code: 'certificate-rejected', severity: 'Block', millCertificationId }] },
      metadata: { actor: { id: 'approvalReview', kind: 'service' } },
    })
  })

  it('when a correction of the certificate makes it another steel', async () => {
    const { millCertificationId, barId } = await approved()
    const { companyId } = shop
    await shop.run(
      correctCertificate(
        companyId,
        millCertificationId,
        {},
        replaceMembers<CertificateContent>({ purchaseOrder: 'PO 1' }),
      ),
    )
    expect(await isWithdrawn(barId)).toBe(false)
    await shop.run(
      correctCertificate(
        companyId,
        millCertificationId,
        {},
        replaceMembers<CertificateContent>({ grade: 'S235JR' }),
      ),
    )
    expect(await isWithdrawn(barId)).toBe(true)
  })

  it('when a Block is put on the certificate, or on the order of an Accepted cut', async () => {
    const one = await approved()
    await assign(await newTag('millCert', 'Flag'), one.millCertificationId)
    expect(await isWithdrawn(one.barId)).toBe(false)
    await assign(await newTag('millCert', 'Block'), one.millCertificationId)
    const other = await approved()
    await assign(await newTag('order', 'Block'), other.orderId)
    expect(await isWithdrawn(one.barId)).toBe(true)
    expect(await isWithdrawn(other.barId)).toBe(true)
  })

  it.each(['millCert', 'order'] as const)('when a tag of the family %s becomes a Block', async (family) => {
    const { barId, ...subjects } = await approved()
    const bystander = await approved()
    const tag = await newTag(family, null)
    await assign(tag, subjects[family === 'order' ? 'orderId' : 'millCertificationId'])
    await shop.run(updateTag(tag, replaceMembers<TagContent>({ name: randomUUID() })))
    expect(await isWithdrawn(barId)).toBe(false)
    await shop.run(updateTag(tag, replaceMembers<TagContent>({ severity: 'Block' })))
    expect(await isWithdrawn(barId)).toBe(true)
    expect(await isWithdrawn(bystander.barId)).toBe(false)
  })

  it('when a deleted Block is restored', async () => {
    const { millCertificationId, orderId, lineItemId } = await approved()
    const tag = await newTag('millCert', 'Block')
    await assign(tag, millCertificationId)
    await shop.run(softDeleteTag(tag))
    const [barId] = await shop.approvedBars({ orderId, lineItemId }, millCertificationId)
    expect(await isWithdrawn(barId!)).toBe(false)
    await shop.run(restoreTag(tag))
    expect(await isWithdrawn(barId!)).toBe(true)
  })

  it('when the line of an Accepted cut is cancelled', async () => {
    const { barId, orderId } = await approved()
    await shop.run(
      correctOrder(shop.companyId, orderId, undefined, (present) => ({
        content: {
          ...present,
          lineItems: present.lineItems.map((line) => ({ ...line, cancelled: true })),
        },
        faults: [],
      })),
    )
    expect(await isWithdrawn(barId)).toBe(true)
  })

  it('when the release policy becomes stricter, also for another certificate of the heat', async () => {
    const own = shop
    shop = await openShop(stage.store)
    const { barId } = await approved('H 1')
    const sister = await shop.certificate({}, 'h  1')
    await reject(sister)
    expect(await isWithdrawn(barId)).toBe(false)
    const severities = { 'same-heat-blocked': 'Block' } as const
    await shop.run(setReleasePolicy(shop.companyId, { severities }))
    expect(await isWithdrawn(barId)).toBe(true)

    const second = await approved('H 2')
    await assign(await newTag('millCert', 'Block'), await shop.certificate({}, 'H 2'))
    expect(await isWithdrawn(second.barId)).toBe(true)
    shop = own
  })

  it('when the company subscribes to an own rule on certificate and line that blocks', async () => {
    const { barId } = await approved()
    const { companyId } = shop
    const rule = {
      rulePackId: 'house',
      packName: 'House',
      ruleId: 'none',
      clause: 'House',
      explanation: 'No.',
    }
    const pairRules = [{ ...rule, severity: 'Block' as const, when: ['>', ['get', 'line.quantity'], 0] }]
    const document = { id: 'house', name: 'House', tags: [], rules: [] }
    const checked = { document, hash: 'ab'.repeat(32), cost: 0, pairRules }
    const adding = addRulePack(companyId, document, async () => ({ faults: [], checked }))
    const node = executorOf(stage.store, noRuleBook)
    await runWorkflow(adding, { ...node, newId: randomUUID }, context)
    await shop.run(subscribeRulePack(companyId, 'house'))
    expect(await isWithdrawn(barId)).toBe(true)
    await shop.run(unsubscribeRulePack(companyId, 'house'))
  })

  it('when more bars are planned than were delivered, or a delivery is voided', async () => {
    const own = shop
    shop = await openShop(stage.store)
    const { companyId } = shop
    await shop.run(setReleasePolicy(companyId, { severities: { 'stock-exceeded': 'Block' } }))
    const [first, second] = [await approved(), await approved()]
    const deliver = ({ millCertificationId }: typeof first) =>
      shop.run(recordDelivery(companyId, deliveryOf(millCertificationId, 1)))
    await deliver(first)
    const { deliveryId } = (await deliver(second)).body
    expect([await isWithdrawn(first.barId), await isWithdrawn(second.barId)]).toEqual([false, false])

    await shop.plannedBars(first, first.millCertificationId, 2)
    expect(await isWithdrawn(first.barId)).toBe(true)
    await shop.run(voidDelivery({ companyId, deliveryId }, 'It never came.'))
    expect(await isWithdrawn(second.barId)).toBe(true)
    shop = own
  })

  it('when the original of its certificate is detached, in a company that demands one', async () => {
    const own = shop
    shop = await openShop(stage.store)
    const { companyId } = shop
    const { barId, millCertificationId } = await approved()
    const documentId = documentIdOf(companyId, '0'.repeat(64))
    const object = { keep: async () => {}, drop: async () => {} }
    const file = {
      sha256: '0'.repeat(64),
      bytes: 1,
      mediaType: 'application/json',
      fileName: 'a.json',
    } as const
    await shop.run(storeDocument({ companyId, documentId, ...file, uploadId: randomUUID() }, object))
    await shop.run(attachDocument({ companyId, millCertificationId, documentId }))
    await shop.run(setReleasePolicy(companyId, { severities: { 'original-missing': 'Block' } }))
    expect(await isWithdrawn(barId)).toBe(false)
    await shop.run(detachDocument({ companyId, millCertificationId, documentId }))
    expect(await isWithdrawn(barId)).toBe(true)
    shop = own
  })

  it('when another program has recorded it although a Block stood against the bar', async () => {
    const { millCertificationId, orderId, lineItemId } = await approved()
    const [bar] = await shop.plannedBars({ orderId, lineItemId }, millCertificationId)
    await reject(millCertificationId)
    await settled()
    await append(bar!, 0, 'BarApproved', {})
    expect(await isWithdrawn(bar!.barId)).toBe(true)
  })

  it('when a cut is accepted although its order has a Block', async () => {
    const item = await shop.order()
    const [bar] = await shop.plannedBars(item, await shop.certificate(), 1, 'Proposed')
    await shop.approve(bar!.barId)
    await assign(await newTag('order', 'Block'), item.orderId)
    expect(await isWithdrawn(bar!.barId)).toBe(false)
    const { cutId } = bar!.cuts[0]!
    const change = {
      barStatus: 'Approved',
      cutId,
      ...item,
      from: 'Proposed',
      to: 'Accepted',
      remnantMm: 5_000,
    }
    await append(bar!, 1, 'CutStatusChanged', change)
    expect(await isWithdrawn(bar!.barId)).toBe(true)
  })

  it('when another certificate of the bar was set although it has a Block', async () => {
    const formerMillCertificationId = await shop.certificate()
    const [bar] = await shop.plannedBars(await shop.order(), formerMillCertificationId)
    await shop.approve(bar!.barId)
    const millCertificationId = await shop.certificate()
    await reject(millCertificationId)
    expect(await isWithdrawn(bar!.barId)).toBe(false)
    const change = { barStatus: 'Approved', millCertificationId, formerMillCertificationId }
    await append(bar!, 1, 'BarCertificateSet', change)
    expect(await isWithdrawn(bar!.barId)).toBe(true)
  })

  it('when a cut is taken away with the execution class that made a finding milder', async () => {
    const own = shop
    shop = await openShop(stage.store)
    const { companyId } = shop
    const [mild, strict] = [await shop.order('EXC3'), await shop.order('EXC2')]
    await shop.run(
      setReleasePolicy(companyId, {
        severities: { 'certificate-not-released': 'Block' },
        byExecutionClass: { EXC3: { 'certificate-not-released': 'Flag' } },
      }),
    )
    const cuts = [mild, strict].map((item) => ({ ...item, lengthMm: 1_000, status: 'Accepted' as const }))
    const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId: await shop.certificate(), cuts }
    const { body } = await shop.run(createPlan(companyId, { name: 'Week 18', bars: [bar] }))
    const [{ barId, cuts: planned }] = body.bars as [BarRecord]
    await shop.approve(barId)
    expect(await isWithdrawn(barId)).toBe(false)
    await shop.run(changeCutStatus({ companyId, barId }, planned[0]!.cutId, 'Rejected', emptyLookUps))
    expect(await isWithdrawn(barId)).toBe(true)
    shop = own
  })
})

it('keeps an approval whose Blocks are overridden, until there is another Block', async () => {
  const { millCertificationId, orderId, lineItemId } = await approved()
  const [bar] = await shop.plannedBars({ orderId, lineItemId }, millCertificationId)
  const { barId } = bar!
  await assign(await newTag('order', 'Block'), orderId)
  const refused = await shop.approve(barId).catch((refusal: Refusal<'bar-may-not-be-cut'>) => refusal)
  const findings = (refused as Refusal<'bar-may-not-be-cut'>).details.findings
    .filter(({ severity }) => severity === 'Block')
    .map(({ key }) => key)
  await shop.approve(barId, { findings, reason: 'The customer agreed.', reference: null })
  await assign(await newTag('millCert', 'Flag'), millCertificationId)
  expect(await isWithdrawn(barId)).toBe(false)
  await reject(millCertificationId)
  expect(await isWithdrawn(barId)).toBe(true)
})

it('withdraws each of many approvals once', async () => {
  const millCertificationId = await shop.certificate()
  const item = await shop.order()
  const barIds = await shop.approvedBars(item, millCertificationId, 250)
  await reject(millCertificationId)
  await settled()
  for (const barId of barIds)
    expect(await shop.eventsOf(barId)).toEqual(['BarOpened', 'BarApproved', 'BarApprovalWithdrawn'])
})

const rounds = sized(10, 200)

it(`leaves no Approved bar with a Block, and starts none, in ${rounds} races of two nodes`, {
  timeout: 600_000,
}, async () => {
  const { companyId } = shop
  const nodes = [executorOf(stage.store, noRuleBook), executorOf(stage.store, noRuleBook)] as const
  const item = await shop.order()
  const noneOfHeat = emptyLookUps
  const later = () => pause(Math.random() * 8)

  const race = async (round: number) => {
    const [one, other] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]]
    const millCertificationId = await shop.certificate()
    const [bar] = await shop.plannedBars(item, millCertificationId)
    const address = { companyId, barId: bar!.barId }
    const block = rejectCertificate({ companyId, millCertificationId }, 'Cracked.')
    let blockedAt = Number.POSITIVE_INFINITY
    let startedAt = Number.NEGATIVE_INFINITY
    const [, , start] = await Promise.allSettled([
      later()
        .then(() => one.execute(block, context))
        .then(() => {
          blockedAt = performance.now()
        }),
      later().then(() => other.execute(approveBar(address, noneOfHeat), context)),
      later().then(async () => {
        startedAt = performance.now()
        await runWorkflow(startBar(address, noneOfHeat), { ...other, newId: randomUUID }, context)
      }),
    ])
    const isTooLate = start.status === 'fulfilled' && blockedAt < startedAt
    return { barId: address.barId, isTooLate }
  }

  const raced: Awaited<ReturnType<typeof race>>[] = []
  for (let round = 0; round < rounds; round += 1) raced.push(await race(round))
  expect(raced.filter(({ isTooLate }) => isTooLate)).toEqual([])
  await settled()
  const last = await Promise.all(raced.map(async ({ barId }) => (await shop.eventsOf(barId)).at(-1)))
  expect(last).not.toContain('BarApproved')
})
