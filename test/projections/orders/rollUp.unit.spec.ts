import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import { withdrawApproval } from '../../../src/domain/bars/barApproval.ts'
import { setBarCertificate } from '../../../src/domain/bars/barCertificate.ts'
import { plannedCutStatuses } from '../../../src/domain/bars/barContent.ts'
import { revertBar, scrapCut } from '../../../src/domain/bars/barCorrections.ts'
import { changeCutStatus } from '../../../src/domain/bars/barCuts.ts'
import { barSteps, type ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import { cancelBar, openBar } from '../../../src/domain/bars/barWork.ts'
import {
  createPlan,
  type ProductionPlanEvent,
  planBars,
  productionPlan,
} from '../../../src/domain/bars/plan.ts'
import { fold } from '../../../src/domain/kernel/aggregate.ts'
import type { DomainEvent, Recorded } from '../../../src/domain/kernel/event.ts'
import { Refusal } from '../../../src/domain/kernel/refusal.ts'
import { lineItemStatuses } from '../../../src/domain/orders/lineItemStatus.ts'
import type { OrderEvent } from '../../../src/domain/orders/order.ts'
import { production } from '../../../src/projections/bars/production.ts'
import type { Row } from '../../../src/projections/engine/rows/rows.ts'
import { orders } from '../../../src/projections/orders/orders.ts'
import { countColumns } from '../../../src/projections/orders/orderTables.ts'
import { approve, complete, start, unblocked } from '../../domain/bars/productionFacts.ts'
import { lineItem, orderRegistered } from '../../domain/verdict/facts.ts'
import { companyId, contextOf, id, recorded, stored } from '../../support/given.ts'
import { cases } from '../../support/size.ts'
import { foldInMemory } from '../foldInMemory.ts'
import { portions } from '../histories.ts'
import { inBatches } from '../inBatches.ts'
import { allByKey } from '../tables.ts'

/*
 * Random histories, made by the decisions themselves: several plans, bars that share line items, rejected
 * and changed cuts, plans that come late or never, bars that go back, lose their approval or their certificate, or are
 * cancelled, pieces that are scrapped. Then their events in random orders, as far as causes come before effects.
 */

const runs = cases
const testTimeout = 600_000
const orderId = id(1)
const lineItemId = (n: number) => id(10 + n)
const planId = (n: number) => id(50 + n)
const barId = (n: number) => id(100 + n)
const cutId = (bar: number, n: number) => id(1_000 + 100 * bar + n)

interface AskedBar {
  readonly plan: number
  readonly cuts: readonly { readonly lineItem: number; readonly status: CutStatus }[]
}
/** Most steps take a bar onward, so that many a line item is Completed, some of them again and again. */
const whats = [
  'plan',
  'plan',
  'plan',
  'advance',
  'advance',
  'advance',
  'advance',
  'advance',
  'start',
  'complete',
  'cut',
  'cut',
  'revert',
  'cancel',
  'scrap',
  'swap',
  'withdraw',
] as const
type What = (typeof whats)[number]
type CutStatus = (typeof plannedCutStatuses)[number]
interface Step {
  readonly what: What
  readonly bar: number
  readonly cut: number
  readonly to: CutStatus
}

const status = fc.constantFrom(...plannedCutStatuses)
const bars = fc.array(
  fc.record<AskedBar>({
    plan: fc.nat(2),
    cuts: fc.array(fc.record({ lineItem: fc.nat(2), status }), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 6 },
)
const steps = fc.array(
  fc.record<Step>({ what: fc.constantFrom(...whats), bar: fc.nat(5), cut: fc.nat(3), to: status }),
  { maxLength: 60, size: 'max' },
)

const onward = {
  Draft: (bar: OpenedBar) => approve(bar, contextOf()),
  Approved: start,
  Started: complete,
  Completed: () => [],
  Cancelled: () => [],
}

/** A decision for each step on a bar. */
const decisions: Record<
  Exclude<What, 'plan'>,
  (bar: OpenedBar, step: Pick<Step, 'cut' | 'to'>) => readonly ProductionPlanBarEvent[]
> = {
  advance: (bar) => onward[bar.status](bar),
  start,
  complete,
  cut: (bar, { cut, to }) => onCut(bar, cut, (one) => changeCutStatus(bar, one, to)),
  scrap: (bar, { cut }) => onCut(bar, cut, (one) => scrapCut(bar, one, 'Cut too short.')),
  revert: (bar, { cut }) =>
    revertBar(
      bar,
      { to: barSteps[cut % 3] as 'Draft', reason: 'The wrong bar.' },
      { judgement: unblocked, dispatchedCuts: [], isQuality: true, isPlanner: false, context: contextOf() },
    ),
  cancel: (bar) => cancelBar(bar, 'The order is cancelled.', []),
  swap: (bar, { cut }) =>
    setBarCertificate(
      bar,
      { millCertificationId: id(30 + cut), reason: 'The stamp says so.' },
      { isKnown: true, judgement: unblocked, isQuality: true, context: contextOf() },
    ),
  withdraw: (bar) => withdrawApproval(bar, blocked),
}

const blocked = { ...unblocked, verdictOn: () => ({ mayBeApproved: false, mayBeCut: false, findings: [] }) }

function onCut<Result>(
  { cuts }: OpenedBar,
  cut: number,
  decide: (cut: OpenedBar['cuts'][number]) => readonly Result[],
): readonly Result[] {
  const one = cuts[cut % Math.max(1, cuts.length)]
  return one ? decide(one) : []
}

/** A stream under way: its events so far, and the state that they fold to. */
const streamOf = <State, Event extends DomainEvent>(aggregate: Parameters<typeof fold<State, Event>>[0]) => {
  const events: Event[] = []
  let known: { readonly events: number; readonly state: State } | undefined
  const state = () => {
    if (known?.events !== events.length)
      known = { events: events.length, state: fold(aggregate, aggregate.initial, stored(events)) }
    return known.state
  }
  const decide = (decision: (state: State) => readonly Event[]) => {
    try {
      events.push(...decision(state()))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return { events, state, decide }
}

const play = (asked: readonly AskedBar[], steps: readonly Step[]) => {
  const plans = [0, 1, 2].map(() => streamOf(productionPlan))
  const opened = asked.map((bar, n) => {
    const stream = streamOf(productionPlanBar)
    const content = {
      stockLengthMm: 6_000,
      grade: 'S355J2+N',
      millCertificationId: null,
      cuts: bar.cuts.map(({ lineItem, status }, m) => ({
        cutId: cutId(n, m),
        orderId,
        lineItemId: lineItemId(lineItem),
        lengthMm: 2_500,
        status,
      })),
    }
    const ref = { companyId, planId: planId(bar.plan), barId: barId(n) }
    stream.decide((state) => openBar(state, ref, content, contextOf()))
    return stream
  })
  const isPlanned = (n: number) => plans[asked[n]!.plan]!.state()?.plannedAt.has(barId(n)) ?? false
  for (const { what, bar, cut, to } of steps) {
    const n = bar % asked.length
    const stream = opened[n]!
    if (what === 'plan') {
      const ref = { companyId, planId: planId(asked[n]!.plan) }
      plans[asked[n]!.plan]!.decide((state) =>
        state ? planBars(state, [stream.state()!]) : createPlan(state, ref, 'Plan', [stream.state()!]),
      )
    } else if (isPlanned(n)) stream.decide((state) => decisions[what](state!, { cut, to }))
  }
  return { plans, opened, planned: opened.filter((_, n) => isPlanned(n)).map(({ state }) => state()!) }
}

/** All events in one order: each stream's own is kept, and a bar is planned before anything happens to it. */
const shuffled = ({ plans, opened }: ReturnType<typeof play>, picks: readonly number[]): Recorded[] => {
  const streams: (ProductionPlanEvent | ProductionPlanBarEvent)[][] = [...plans, ...opened].map(
    ({ events }) => [...events],
  )
  const revisions = streams.map(() => 0)
  const done = { opened: new Set<string>(), planned: new Set<string>() }
  const isReady = ([event]: (typeof streams)[number]) => {
    if (!event) return false
    if (event.type === 'BarOpened' || event.type === 'ProductionPlanCreated') return true
    if (event.type === 'BarsPlanned') return event.data.barIds.every((one) => done.opened.has(one))
    return done.planned.has(event.data.barId)
  }
  const order: Recorded[] = []
  for (let turn = 0; ; turn += 1) {
    const ready = [...streams.keys()].filter((n) => isReady(streams[n]!))
    if (ready.length === 0) break
    const n = ready[(picks[turn % picks.length] ?? 0) % ready.length]!
    const event = streams[n]!.shift()!
    if (event.type === 'BarOpened') done.opened.add(event.data.barId)
    if (event.type === 'BarsPlanned') for (const one of event.data.barIds) done.planned.add(one)
    const [{ metadata }] = stored([event]) as [Recorded]
    const place = { id: id(turn), streamName: String(n), revision: revisions[n]!++, position: turn + 1 }
    order.push({ ...event, ...place, metadata })
  }
  expect(streams.flat()).toStrictEqual([])
  return order
}

/** The contract's words, from every cut there is. */
const recount = (bars: readonly OpenedBar[]) =>
  [0, 1, 2].map((n) => {
    const on = bars.flatMap((bar) =>
      (bar.status === 'Cancelled' ? [] : bar.cuts)
        .filter((cut) => cut.lineItemId === lineItemId(n) && cut.status === 'Accepted')
        .map(() => bar.status),
    )
    if (on.length > 0 && on.every((status) => status === 'Completed')) return 'Completed'
    return on.some((status) => status === 'Started' || status === 'Completed') ? 'In Progress' : 'Open'
  })

type Rows = Readonly<Record<string, readonly Row[]>>

const statusesIn = ({ lineItemProgress }: Rows) =>
  [0, 1, 2].map((n) => lineItemProgress!.find((row) => row.lineItemId === lineItemId(n))?.status ?? 'Open')

/** The order with the three line items, as it was registered before anything was planned. */
const registered = recorded([
  {
    ...orderRegistered(),
    data: {
      ...orderRegistered().data,
      orderId,
      lineItems: [0, 1, 2].map((n) => ({ ...lineItem(10), lineNumber: n + 1, lineItemId: lineItemId(n) })),
    },
  },
])

/** A correction that cancels the last line. Cuts for it go on counting: the steel is cut. */
const lineCancelled = (position: number): Recorded[] =>
  registered.map((event) => {
    const { lineItems, ...data } = event.data as Extract<OrderEvent, { type: 'OrderRegistered' }>['data']
    const cancelled = lineItems.map((line, n) => ({ ...line, cancelled: n === 2 }))
    const corrected = { ...data, lineItems: cancelled, changes: [] }
    return { ...event, type: 'OrderCorrected', data: corrected, revision: 1, position }
  })

/** Counts of its line items by their status, in the order of the statuses. */
const ofOrder = ({ order }: Rows) =>
  lineItemStatuses.flatMap((status) => {
    const lineItems = order![0]![countColumns[status]] as number
    return lineItems > 0 ? [{ status, lineItems }] : []
  })

describe('the roll-up of line items', () => {
  it(
    'equals a recount of all cuts, in any order of the events of different bars',
    () =>
      fc.assert(
        fc.property(bars, steps, fc.array(fc.nat(), { minLength: 1 }), (asked, steps, picks) => {
          const history = play(asked, steps)
          const events = shuffled(history, picks)
          const statuses = recount(history.planned)
          const before = picks[0]! % (events.length + 1)
          const corrected = [...events.slice(0, before), ...lineCancelled(before), ...events.slice(before)]
          const rolledUp = foldInMemory(orders, [...registered, ...corrected])
          expect(statusesIn(rolledUp)).toStrictEqual(statuses)
          expect(ofOrder(rolledUp)).toStrictEqual(
            lineItemStatuses
              .map((status) => ({ status, lineItems: statuses.filter((one) => one === status).length }))
              .filter(({ lineItems }) => lineItems > 0),
          )
          const rows = foldInMemory(production, events)
          for (const bar of history.planned)
            expect(rows.bar!.find((row) => row.barId === bar.barId)).toMatchObject({
              ordinal: expect.any(Number),
              status: bar.status,
              remnantMm: bar.remnantMm,
              millCertificationId: bar.millCertificationId,
              revision: bar.revision,
            })
          const planned = rows.plan!.reduce((sum, { barCount }) => sum + (barCount as number), 0)
          expect(planned).toBe(history.planned.length)
        }),
        { numRuns: runs },
      ),
    testTimeout,
  )

  it(
    'is the same for batches of any size',
    () =>
      fc.assert(
        fc.property(
          bars,
          steps,
          fc.array(fc.nat(), { minLength: 1 }),
          portions,
          (asked, steps, picks, portioned) => {
            const events = [...registered, ...shuffled(play(asked, steps), picks)]
            const all = events.map((event, index) => ({ ...event, position: index + 1 }))
            for (const projection of [orders, production])
              expect(allByKey(projection, inBatches(projection, portioned(all)))).toStrictEqual(
                allByKey(projection, foldInMemory(projection, all)),
              )
          },
        ),
        { numRuns: runs / 2 },
      ),
    testTimeout,
  )

  it('reaches every status in many of these histories', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(bars, steps, (asked, steps) => {
        for (const status of recount(play(asked, steps).planned))
          seen.set(status, (seen.get(status) ?? 0) + 1)
      }),
      { numRuns: 300 },
    )
    for (const status of lineItemStatuses) expect(seen.get(status)).toBeGreaterThan(20)
  })
})
