import { lineItemIdOf } from '../src/domain/kernel/identifiers.ts'
import type { GetResult, GetTask } from './getLoad.ts'
import { type MeasuredService, residentMiB, runLoad, withService } from './processes.ts'
import type { Figure } from './report.ts'
import { send } from './request.ts'
import { planBars, registerCertificate } from './yard.ts'

/** Measures the recall of a heat that is in 2,000 bars and 20,000 cuts of 40 orders. */

const section = 'recall of a heat in 2,000 bars and 20,000 cuts'
const seconds = 15
const orders = 40
const lines = 50
const bars = 2_000
const cutsOfBar = 10

export function recalls(): Promise<Figure[]> {
  return withService(async (service) => {
    const url = await prepare(service)
    const headers = { authorization: `Bearer ${await service.token('admin')}` }
    const before = residentMiB(service.pid)
    const task: GetTask = { url, headers, connections: 1, seconds }
    const { p50Ms, p99Ms, failed } = await runLoad<GetResult>('getLoad.ts', task)
    if (failed > 0) throw new Error(`${failed} requests failed`)
    return [
      { section, what: 'one caller, p50', value: p50Ms, unit: 'ms' },
      { section, what: 'one caller, p99', value: p99Ms, unit: 'ms' },
      { section, what: 'memory that the recalls add', value: residentMiB(service.pid) - before, unit: 'MiB' },
    ]
  })
}

async function prepare({ url, dev, token }: MeasuredService): Promise<string> {
  const company = `${url}/api/company/${dev.companyId}`
  const planner = await token('planner')
  const numbers = { certificateNumber: 'MC-1', heatNumber: 'H 4711' }
  const millCertificationId = await registerCertificate(company, planner, numbers)
  const orderIds: string[] = []
  for (let n = 0; n < orders; n++) {
    const { orderId } = await send(`${company}/orders`, planner, 'POST', {
      orderNumber: `SO-${n}`,
      requiredInspectionDocument: '3.1',
      executionClass: 'EXC2',
      lineItems: Array.from({ length: lines }, (_, line) => ({
        lineNumber: line + 1,
        grade: 'S355J2',
        lengthMm: 500,
        quantity: 10,
      })),
    })
    orderIds.push(orderId!)
  }
  const cut = (n: number) => {
    const orderId = orderIds[n % orders]!
    const lineItemId = lineItemIdOf(dev.companyId, orderId, (Math.floor(n / orders) % lines) + 1)
    return { orderId, lineItemId, lengthMm: 500, pieceMark: `B-${n}`, status: 'Accepted' }
  }
  const bar = (n: number) => ({
    stockLengthMm: 6_000,
    grade: 'S355J2',
    millCertificationId,
    cuts: Array.from({ length: cutsOfBar }, (_, place) => cut(n * cutsOfBar + place)),
  })
  await planBars(
    company,
    planner,
    Array.from({ length: bars }, (_, n) => bar(n)),
  )
  return `${company}/recalls?heatNumber=H%204711`
}
