import { derivedId } from '../../domain/kernel/identifiers.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { type Caller, countNew, loadEach, requestsInFlight } from './caller.ts'
import { type BarStatus, barStatuses, type ExampleBar, type ExamplePlan } from './examples.ts'
import { certificateKey, type RegisteredOrder, type Subjects } from './subjects.ts'

/**
 * Plan all bars, then run one plan after the other. Print the statuses of the line items that both plans cut: such a
 * line is `In Progress` after the first plan, and `Completed` only after the second.
 */
export async function loadPlans(
  caller: Caller,
  plans: readonly ExamplePlan[],
  subjects: Subjects,
): Promise<void> {
  await loadEach(caller, 'plans', plans, (plan) => planBars(caller, plan, subjects), countNew)

  const shared = sharedLines(plans)
  const seen = [await statusesOf(caller, shared, subjects)]
  for (const [index, plan] of plans.entries()) {
    await runPlan(caller, plan, `bars, plan ${index + 1}`)
    seen.push(await statusesOf(caller, shared, subjects))
  }
  for (const [index, { orderNumber, lineNumber }] of shared.entries()) {
    const course = new Set(seen.map((statuses) => statuses[index]))
    caller.output.write(`${orderNumber}, line ${lineNumber}, cut by both plans: ${[...course].join(' → ')}\n`)
  }
}

/** Record the plan with its bars, unless it is there. */
export async function planBars(
  { planner, company, companyId }: Caller,
  plan: ExamplePlan,
  subjects: Subjects,
): Promise<{ readonly isNew: boolean }> {
  const { status } = await planner('POST', `${company}/production-plans`, planBody(companyId, plan, subjects))
  return { isNew: status === 201 }
}

function planBody(companyId: string, plan: ExamplePlan, subjects: Subjects) {
  const planId = planIdOf(companyId, plan)
  const bars = plan.bars.map((bar, index) => barBody(barIdOf(planId, index), bar, subjects))
  return { planId, name: plan.name, bars }
}

function barBody(barId: string, bar: ExampleBar, { certificateIds, orders }: Subjects) {
  const { stockLengthMm, grade } = bar
  const millCertificationId = certificateIds.get(certificateKey(bar))
  if (bar.certificateNumber && !millCertificationId) {
    throw new Error(`examples: the plans name no known certificate ${certificateKey(bar)}`)
  }
  const pieces = bar.cuts.flatMap((cut) => Array.from({ length: cut.pieces }, () => cut))
  const cuts = pieces.map(({ orderNumber, lineNumber, lengthMm, status }, index) => {
    const order = orders.get(orderNumber)
    const line = order?.lineItems.find((item) => item.lineNumber === lineNumber)
    if (!order || !line)
      throw new Error(`examples: the plans name no known ${orderNumber}, line ${lineNumber}`)
    const { orderId } = order
    return { cutId: cutIdOf(barId, index), orderId, lineItemId: line.lineItemId, lengthMm, status }
  })
  return { barId, stockLengthMm, grade, ...(millCertificationId && { millCertificationId }), cuts }
}

/** Bring each bar of the plan to the status that the example names. A bar that is further stays as it is. */
async function runPlan(caller: Caller, plan: ExamplePlan, label: string): Promise<void> {
  const { company, companyId, planner } = caller
  const planId = planIdOf(companyId, plan)
  const { body } = await planner<{ bars: { barId: string; status: BarStatus }[] }>(
    'GET',
    `${company}/production-plans/${planId}`,
  )
  const statusOf = new Map(body.bars.map(({ barId, status }) => [barId, status]))

  await loadEach(
    caller,
    label,
    plan.bars,
    async (bar, index) => {
      const barId = barIdOf(planId, index)
      const steps = operationsBetween(statusOf.get(barId) ?? 'Draft', bar.status)
      const path = `${company}/production-plan-bars/${barId}`
      const { heatNumber } = bar
      for (const step of steps) {
        await planner('POST', `${path}/${step}`)
        // EN 1090-2 asks for it in the classes 3 and 4.
        if (step === 'approve' && heatNumber) await planner('PUT', `${path}/certificate`, { heatNumber })
      }
      if (steps.at(-1) === 'approve') await startByMistake(caller, path)
      return steps
    },
    (taken) => {
      const count = (step: string) => taken.flat().filter((one) => one === step).length
      return `${taken.length}: ${count('approve')} approved, ${count('start')} started, ${count('complete')} completed`
    },
  )
}

/** The wrong bar is started, and taken back. Its history shows both. */
async function startByMistake({ planner }: Caller, bar: string): Promise<void> {
  await planner('POST', `${bar}/start`)
  await planner('POST', `${bar}/revert`, { to: 'Approved', reason: 'The wrong bar was on the saw.' })
}

const operationTo: Record<BarStatus, string> = {
  Draft: '',
  Approved: 'approve',
  Started: 'start',
  Completed: 'complete',
}

/** Return the operations that lead from one status to the other. There are none when the bar is already that far. */
function operationsBetween(from: BarStatus, to: BarStatus): string[] {
  const passed = barStatuses.slice(barStatuses.indexOf(from) + 1, barStatuses.indexOf(to) + 1)
  return passed.map((status) => operationTo[status])
}

type Line = { readonly orderNumber: string; readonly lineNumber: number }

/** Return the line items that every plan cuts a piece of. */
function sharedLines([first, ...others]: readonly ExamplePlan[]): Line[] {
  const keyOf = ({ orderNumber, lineNumber }: Line) => `${orderNumber} ${lineNumber}`
  const linesOf = (plan: ExamplePlan) =>
    new Map(plan.bars.flatMap((bar) => bar.cuts.map((cut) => [keyOf(cut), cut] as const)))
  const inOthers = others.map(linesOf)
  return first ? [...linesOf(first).values()].filter((line) => inOthers.every((o) => o.has(keyOf(line)))) : []
}

function statusesOf({ company, planner }: Caller, lines: readonly Line[], { orders }: Subjects) {
  return concurrently(requestsInFlight, lines, async ({ orderNumber, lineNumber }) => {
    const { orderId } = orders.get(orderNumber)!
    const { body } = await planner<RegisteredOrder>('GET', `${company}/orders/${orderId}`)
    return body.lineItems.find((line) => line.lineNumber === lineNumber)!.status
  })
}

/** Ids are derived from the company, the plan's name and the index in it, so that a repeat uses the same ids. */
export function planIdOf(companyId: string, plan: ExamplePlan) {
  return derivedId(companyId, 'examplePlan', plan.name)
}
export function barIdOf(planId: string, bar: number) {
  return derivedId(planId, 'bar', bar)
}
function cutIdOf(barId: string, cut: number) {
  return derivedId(barId, 'cut', cut)
}
