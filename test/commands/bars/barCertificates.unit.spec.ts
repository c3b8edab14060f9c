import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readHeat, setBarCertificate } from '../../../src/commands/bars/barCertificates.ts'
import { approveBar, changeCutStatus } from '../../../src/commands/bars/bars.ts'
import { approvePlan } from '../../../src/commands/bars/planApproval.ts'
import { createPlan, type NewBar } from '../../../src/commands/bars/plans.ts'
import { voidCertificate } from '../../../src/commands/certificates/certificateDecisions.ts'
import { registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import { voidAndMoveBars } from '../../../src/commands/certificates/certificateVoiding.ts'
import type { Command, CommandContext, Workflow } from '../../../src/commands/executor/command.ts'
import { runWorkflow } from '../../../src/commands/executor/workflow.ts'
import { registerOrder } from '../../../src/commands/orders/orders.ts'
import { bareCertificate, orderContent } from '../../domain/verdict/facts.ts'
import { context, openYard, under, type Yard } from '../yard.ts'
import { emptyLookUps } from './lookUps.ts'

let yard: Yard
beforeAll(async () => {
  yard = await openYard()
})

const lookUps = emptyLookUps
const certifying = { lookUps, isQuality: async () => true }
const heatNumber = 'H-1'

function run<Answer>(useCase: Command<Answer> | Workflow<Answer>, how: CommandContext = context()) {
  const executor = yard.executor()
  return 'run' in useCase
    ? runWorkflow(useCase, { ...executor, newId: randomUUID }, how)
    : executor.execute(useCase, how)
}

async function newCertificate(): Promise<string> {
  const numbers = { certificateNumber: randomUUID(), heatNumber }
  return (await run(registerCertificate(yard.companyId, numbers, bareCertificate))).body.millCertificationId
}

async function plannedBars(...bars: Partial<NewBar>[]) {
  const bar = { stockLengthMm: 6_000, grade: 'S355J2+N', millCertificationId: null, cuts: [] }
  const plan = { name: 'Week 17', bars: bars.map((one) => ({ ...bar, ...one })) }
  return (await run(createPlan(yard.companyId, plan))).body
}

async function plannedBar(bar: Partial<NewBar>): Promise<string> {
  return (await plannedBars(bar)).bars[0]!.barId
}

function addressOf(barId: string) {
  return { companyId: yard.companyId, barId }
}

function certificateOf(millCertificationId: string) {
  return { companyId: yard.companyId, millCertificationId }
}

describe('the heat that was read off a bar', () => {
  const read = async (barId: string, ofHeat: readonly string[]) =>
    (await run(readHeat(addressOf(barId), { heatNumber }, async () => ofHeat, certifying))).body

  it('links its certificate when there is just one', async () => {
    const [one, other] = [await newCertificate(), await newCertificate()]
    const barId = await plannedBar({})
    expect(await read(barId, [one, other])).toMatchObject({ millCertificationId: null })
    expect(await read(barId, [one])).toMatchObject({ millCertificationId: one })
  })

  it('leaves a bar with its live certificate of that heat, and takes a voided one off', async () => {
    const [one, other] = [await newCertificate(), await newCertificate()]
    const barId = await plannedBar({ millCertificationId: one })
    expect(await read(barId, [one, other])).toMatchObject({ millCertificationId: one })
    await run(voidCertificate(certificateOf(one), 'Registered twice.', null))
    expect(await read(barId, [other])).toMatchObject({ millCertificationId: other })
  })
})

describe('a voided certificate', () => {
  it('is not replaced by itself', async () => {
    const one = await newCertificate()
    await expect(run(voidCertificate(certificateOf(one), 'Twice.', one))).rejects.toMatchObject({
      code: 'validation-failed',
    })
  })

  it('gives to its replacement only bars that still have it', async () => {
    const [voided, replacedBy, another] = [
      await newCertificate(),
      await newCertificate(),
      await newCertificate(),
    ]
    const [kept, changed] = [
      await plannedBar({ millCertificationId: voided }),
      await plannedBar({ millCertificationId: voided }),
    ]
    const found = [kept, changed].map((barId) => ({ barId, hasReplacement: false }))
    const findBars = async () => {
      await run(setBarCertificate(addressOf(changed), { millCertificationId: another }, certifying))
      return found
    }
    const voiding = { reason: 'Twice.', replacedBy }
    const { body } = await run(voidAndMoveBars(certificateOf(voided), voiding, { findBars, lookUps }))
    expect(body.movedBars).toEqual([
      { id: kept, changed: true },
      { id: changed, changed: false },
    ])
  })
})

describe('an approved bar', () => {
  it('takes no cut for an order whose demand its steel does not meet', async () => {
    const [line] = orderContent().lineItems
    const content = { ...orderContent(), lineItems: [{ ...line!, grade: 'S690QL' }] }
    const { orderId, lineItems } = (await run(registerOrder(yard.companyId, randomUUID(), content))).body
    const cut = {
      orderId,
      lineItemId: lineItems[0]!.lineItemId,
      lengthMm: 1_000,
      status: 'Proposed',
    } as const
    const { bars } = await plannedBars({ millCertificationId: yard.millCertificationId, cuts: [cut] })
    const { barId, cuts } = bars[0]!
    await run(approveBar(addressOf(barId), lookUps))
    const accepting = changeCutStatus(addressOf(barId), cuts[0]!.cutId, 'Accepted', lookUps)
    await expect(run(accepting)).rejects.toMatchObject({ code: 'bar-may-not-be-cut' })
  })
})

it('answers a repeated approval of all Draft bars with the bars that the first one approved', async () => {
  const { planId, bars } = await plannedBars({}, {})
  const approve = () => approvePlan({ companyId: yard.companyId, planId }, {}, lookUps)
  const key = under(randomUUID())
  const first = await run(approve(), key)
  expect(first.body).toEqual(bars.map(({ barId }) => ({ id: barId, changed: true })))
  expect(await run(approve(), key)).toEqual({ ...first, replayed: true })
})
