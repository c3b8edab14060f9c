import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { BarTask } from './barLoad.ts'
import type { CommandTask, LoadResult } from './commandLoad.ts'
import { type MeasuredService, residentMiB, runLoad, withService } from './processes.ts'
import type { Figure } from './report.ts'
import { type Order, type Plan, send } from './request.ts'

/**
 * Measures how long 10,000 approved bars of one certificate stay Approved after it was rejected, and how much slower
 * the commands of another company are meanwhile.
 */

const bars = 10_000
const section = `${bars.toLocaleString('en')} approvals withdrawn`
const barsAPlan = 500
const callers = 32
const beside = { inFlight: 4, seconds: 5 }

export function approvalReview(): Promise<Figure[]> {
  return withService(measure)
}

async function measure(service: MeasuredService): Promise<Figure[]> {
  const company = `${service.url}/api/company/${service.dev.companyId}`
  const [planner, quality, task] = [
    await service.token('planner'),
    await service.token('admin'),
    await commandsOfAnother(service),
  ]
  const { millCertificationId, urls } = await plan(company, planner)
  const approving: BarTask = { urls, operations: ['approve'], inFlight: callers, token: planner }
  const approved = await runLoad<LoadResult>('barLoad.ts', approving)
  if (approved.failed > 0) throw new Error(`${approved.failed} bars were not approved, or not shown in time`)
  await untilReviewed(service)

  const alone = await runLoad<LoadResult>('commandLoad.ts', task)
  const before = residentMiB(service.pid)
  const began = performance.now()
  await send(`${company}/millcert/certificates/${millCertificationId}/reject`, quality, 'POST', {
    reason: 'Cracked.',
  })
  const withdrawn = untilNoneApproved(company, planner)
  const [during, most] = await Promise.all([
    loadUntil(withdrawn, task),
    mostMemory(service.pid, withdrawn),
    withdrawn,
  ])
  const seconds = ((await withdrawn) - began) / 1_000
  const ratio = { to: 'without the review', value: during.p50Ms / alone.p50Ms, most: 2 }
  return [
    { section, what: 'approvals by 32 callers', value: approved.perSecond, unit: 'commands/s' },
    { section, what: 'until the last one is shown', value: seconds, unit: 's' },
    {
      section,
      what: 'tag updates of another company, 4 in flight, p50',
      value: during.p50Ms,
      unit: 'ms',
      ratio,
    },
    { section, what: 'additional memory of the service', value: most - before, unit: 'MiB' },
  ]
}

async function commandsOfAnother({ url, token }: MeasuredService): Promise<CommandTask> {
  const admin = await token('platformAdmin')
  const companyId = randomUUID()
  await send(`${url}/api/companies`, admin, 'POST', { companyId, name: 'Another' })
  const tags = `${url}/api/company/${companyId}/millcert-tags`
  const names = ['one', 'two', 'three', 'four']
  const made = await Promise.all(names.map((name) => send(tags, admin, 'POST', { name, color: '#1f77b4' })))
  return { urls: made.map(({ tagId }) => `${tags}/${tagId}`), token: admin, ...beside }
}

/** Plan the bars, each with one cut, and return their addresses. */
async function plan(company: string, token: string) {
  const { millCertificationId } = await send(`${company}/millcert/certificates`, token, 'POST', {
    certificateNumber: 'MC-1',
    heatNumber: 'H 1',
    standard: 'EN 10025-2',
    grade: 'S355J2',
    inspectionDocument: '3.1',
  })
  const order = await send<Order>(`${company}/orders`, token, 'POST', {
    orderNumber: 'SO-1',
    requiredInspectionDocument: '3.1',
    executionClass: 'EXC2',
    lineItems: [{ lineNumber: 1, grade: 'S355J2', lengthMm: 500, quantity: bars }],
  })
  const { lineItemId } = order.lineItems[0]!
  const cuts = [{ orderId: order.orderId, lineItemId, lengthMm: 500, status: 'Accepted' }]
  const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId, cuts }
  const urls: string[] = []
  while (urls.length < bars) {
    const planned = await send<Plan>(`${company}/production-plans`, token, 'POST', {
      name: 'Saw',
      bars: new Array(barsAPlan).fill(bar),
    })
    urls.push(...planned.bars.map(({ barId }) => `${company}/production-plan-bars/${barId}`))
  }
  return { millCertificationId, urls }
}

async function untilReviewed({ url, token }: MeasuredService): Promise<void> {
  const headers = { authorization: `Bearer ${await token('operator')}` }
  const lag = /^heatmark_policy_lag_seconds\{policy="approvalReview"\} (\S+)/m
  for (;;) {
    const text = await (await fetch(`${url}/metrics`, { headers })).text()
    if (Number(lag.exec(text)?.[1]) === 0) return
    await pause(200)
  }
}

/** Return the time from which no bar is shown as Approved. */
async function untilNoneApproved(company: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  for (;;) {
    const answer = await fetch(`${company}/production-plan-bars?status=Approved&limit=1`, { headers })
    if (((await answer.json()) as unknown[]).length === 0) return performance.now()
    await pause(200)
  }
}

/** Send commands as long as the work is under way, and return the figures of the median run. */
async function loadUntil(work: Promise<unknown>, task: CommandTask): Promise<LoadResult> {
  let isOver = false
  work.finally(() => {
    isOver = true
  })
  const results: LoadResult[] = []
  while (!isOver) results.push(await runLoad<LoadResult>('commandLoad.ts', { ...task, seconds: 2 }))
  return results.sort((a, b) => a.p50Ms - b.p50Ms)[results.length >> 1]!
}

async function mostMemory(pid: number, work: Promise<unknown>): Promise<number> {
  let most = 0
  let isOver = false
  work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    most = Math.max(most, residentMiB(pid))
    await pause(100)
  }
  return most
}
