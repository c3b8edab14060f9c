import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projections } from '../../../src/projections/all.ts'
import { own } from '../../support/own.ts'
import { sized } from '../../support/size.ts'
import { startStore } from '../../support/store.ts'
import { type Answer, startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'
import {
  carryOut,
  lineStatus,
  type ModelBar,
  pieceMm,
  recalledPieces,
  remnantOf,
  type Step,
  stockMm,
} from './floorModel.ts'

/** Random histories of the floor over two nodes, compared step by step with a model that shares no code with them. */

const [histories, atOnce] = sized([4, 4], [60, 4])
const playMs = sized(360_000, 600_000)
const lines = [10, 20]

const node = await own(startStore())
const service = await own(startTestService({ EVENTSTORE_URL: node.url, API_RATE_LIMIT: '1000000' }))
const another = await own(service.startAnother())

const status = fc.constantFrom('Proposed' as const, 'Accepted' as const, 'Rejected' as const)
const [bar, cut, line, certificate] = [fc.nat(7), fc.nat(3), fc.nat(1), fc.nat(1)]
const cuts = fc.array(fc.record({ line, status }), { minLength: 1, maxLength: 4 })
const planning = fc.record({ what: fc.constant('plan' as const), cuts, certificate })
const onward = fc.record({
  what: fc.constantFrom('approve' as const, 'start' as const, 'complete' as const),
  bar,
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: planning },
  { weight: 8, arbitrary: onward },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('reuse' as const), bar, pieces: fc.nat(2).map((n) => n + 1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('revert' as const),
      bar,
      to: fc.constantFrom('Draft' as const, 'Approved' as const, 'Started' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('cancel' as const), bar }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('scrap' as const), bar, cut }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('cut' as const), bar, cut, to: status }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('swap' as const), bar, certificate }) },
)
const steps = fc
  .tuple(planning, fc.array(step, { minLength: 10, maxLength: 30 }))
  .map(([first, more]) => [first, ...more])

const reason = 'As the dice fell.'

