import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiProblem } from '../../src/portal/api/problem.ts'
import { sendTaps } from '../../src/portal/taps/sending.ts'
import type { Act, Tap } from '../../src/portal/taps/taps.ts'
import { call } from '../support/call.ts'
import { own } from '../support/own.ts'
import { startProxy } from '../support/proxy.ts'
import { isFullRun, sized } from '../support/size.ts'
import { startTestService } from '../support/testService.ts'

/**
 * The taps of a saw go to the real service through a network that breaks at random, before or after the service has
 * recorded them. Each start and each tap that takes it back is refused if it comes twice or in another order.
 */

const tapCount = sized(50, 400)
const barCount = 5
/**
 * For each request, when the network breaks: after what share of the time that the last answered request took, or never.
 * After these it stays. However quick the machine is, half of the breaks come before the answer.
 */
const share = fc.integer({ min: 0, max: 20 }).map((tenths) => tenths / 10)
const cuts = fc.sample(fc.option(share, { freq: 2 }), { seed: 20_260_302, numRuns: 3 * tapCount })

const service = await own(startTestService({ API_RATE_LIMIT: '1000000' }))
const proxy = await own(startProxy(service.url))

it(
  'applies each tap once and in order, however the network breaks',
  async () => {
    const barIds = await approvedBars()
    const kept = new Map(tapsOn(barIds).map((tap) => [tap.key, tap]))
    const taps = [...kept.values()]
    const token = await service.identity.token({ oid: 'cutter', name: 'Cutter', roles: [] })
    let answerMs = 10
    const send = async (tap: Tap, ifMatch: string) => {
      const cutAfter = cuts.pop() ?? null
      const began = performance.now()
      const answered = sendThrough(tap, ifMatch, token).then((reply) => {
        answerMs = performance.now() - began
        return reply
      })
      const [reply] = await Promise.all([
        answered,
        cutAfter !== null && delay(cutAfter * answerMs).then(() => proxy.cut()),
      ])
      return reply
    }
    const store = {
      read: () => [...kept.values()],
      write: (tap: Tap) => void kept.set(tap.key, tap),
      remove: (key: string) => void kept.delete(key),
    }
    const isDone = () => store.read().every(({ sentAt, refusal }) => sentAt !== undefined || refusal)
    let lost = 0
    while (!isDone())
      await sendTaps({ store, userId: 'cutter', send, onSent: () => {}, now: Date.now }).catch(() => {
        lost++
      })

    expect(lost, 'requests without an answer').toBeGreaterThan(tapCount / 20)
    expect(store.read().filter(({ refusal }) => refusal)).toEqual([])
    for (const barId of barIds) {
      const tapped = taps.filter((tap) => tap.barId === barId)
      expect(await recordedOn(barId)).toEqual(tapped.map(({ act, performedAt }) => [act.kind, performedAt]))
    }
  },
  isFullRun ? 900_000 : undefined,
)

/** Return the taps: each bar is started, taken back, started again, and so on, all bars by turns. */
function tapsOn(barIds: readonly string[]): readonly Tap[] {
  const first = Date.now() - 60_000
  return Array.from({ length: tapCount }, (_, index) => {
    const isStart = Math.floor(index / barCount) % 2 === 0
    const act: Act = isStart
      ? { kind: 'start' }
      : { kind: 'takeBack', to: 'Approved', reason: 'Tapped by mistake.' }
    return {
      key: randomUUID(),
      order: first + index,
      userId: 'cutter',
      companyId: service.companyId,
      act,
      barId: barIds[index % barCount]!,
      barName: 'Week 17 · 1',
      revision: 1,
      performedAt: new Date(first + index).toISOString(),
    }
  })
}

/** @throws ApiProblem, or a TypeError when nothing answers */
async function sendThrough({ key, barId, act, performedAt }: Tap, ifMatch: string, token: string) {
  const [command, body] =
    act.kind === 'takeBack' ? ['revert', { to: act.to, reason: act.reason }] : ['start', {}]
  const url = `${proxy.url}api/company/${service.companyId}/production-plan-bars/${barId}/${command}`
  const answer = await call('POST', url, {
    token,
    body: { ...body, performedAt },
    headers: { 'idempotency-key': key, 'if-match': ifMatch },
  })
  if (answer.status >= 400) throw new ApiProblem(answer.body)
  return { etag: answer.headers.get('etag') ?? undefined }
}

async function approvedBars(): Promise<readonly string[]> {
  const { body: order } = await service.send('planner', 'POST', 'orders', {
    body: {
      orderNumber: 'SO-1',
      lineItems: [{ lineNumber: 10, lengthMm: 2_000, quantity: 5, grade: 'S355J2' }],
    },
  })
  const { body: certificate } = await service.send('planner', 'POST', 'millcert/certificates', {
    body: { certificateNumber: 'C 1', heatNumber: 'H 1', grade: 'S355J2', inspectionDocument: '3.1' },
  })
  const { orderId, lineItems } = order
  const cut = { orderId, lineItemId: lineItems[0].lineItemId, lengthMm: 2_000, status: 'Accepted' }
  const { millCertificationId } = certificate
  const bar = { stockLengthMm: 6_000, grade: 'S355J2', millCertificationId, cuts: [cut] }
  const { body: plan } = await service.send('planner', 'POST', 'production-plans', {
    body: { name: 'Week 17', bars: Array.from({ length: barCount }, () => bar) },
  })
  const barIds = plan.bars.map(({ barId }: { barId: string }) => barId)
  for (const barId of barIds) {
    const { status } = await service.send('planner', 'POST', `production-plan-bars/${barId}/approve`)
    expect(status).toBe(204)
  }
  return barIds
}

const kinds: Readonly<Record<string, Act['kind']>> = { BarStarted: 'start', BarReverted: 'takeBack' }

/** Return the taps that the history of the bar tells, oldest first. */
async function recordedOn(barId: string): Promise<readonly (readonly [string, string])[]> {
  const { body } = await service.send('viewer', 'GET', `production-plan-bars/${barId}/history?limit=500`)
  return (body as { kind: string; performedAt: string | null }[])
    .filter(({ performedAt }) => performedAt !== null)
    .map(({ kind, performedAt }) => [kinds[kind] ?? kind, performedAt!] as const)
    .reverse()
}
