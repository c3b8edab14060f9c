import { randomUUID } from 'node:crypto'
import { approveBar } from '../../src/commands/bars/bars.ts'
import type { BarRecord } from '../../src/commands/bars/plannedBar.ts'
import { createPlan } from '../../src/commands/bars/plans.ts'
import { registerCertificate } from '../../src/commands/certificates/certificates.ts'
import { registerCompany } from '../../src/commands/company/companies.ts'
import type { Command, Workflow } from '../../src/commands/executor/command.ts'
import { runWorkflow } from '../../src/commands/executor/workflow.ts'
import { registerOrder } from '../../src/commands/orders/orders.ts'
import { productionPlanBarKey, productionPlanBarStream } from '../../src/domain/bars/bar.ts'
import type { CutStatus } from '../../src/domain/bars/barContent.ts'
import type { OverrideRequest } from '../../src/domain/bars/keptJudgement.ts'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import type { ExecutionClass } from '../../src/domain/orders/orderContent.ts'
import { noRuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import { concurrently } from '../../src/lib/concurrently.ts'
import { approvalReview } from '../../src/policies/approvalReview.ts'
import { lookUpsIn } from '../../src/projections/bars/lookUps.ts'
import type { EventStore } from '../../src/stores/eventStore.ts'
import { emptyLookUps } from '../commands/bars/lookUps.ts'
import { bareCertificate, bareLine, bareOrder } from '../domain/verdict/facts.ts'
import { executorOf } from './connect.ts'
import { context, type Stage } from './stage.ts'

/** A company whose bars are approved, and the policy that reviews them. */

export function reviewOf({ store, reader }: Pick<Stage, 'store' | 'reader'>) {
  return approvalReview({
    execute: executorOf(store, noRuleBook).execute,
    lookUps: lookUpsIn(reader),
    newId: randomUUID,
  })
}

export interface Shop {
  readonly companyId: string
  run<Answer>(useCase: Command<Answer> | Workflow<Answer>): ReturnType<typeof runWorkflow<Answer>>
  certificate(content?: Partial<CertificateContent>, heatNumber?: string): Promise<string>
  /** An order of one line of S355J2. */
  order(executionClass?: ExecutionClass): Promise<Item>
  /** Plan Draft bars of the certificate, each with one cut for the line. */
  plannedBars(
    item: Item,
    millCertificationId: string,
    count?: number,
    status?: CutStatus,
  ): Promise<readonly BarRecord[]>
  approve(barId: string, override?: OverrideRequest): Promise<unknown>
  /** Plan bars with an Accepted cut, approve them, and return their ids. */
  approvedBars(item: Item, millCertificationId: string, count?: number): Promise<readonly string[]>
  /** The types of the events on the bar. */
  eventsOf(barId: string): Promise<string[]>
}

export interface Item {
  readonly orderId: string
  readonly lineItemId: string
}

/** The most bars of a plan in one request. */
const barsOfPlan = 500

export async function openShop(store: EventStore): Promise<Shop> {
  const companyId = randomUUID()
  const executor = executorOf(store, noRuleBook)
  const run: Shop['run'] = (useCase) =>
    'run' in useCase
      ? runWorkflow(useCase, { ...executor, newId: randomUUID }, context)
      : executor.execute(useCase, context)
  await run(registerCompany(companyId, 'Shop'))

  const approve: Shop['approve'] = (barId, override) =>
    run(approveBar({ companyId, barId }, emptyLookUps, override))
  const plannedBars: Shop['plannedBars'] = async (
    item,
    millCertificationId,
    count = 1,
    status = 'Accepted',
  ) => {
    const cuts = [{ ...item, lengthMm: 1_000, status }]
    const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId, cuts }
    const planned: BarRecord[] = []
    while (planned.length < count) {
      const bars = new Array(Math.min(barsOfPlan, count - planned.length)).fill(bar)
      planned.push(...(await run(createPlan(companyId, { name: 'Week 17', bars }))).body.bars)
    }
    return planned
  }
  return {
    companyId,
    run,
    async certificate(content = {}, heatNumber = randomUUID()) {
      const numbers = { certificateNumber: randomUUID(), heatNumber }
      const { body } = await run(
        registerCertificate(companyId, numbers, { ...bareCertificate, manufacturer: 'Mill', ...content }),
      )
      return body.millCertificationId
    },
    async order(executionClass = 'EXC2') {
      const { body } = await run(
        registerOrder(companyId, randomUUID(), {
          ...bareOrder,
          requiredInspectionDocument: '3.1',
          executionClass,
          lineItems: [bareLine({ lineNumber: 10, grade: 'S355J2', lengthMm: 1_000, quantity: 9 })],
        }),
      )
      return { orderId: body.orderId, lineItemId: body.lineItems[0]!.lineItemId }
    },
    plannedBars,
    approve,
    async approvedBars(item, millCertificationId, count) {
      const barIds = (await plannedBars(item, millCertificationId, count)).map(({ barId }) => barId)
      await concurrently(16, barIds, (barId) => approve(barId))
      return barIds
    },
    async eventsOf(barId) {
      const stream = productionPlanBarStream(productionPlanBarKey(companyId, barId))
      return (await Array.fromAsync(store.readStream(stream, 0))).map(({ type }) => type)
    },
  }
}
