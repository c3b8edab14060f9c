import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { until } from '../support/until.ts'
import { service } from './visits.ts'

/** Records of a journey's own, so that it does not depend on what other journeys left behind. */

const steps = ['approve', 'start', 'complete'] as const
const stepsTo = { Draft: 0, Approved: 1, Started: 2, Completed: 3 } as const

export interface OwnBars {
  readonly orderId: string
  readonly barIds: readonly string[]
}

export interface OwnHeat {
  readonly certificateNumber: string
  readonly heatNumber: string
  readonly millCertificationId: string
}

/** Register a certificate of a new heat, which suits the bars of `planBars`. */
export async function registerHeat(): Promise<OwnHeat> {
  const heatNumber = `H ${randomUUID().slice(0, 8).toUpperCase()}`
  const certificateNumber = `Of ${heatNumber}`
  const { millCertificationId } = await send('POST', '/millcert/certificates', {
    certificateNumber,
    heatNumber,
    grade: 'S235JR',
    inspectionDocument: '3.1',
  })
  return { certificateNumber, heatNumber, millCertificationId }
}

/**
 * Plan bars for a new order, each with one piece, and take them to these states.
 *
 * @param millCertificationId certificate of all these bars; without it they have none
 */
export async function planBars(
  name: string,
  states: readonly (keyof typeof stepsTo)[],
  millCertificationId?: string,
): Promise<OwnBars> {
  const order = await send('POST', '/orders', {
    orderNumber: `${name.slice(0, 41)} ${randomUUID().slice(0, 8)}`,
    requiredInspectionDocument: '2.2',
    executionClass: 'EXC1',
    lineItems: [{ lineNumber: 10, grade: 'S235JR', lengthMm: 1_000, quantity: states.length }],
  })
  const { orderId, lineItems } = order
  const cut = { orderId, lineItemId: lineItems[0].lineItemId, lengthMm: 1_000, status: 'Accepted' }
  const bar = { stockLengthMm: 6_000, grade: 'S235JR', millCertificationId, cuts: [cut] }
  const plan = await send('POST', '/production-plans', { name, bars: states.map(() => bar) })
  const barIds: string[] = plan.bars.map(({ barId }: { barId: string }) => barId)
  for (const [index, state] of states.entries())
    for (const step of steps.slice(0, stepsTo[state])) await moveBar(barIds[index]!, step)
  await untilListed()
  return { orderId, barIds }
}

/** Wait until the list of bars shows everything that was sent. */
async function untilListed(): Promise<void> {
  const token = await tokenOf(service.dev, 'admin')
  const list = `${service.url}/api/company/${service.dev.companyId}/production-plan-bars?limit=1&include=verdict`
  const headers = { 'min-position': written }
  await until(async () => (await call('GET', list, { token, headers })).status === 200)
}

/** Position of the last event that was sent. */
let written = '0'

/** Carry out a step on a bar as somebody else than the person of the journey. */
export const moveBar = (barId: string, step: string, body?: object) =>
  send('POST', `/production-plan-bars/${barId}/${step}`, body)

/** Call the API of the company as its admin, and expect success. */
export async function send(method: string, path: string, body?: object) {
  const token = await tokenOf(service.dev, 'admin')
  const answer = await call(method, `${service.url}/api/company/${service.dev.companyId}${path}`, {
    token,
    ...(body && { body }),
  })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  written = answer.headers.get('commit-position') ?? written
  return answer.body
}
