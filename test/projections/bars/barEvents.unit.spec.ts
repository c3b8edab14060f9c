import { expect, it } from 'vitest'
import type { DomainEvent } from '../../../src/domain/kernel/event.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import { production } from '../../../src/projections/bars/production.ts'
import {
  bar,
  barApproved,
  barCancelled,
  barCompleted,
  barId,
  barOpened,
  barReverted,
  barStarted,
  barsPlanned,
  cut,
  cutScrapped,
  cutStatusChanged,
  planCreated,
} from '../../domain/bars/productionFacts.ts'
import { alice, companyId, id, recorded, rowsOf, timeOf } from '../../support/given.ts'

/** Every event of a bar, with the columns that it changes. All other columns stay as they were. */

const [accepted, proposed] = [cut(id(701)), cut(id(702), { status: 'Proposed' })]
const findings = [
  { key: 'k', code: 'demand-unstated', severity: 'Flag', message: 'The line states no grade.' },
]
const override = { findings: ['k'], reason: 'The designer agreed.', reference: 'DR 17' }
const approved = { ...barApproved, data: { ...barApproved.data, findings, override } }
const draft = [
  barOpened(2_000, { cuts: [accepted, proposed], millCertificationId: id(20) }),
  planCreated('Week 17', barId),
  barsPlanned([barId]),
]
const [released, started] = [
  [...draft, approved],
  [...draft, approved, barStarted()],
]
const completed = [...started, barCompleted()]
const judged = <Event extends DomainEvent>(event: Event) => ({
  ...event,
  data: { ...event.data, findings, judgedBy },
})
const of = (type: string, data: object = {}) => ({ type, data: { ...bar, ...data } })

/** The author and the time of the event at a place in a list. */
const by = (n: number) => ({ by: alice.id, at: timeOf(n) })
const overridden = (n: number) => ({ ...override, ...by(n) })
const judgement = (n: number) => ({ at: timeOf(n), judgedBy, findings })
const isDraft = {
  status: 'Draft',
  approvedAt: null,
  startedAt: null,
  completedAt: null,
  approval: null,
  judgement: null,
  overrides: [],
}
const setCertificate = of('BarCertificateSet', { millCertificationId: id(21) })

interface Case {
  readonly given: readonly DomainEvent[]
  readonly event: DomainEvent
  readonly change: object
  readonly cuts?: readonly object[]
}

const cases: readonly Case[] = [
  {
    given: draft,
    event: approved,
    change: {
      status: 'Approved',
      approvedAt: timeOf(3),
      approval: { ...by(3), override },
      judgement: judgement(3),
      overrides: [overridden(3)],
    },
  },
  {
    given: released,
    event: of('BarApprovalWithdrawn', { findings }),
    change: { ...isDraft, withdrawal: { at: timeOf(4), findings } },
  },
  {
    given: released,
    event: of('FindingsOverridden', override),
    change: { overrides: [overridden(3), overridden(4)] },
  },
  {
    given: released,
    event: judged(setCertificate),
    change: {
      millCertificationId: id(21),
      overrides: [],
      judgement: judgement(4),
      approval: { ...by(3), override: null },
    },
  },
  { given: draft, event: setCertificate, change: { millCertificationId: id(21) } },
  {
    given: draft,
    event: of('BarHeatRead', { heatNumber: ' h  47', marked: true }),
    change: {
      heatRead: { ...by(3), heatNumber: ' h  47', marked: true },
      heatKey: 'H 47',
      heatNearKey: 'H47',
    },
  },
  { given: released, event: barStarted(), change: { status: 'Started', startedAt: timeOf(4) } },
  { given: started, event: barCompleted(), change: { status: 'Completed', completedAt: timeOf(5) } },
  {
    given: completed,
    event: barReverted('Completed', 'Started'),
    change: { status: 'Started', completedAt: null },
  },
  {
    given: completed,
    event: judged(barReverted('Completed', 'Approved')),
    change: { status: 'Approved', startedAt: null, completedAt: null, judgement: judgement(6) },
  },
  { given: completed, event: barReverted('Completed', 'Draft'), change: isDraft },
  { given: released, event: barCancelled('Approved'), change: { ...isDraft, status: 'Cancelled' } },
  { given: completed, event: of('RemnantTaken'), change: {} },
  {
    given: started,
    event: cutScrapped(accepted, 'Started'),
    change: {},
    cuts: [{ status: 'Scrapped', revision: 0 }, {}],
  },
  {
    given: released,
    event: judged(cutStatusChanged(proposed, 'Accepted', 'Approved', 4)),
    change: { remnantMm: 4, judgement: judgement(4) },
    cuts: [{}, { status: 'Accepted', revision: 0 }],
  },
]

it.each(cases.map((one) => ({ type: one.event.type, ...one })))(
  '$type changes these columns, and no others',
  ({ given, event, change, cuts }) => {
    const before = rowsOf(production, ...given)
    const after = rowsOf(production, ...given, event)
    const { revision } = recorded([...given, event]).at(-1)!
    expect(after.bar).toEqual([{ ...before.bar![0], updatedAt: timeOf(given.length), revision, ...change }])
    expect(after.cut).toEqual(before.cut!.map((row, n) => ({ ...row, ...cuts?.[n] })))
  },
)

it('keeps the revision of each event in its row', () => {
  const revisions = (...events: DomainEvent[]) => {
    const { plan, bar, cut, dispatch } = rowsOf(production, ...events)
    return [plan, bar, cut, dispatch].map((rows) => rows!.map(({ revision }) => revision))
  }
  const dispatched = { orderId: id(30), dispatchId: id(31), date: '2026-03-01', reference: 'D', cuts: [] }
  const dispatch = { type: 'OrderDispatched', data: { companyId, ...dispatched } }
  expect(revisions(...draft.slice(0, 2), dispatch)).toEqual([[0], [0], [0, 0], [0]])
  expect(revisions(...draft, dispatch, dispatch)).toEqual([[1], [0], [0, 0], [1]])
})
