import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { approveBar, startBar } from '../../../src/commands/bars/bars.ts'
import { createPlan } from '../../../src/commands/bars/plans.ts'
import { releaseCertificates } from '../../../src/commands/certificates/certificateDecisions.ts'
import { registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import { voidAndMoveBars } from '../../../src/commands/certificates/certificateVoiding.ts'
import type { CommandContext, Executor, Workflow } from '../../../src/commands/executor/command.ts'
import { runWorkflow } from '../../../src/commands/executor/workflow.ts'
import { productionPlanBarKey, productionPlanBarStream } from '../../../src/domain/bars/bar.ts'
import { millCertificateKey, millCertificateStream } from '../../../src/domain/certificates/certificate.ts'
import { bareCertificate } from '../../domain/verdict/facts.ts'
import { emptyLookUps } from '../bars/lookUps.ts'
import { breakingOff, context, openYard, under, type Yard } from '../yard.ts'

/** Decisions on many records that break off at any of their appends: each record is decided on once in the end. */

let yard: Yard
beforeAll(async () => {
  yard = await openYard()
})

const breaks = [
  ['before', false],
  ['just after', true],
] as const
const requests = [
  ['without a key', () => context()],
  ['under its key', () => under(randomUUID())],
] as const
const places = breaks.flatMap(([place, justAfter]) =>
  requests.map(([repeat, request]) => [place, repeat, { justAfter, request }] as const),
)

function run<Answer>(workflow: Workflow<Answer>, how: CommandContext, executor: Executor = yard.executor()) {
  return runWorkflow(workflow, { ...executor, newId: randomUUID }, how)
}

/** Break the workflow off after this many appends, then repeat it to its end. */
async function breakOffAndRepeat<Answer>(
  workflow: Workflow<Answer>,
  how: CommandContext,
  appends: number,
  justAfter: boolean,
): Promise<Answer> {
  const broken = yard.executor(breakingOff(yard.store, appends, justAfter))
  await expect(run(workflow, how, broken)).rejects.toThrow()
  return (await run(workflow, how)).body
}

async function certificate(): Promise<string> {
  const numbers = { certificateNumber: randomUUID(), heatNumber: 'H-1' }
  const command = registerCertificate(yard.companyId, numbers, bareCertificate)
  return (await yard.executor().execute(command, context())).body.millCertificationId
}

function certificateEvents(id: string) {
  return yard.typesIn(millCertificateStream(millCertificateKey(yard.companyId, id)))
}

function barEvents(barId: string) {
  return yard.typesIn(productionPlanBarStream(productionPlanBarKey(yard.companyId, barId)))
}

const count = 4

describe.each(places)(
  'broken off %s an append, and repeated %s,',
  (_place, _repeat, { justAfter, request }) => {
    it('a release of many certificates releases each of them once', async () => {
      for (let appends = 0; appends < count; appends += 1) {
        const ids = await Promise.all(Array.from({ length: count }, certificate))
        const release = releaseCertificates(yard.companyId, { ids, note: null }, emptyLookUps)
        const results = await breakOffAndRepeat(release, request(), appends, justAfter)
        expect(results.map(({ id, refusal }) => [id, refusal])).toEqual(ids.map((id) => [id, undefined]))
        for (const id of ids)
          expect(await certificateEvents(id)).toEqual(['MillCertificateRegistered', 'CertificateReleased'])
      }
    })

    it('a voiding moves each bar once, and voids the certificate once', async () => {
      // One append for each bar, and one for the certificate.
      for (let appends = 0; appends <= count; appends += 1) {
        const [voided, replacedBy] = [await certificate(), await certificate()]
        const barIds = await plannedBars(voided)
        const voiding = voidAndMoveBars(
          { companyId: yard.companyId, millCertificationId: voided },
          { reason: 'Registered twice.', replacedBy },
          {
            lookUps: emptyLookUps,
            findBars: async () =>
              Promise.all(
                barIds.map(async (barId) => ({
                  barId,
                  hasReplacement: (await barEvents(barId)).includes('BarCertificateSet'),
                })),
              ),
          },
        )
        const { status } = await breakOffAndRepeat(voiding, request(), appends, justAfter)
        expect(status).toBe('Voided')
        expect(await certificateEvents(voided)).toEqual(['MillCertificateRegistered', 'CertificateVoided'])
        const all = ['BarOpened', 'BarApproved', 'BarStarted', 'BarCertificateSet']
        expect(await Promise.all(barIds.map(barEvents))).toEqual([
          all,
          all.filter((type) => type !== 'BarStarted'),
          ['BarOpened', 'BarCertificateSet'],
          ['BarOpened', 'BarCertificateSet'],
        ])
      }
    })
  },
)

/** Plan four bars of the certificate: one is Started, one Approved, two are drafts. */
async function plannedBars(millCertificationId: string): Promise<string[]> {
  const { companyId, orderId, lineItemIds } = yard
  const cuts = [{ orderId, lineItemId: lineItemIds[0], lengthMm: 2_000, status: 'Accepted' as const }]
  const bars = new Array(count).fill({ stockLengthMm: 6_000, grade: 'S355J2', millCertificationId, cuts })
  const { body } = await run(createPlan(companyId, { name: 'Week 17', bars }), context())
  const barIds = body.bars.map(({ barId }) => barId)
  const [started, approved] = barIds.map((barId) => ({ companyId, barId }))
  const { execute } = yard.executor()
  const noneOfHeat = emptyLookUps
  for (const address of [started!, approved!]) await execute(approveBar(address, noneOfHeat), context())
  await run(startBar(started!, noneOfHeat), context())
  return barIds
}
