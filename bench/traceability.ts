import { lineItemIdOf } from '../src/domain/kernel/identifiers.ts'
import type { GetResult, GetTask } from './getLoad.ts'
import { type MeasuredService, runLoad, withService } from './processes.ts'
import type { Figure } from './report.ts'
import { send } from './request.ts'
import { planBars, registerCertificate } from './yard.ts'

/** Measures the traceability of a large order: 500 lines with 5,000 cuts, of ten heats. */

const section = 'traceability of 500 lines and 5,000 cuts'
const seconds = 8
const lines = 500
const bars = 500
const cutsOfBar = 10
const heats = 10

export function traceability(): Promise<Figure[]> {
  return withService(async (service) => {
    const url = await prepare(service)
    const headers = { authorization: `Bearer ${await service.token('admin')}` }
    const task: GetTask = { url, headers, connections: 1, seconds }
    const { perSecond, p99Ms, failed } = await runLoad<GetResult>('getLoad.ts', task)
    if (failed > 0) throw new Error(`${failed} requests failed`)
    return [
      { section, what: 'one caller', value: 1_000 / perSecond, unit: 'ms' },
      { section, what: 'one caller, p99', value: p99Ms, unit: 'ms' },
    ]
  })
}

/** Plan the cuts of one order. Each bar holds cuts for ten lines, and each heat is on every tenth bar. */
async function prepare({ url, dev, token }: MeasuredService): Promise<string> {
  const company = `${url}/api/company/${dev.companyId}`
  const planner = await token('planner')
  const certificateIds: string[] = []
  for (let n = 0; n < heats; n++) {
    const numbers = { certificateNumber: `MC-${n}`, heatNumber: `H ${n}` }
    certificateIds.push(await registerCertificate(company, planner, numbers))
  }
  const order = await send(`${company}/orders`, planner, 'POST', {
    orderNumber: 'SO-1',
    requiredInspectionDocument: '3.1',
    executionClass: 'EXC2',
    lineItems: Array.from({ length: lines }, (_, n) => ({
      lineNumber: n + 1,
      grade: 'S355J2',
      lengthMm: 500,
      quantity: (bars * cutsOfBar) / lines,
    })),
  })
  const orderId = order.orderId!
  const cut = (n: number) => {
    const lineItemId = lineItemIdOf(dev.companyId, orderId, (n % lines) + 1)
    return { orderId, lineItemId, lengthMm: 500, status: 'Accepted' }
  }
  const bar = (n: number) => ({
    stockLengthMm: 6_000,
    grade: 'S355J2',
    millCertificationId: certificateIds[n % heats],
    cuts: Array.from({ length: cutsOfBar }, (_, place) => cut(n * cutsOfBar + place)),
  })
  await planBars(
    company,
    planner,
    Array.from({ length: bars }, (_, n) => bar(n)),
  )
  return `${company}/orders/${orderId}/traceability`
}