/** Play a history over both nodes. Compare every answer, and in the end everything that the nodes show. */
async function play(history: readonly Step[]): Promise<void> {
  const nodes = [service.url, another.url]
  let position = 0
  const send = async (n: number, method: string, path: string, body?: object): Promise<Answer> => {
    const headers: Record<string, string> = method === 'GET' ? { 'min-position': String(position) } : {}
    const answer = await service.send('admin', method, path, {
      at: nodes[n % 2]!,
      headers,
      ...(body && { body }),
    })
    position = Math.max(position, Number(answer.headers.get('commit-position') ?? 0))
    return answer
  }
  const certificateIds = await Promise.all(
    ['C-1', 'C-2'].map(async (number) => {
      const content = { certificateNumber: `${number} ${randomUUID()}`, heatNumber: randomUUID() }
      const asked = { ...content, grade: 'S355J2', inspectionDocument: '3.1' }
      return (await send(0, 'POST', 'millcert/certificates', asked)).body.millCertificationId as string
    }),
  )
  const order = {
    orderNumber: randomUUID(),
    lineItems: lines.map((lineNumber) => ({ lineNumber, lengthMm: pieceMm, quantity: 1 })),
  }
  const { orderId, lineItems } = (await send(0, 'POST', 'orders', order)).body
  const cutFor = ({ line, status }: { line: number; status: string }) => ({
    orderId,
    lineItemId: lineItems[line].lineItemId,
    lengthMm: pieceMm,
    status,
  })
  const made: { barId: string; cuts: { cutId: string }[] }[] = []
  const model: ModelBar[] = []
  const plan = (n: number, asked: object) =>
    send(n, 'POST', 'production-plans', { name: 'Plan', bars: [{ grade: 'S355J2', ...asked }] })

  const request = (n: number, step: Step): Promise<Answer> => {
    if (step.what === 'plan') {
      const millCertificationId = certificateIds[step.certificate]
      return plan(n, { stockLengthMm: stockMm, millCertificationId, cuts: step.cuts.map(cutFor) })
    }
    const { barId, cuts } = made[step.bar]!
    const path = `production-plan-bars/${barId}`
    switch (step.what) {
      case 'reuse':
        return plan(n, {
          stockLengthMm: step.pieces * pieceMm,
          fromBarId: barId,
          cuts: [cutFor({ line: 0, status: 'Accepted' })],
        })
      case 'revert':
        return send(n, 'POST', `${path}/revert`, { to: step.to, reason })
      case 'cancel':
        return send(n, 'POST', `${path}/cancel`, { reason })
      case 'scrap':
        return send(n, 'POST', `${path}/cuts/${cuts[step.cut]!.cutId}/scrap`, { reason })
      case 'cut':
        return send(n, 'PUT', `${path}/cuts/${cuts[step.cut]!.cutId}`, { status: step.to })
      case 'swap':
        return send(n, 'PUT', `${path}/certificate`, {
          millCertificationId: certificateIds[step.certificate],
          reason,
        })
      default:
        return send(n, 'POST', `${path}/${step.what}`)
    }
  }

  for (const [n, asked] of history.entries()) {
    const step = existing(asked, model)
    const expected = carryOut(model, step)
    const { status, body } = await request(n, step)
    expect({ n, step, code: status < 300 ? undefined : body.code }).toEqual({ n, step, code: expected })
    if (model.length > made.length) made.push(body.bars[0])
  }

  for (const n of [0, 1]) {
    const shown = await send(n, 'GET', `orders/${orderId}`)
    expect(shown.body.lineItems.map(({ status }: { status: string }) => status)).toEqual(
      lines.map((_, line) => lineStatus(model, line)),
    )
    const bars = await send(n, 'GET', `production-plan-bars?orderId=${orderId}`)
    const barOf = new Map<string, object>(bars.body.map((bar: { barId: string }) => [bar.barId, bar]))
    expect(made.map(({ barId }) => barOf.get(barId))).toMatchObject(
      model.map((bar) => ({
        status: bar.status,
        stockLengthMm: bar.stockMm,
        remnantMm: remnantOf(bar),
        fromBarId: bar.from === null ? null : made[bar.from]!.barId,
        millCertificationId: certificateIds[bar.certificate],
        cuts: bar.cuts.map(({ status }) => ({ status })),
      })),
    )
    const traced = await send(n, 'GET', `orders/${orderId}/traceability`)
    const counted = model.flatMap(({ status, cuts }, bar) =>
      cuts.flatMap((cut, m) =>
        status === 'Cancelled' || cut.status !== 'Accepted' ? [] : [made[bar]!.cuts[m]!.cutId],
      ),
    )
    expect(
      traced.body.lineItems
        .flatMap(({ cuts }: { cuts: { cutId: string }[] }) => cuts.map(({ cutId }) => cutId))
        .sort(),
    ).toEqual(counted.sort())
    for (const [certificate, id] of certificateIds.entries()) {
      const used = await send(n, 'GET', `millcert/certificates/${id}/usage`)
      const ids = new Set(used.body.bars.map(({ barId }: { barId: string }) => barId))
      expect(made.map(({ barId }) => ids.has(barId))).toEqual(
        model.map((bar) => bar.status !== 'Cancelled' && bar.certificate === certificate),
      )
      const recall = await send(n, 'GET', `recalls?millCertificationId=${id}`)
      const statesOn = new Map(
        recall.body.bars.map(({ barId, cuts }: { barId: string; cuts: { state: string }[] }) => [
          barId,
          cuts.map(({ state }) => state),
        ]),
      )
      expect(made.map(({ barId }) => statesOn.get(barId))).toEqual(
        model.map((bar) => recalledPieces(model, bar, certificate)),
      )
    }
  }
}

/** Return the step, on a bar and a cut that exist. */
function existing(step: Step, bars: readonly ModelBar[]): Step {
  if (step.what === 'plan') return step
  const bar = step.bar % bars.length
  return 'cut' in step ? { ...step, bar, cut: step.cut % bars[bar]!.cuts.length } : { ...step, bar }
}

describe('the floor', () => {
  it(
    'answers, rolls up and traces like the model, on both nodes',
    async () => {
      const share = (seed: number) =>
        fc.assert(fc.asyncProperty(steps, play), {
          numRuns: histories / atOnce,
          seed,
          endOnFailure: true,
          interruptAfterTimeLimit: playMs,
          markInterruptAsFailure: true,
        })
      await Promise.all(Array.from({ length: atOnce }, (_, n) => share(2_026 + n)))
    },
    playMs + 10_000,
  )

  it(
    'leaves read models that a replay of all events makes again',
    async () => {
      for (const { name } of projections) {
        const { body } = await service.send('operator', 'POST', `/api/ops/projections/${name}/verify`)
        let run = body
        await until(async () => {
          run = (await service.send('operator', 'GET', `/api/ops/runs/${body.runId}`)).body
          return run.status !== 'running'
        }, playMs)
        expect(run, name).toMatchObject({ status: 'succeeded', differenceCount: 0 })
      }
    },
    playMs,
  )
})
