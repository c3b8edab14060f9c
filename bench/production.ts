import type { BarTask } from './barLoad.ts'
import type { LoadResult } from './commandLoad.ts'
import { type MeasuredService, runLoad, startService } from './processes.ts'
import { type Figure, median } from './report.ts'
import { type Order, type Plan, send } from './request.ts'

/** Measures bars that 32 callers start and complete, and the cost of one start beside ten times as many plans. */

const section = 'production'
const barsAPlan = 500
const plans = 4
const cutsABar = 8
const callers = 32
/** Plans of the small service and of the large one. */
const few = 20
const many = 10 * few
const startsARound = 100
const rounds = 5

type LineItem = { orderId: string; lineItemId: string }

type Planner = Awaited<ReturnType<typeof planner>>

export async function productionBars(): Promise<Figure[]> {
  const small = await startService()
  try {
    const large = await startService()
    const costs = await costOfOneStart(await planner(small), await planner(large)).finally(large.stop)
    return [...(await startedAndCompleted(await planner(small))), ...costs]
  } finally {
    await small.stop()
  }
}

async function planner({ url, dev, token }: MeasuredService) {
  const bearer = await token('planner')
  const company = `${url}/api/company/${dev.companyId}`
  const post = <Answer>(path: string, body: object) =>
    send<Answer>(`${company}/${path}`, bearer, 'POST', body)
  const lineItems = Array.from({ length: 100 }, (_, n) => ({
    lineNumber: n + 1,
    lengthMm: 600,
    quantity: 200,
  }))
  const order = await post<Order>('orders', { orderNumber: 'SO-1', lineItems })
  const { orderId } = order
  const items = order.lineItems.map(({ lineItemId }): LineItem => ({ orderId, lineItemId }))

  const run = async (task: Omit<BarTask, 'token'>): Promise<LoadResult> => {
    const result = await runLoad<LoadResult>('barLoad.ts', { ...task, token: bearer } satisfies BarTask)
    if (result.failed > 0) throw new Error(`${result.failed} commands failed or were pending`)
    return result
  }
  /** Create a plan whose cuts spread over all line items, approve its bars, and return their addresses. */
  const approvedBars = async (count: number): Promise<string[]> => {
    const bars = Array.from({ length: count }, (_, bar) => ({
      stockLengthMm: 6_000,
      grade: 'S355J2',
      cuts: Array.from({ length: cutsABar }, (_, cut) => ({
        ...items[(bar * cutsABar + cut) % items.length]!,
        lengthMm: 600,
        status: 'Accepted',
      })),
    }))
    const plan = await post<Plan>('production-plans', { name: 'Plan', bars })
    const urls = plan.bars.map(({ barId }) => `${company}/production-plan-bars/${barId}`)
    await run({ urls, operations: ['approve'], inFlight: callers })
    return urls
  }
  return { run, approvedBars, emptyPlan: () => post('production-plans', { name: 'Plan' }) }
}

/** Measure two services in turn, so that both run under the same circumstances. */
async function costOfOneStart(small: Planner, large: Planner): Promise<Figure[]> {
  for (let n = 0; n < few; n += 1) await small.emptyPlan()
  for (let n = 0; n < many; n += 1) await large.emptyPlan()
  const costs: { few: number; many: number }[] = []
  for (let round = 0; round <= rounds; round += 1)
    costs.push({ few: await oneStart(small), many: await oneStart(large) })
  // The first round warms both up.
  const measured = costs.slice(1)
  const what = (plans: number) => `one start beside ${plans} plans, p50`
  return [
    { section, what: what(few), value: median(measured.map((cost) => cost.few)), unit: 'ms' },
    {
      section,
      what: what(many),
      value: median(measured.map((cost) => cost.many)),
      unit: 'ms',
      ratio: { to: `beside ${few}`, value: median(measured.map((cost) => cost.many / cost.few)) },
    },
  ]
}

/** Return the median time of one start, in ms. */
async function oneStart({ run, approvedBars }: Planner): Promise<number> {
  const urls = await approvedBars(startsARound)
  return (await run({ urls, operations: ['start'], inFlight: 1 })).p50Ms
}

async function startedAndCompleted({ run, approvedBars }: Planner): Promise<Figure[]> {
  const urls: string[] = []
  for (let n = 0; n < plans; n += 1) urls.push(...(await approvedBars(barsAPlan)))
  const { perSecond, p50Ms, p99Ms } = await run({
    urls,
    operations: ['start', 'complete'],
    inFlight: callers,
  })
  const what = `${urls.length} bars × ${cutsABar} cuts started and completed by ${callers} callers`
  return [
    { section, what, value: perSecond, unit: 'commands/s' },
    { section, what: `${what}, p50`, value: p50Ms, unit: 'ms' },
    { section, what: `${what}, p99`, value: p99Ms, unit: 'ms' },
  ]
}
