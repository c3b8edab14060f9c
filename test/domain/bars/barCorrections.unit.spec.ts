import { describe, expect, it } from 'vitest'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import { type Judgement, overrideFindings } from '../../../src/domain/bars/barApproval.ts'
import { readHeat, setBarCertificate } from '../../../src/domain/bars/barCertificate.ts'
import {
  type Reverting,
  type RevertRequest,
  revertBar,
  scrapCut,
} from '../../../src/domain/bars/barCorrections.ts'
import { changeCutStatus, findCut } from '../../../src/domain/bars/barCuts.ts'
import type { ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import { holdingStop } from '../../../src/domain/bars/barStop.ts'
import { cancelBar, completeBar } from '../../../src/domain/bars/barWork.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import type { Finding } from '../../../src/domain/verdict/verdict.ts'
import { alice, bob, given, id, timeOf } from '../../support/given.ts'
import { block, finding, rejected, request } from './barJudgements.ts'
import {
  accepted,
  approve,
  bar,
  barApproved,
  barCancelled,
  barCompleted,
  barOpened,
  barReverted,
  barStarted,
  cut,
  cutScrapped,
  start,
  unblocked,
} from './productionFacts.ts'

const [first, second] = [cut(id(701)), cut(id(702), { status: 'Proposed' })]
const counts = [accepted(10, 1)]
const reason = 'The wrong bar.'
const history = [
  barOpened(2_000, { cuts: [first, second] }),
  barApproved,
  barStarted(...counts),
  barCompleted(...counts),
]
const [draft, approved, started, completed] = [1, 2, 3, 4].map((events) =>
  given(productionPlanBar, ...history.slice(0, events)),
) as [Given, Given, Given, Given]
type Given = ReturnType<typeof given<OpenedBar | undefined, (typeof history)[number]>>
const cancelledBar = given(productionPlanBar, ...history.slice(0, 2), barCancelled('Approved', ...counts))
const statuses = [
  ...[draft, approved, started, completed].map((of) => of.state!.status),
  cancelledBar.state!.status,
] as const

const quality = { isQuality: true, isPlanner: false }
const nobody = { isQuality: false, isPlanner: false }
/** Revert as somebody, some minutes after the first event. The bar was started at 2 and completed at 3. */
const reverting =
  (
    to: RevertRequest['to'],
    who: Pick<Reverting, 'isQuality' | 'isPlanner'>,
    { actor = alice, minute = 3, judgement = unblocked, dispatchedCuts = [] as string[] } = {},
  ) =>
  (state: OpenedBar) =>
    revertBar(
      state,
      { to, reason },
      {
        ...who,
        judgement,
        dispatchedCuts,
        context: { actor, occurredAt: timeOf(minute), now: timeOf(minute) },
      },
    )
const forbidden = 'forbidden'

describe('taking a bar back', () => {
  it('is refused when a piece has left, whoever asks', () =>
    completed
      .when(reverting('Started', quality, { dispatchedCuts: [first.cutId] }))
      .refuses('cut-dispatched', { cutIds: [first.cutId] }))

  it('records both steps, and the line items of its Accepted cuts', () => {
    approved.when(reverting('Draft', quality)).records(barReverted('Approved', 'Draft', ...counts))
    started.when(reverting('Draft', quality)).records(barReverted('Started', 'Draft', ...counts))
    completed.when(reverting('Started', quality)).records(barReverted('Completed', 'Started', ...counts))
  })

  it('is refused to the present step or a later one, and on a Cancelled bar', () => {
    const steps = ['Draft', 'Approved', 'Started'] as const
    for (const [n, of] of [draft, approved, started].entries())
      for (const to of steps.slice(n))
        of.when(reverting(to, quality)).refuses('bar-not-revertible', { state: statuses[n] })
    for (const to of steps)
      cancelledBar.when(reverting(to, quality)).refuses('bar-not-revertible', { state: 'Cancelled' })
  })

  it('lets a Planner take back an approval, and nothing more', () => {
    const planner = { isQuality: false, isPlanner: true }
    approved
      .when(reverting('Draft', planner, { actor: bob }))
      .records(barReverted('Approved', 'Draft', ...counts))
    approved.when(reverting('Draft', nobody)).refuses(forbidden)
    started.when(reverting('Approved', planner, { actor: bob })).refuses(forbidden)
    started.when(reverting('Draft', planner, { actor: bob })).refuses(forbidden)
  })

  it('lets people take back their own start and completion for ten minutes', () => {
    const own = (minute: number) => reverting('Started', nobody, { minute })
    completed.when(own(13)).records(barReverted('Completed', 'Started', ...counts))
    expect(() => reverting('Started', nobody, { minute: 14 })(completed.state!)).toThrow(
      expect.objectContaining({ code: forbidden }),
    )
    completed.when(reverting('Started', nobody, { actor: bob })).refuses(forbidden)
    expect(reverting('Approved', nobody, { minute: 12 })(started.state!)).toHaveLength(1)
    started.when(reverting('Approved', nobody, { minute: 13 })).refuses(forbidden)
  })

  it('to an earlier step needs each step on the way to be one that the caller may take back', () => {
    const bobs = { ...history[3]!, metadata: { actor: bob } }
    const both = given(productionPlanBar, ...history.slice(0, 3), bobs)
    both.when(reverting('Approved', nobody, { actor: bob })).refuses(forbidden)
    both.when(reverting('Approved', nobody)).refuses(forbidden)
    expect(reverting('Approved', nobody)(completed.state!)).toHaveLength(1)
    completed.when(reverting('Draft', nobody)).refuses(forbidden)
    expect(reverting('Draft', { isQuality: false, isPlanner: true })(completed.state!)).toHaveLength(1)
  })

  const blocked: Judgement = {
    policy: { fourEyes: false },
    verdictOn: ({ overrides }) => ({
      mayBeApproved: overrides.length > 0,
      mayBeCut: overrides.length > 0,
      findings: [block],
    }),
  }

  it('to Approved judges the bar as for an approval', () => {
    const back = barReverted('Started', 'Approved', ...counts)
    started
      .when(reverting('Approved', quality))
      .records({ ...back, data: { ...back.data, findings: [], judgedBy } } as typeof back)
    started
      .when(reverting('Approved', quality, { judgement: blocked }))
      .refuses('bar-may-not-be-cut', { findings: [block] })
    expect(reverting('Draft', quality, { judgement: blocked })(started.state!)).toHaveLength(1)
  })

  it('keeps an override as long as the bar stays approved', () => {
    const request = { findings: [block.key], reason: 'The designer agreed.', reference: null }
    const overridden = overrideFindings(completed.state!, blocked, request, {
      actor: alice,
      occurredAt: timeOf(4),
    })
    const covered = [...history, ...overridden]
    given(productionPlanBar, ...covered).when((state) => {
      expect(reverting('Approved', quality, { judgement: blocked })(state)).toHaveLength(1)
      return []
    })
    const back = (to: RevertRequest['to']) =>
      given(productionPlanBar, ...covered, barReverted('Completed', to, ...counts)).state!
    expect(back('Approved').overrides).toHaveLength(1)
    expect(back('Draft').overrides).toHaveLength(0)
  })

  it('forgets the steps that it undoes', () => {
    const back = (to: RevertRequest['to']) =>
      given(productionPlanBar, ...history, barReverted('Completed', to, ...counts)).state
    const approval = { by: alice.id, at: timeOf(1), override: null }
    const none = { approvedAt: null, approval: null, startedAt: null, completedAt: null }
    expect(back('Draft')).toMatchObject({ ...none, status: 'Draft', revision: 4 })
    expect(back('Approved')).toMatchObject({ ...none, status: 'Approved', approvedAt: timeOf(1), approval })
    const begun = {
      status: 'Started',
      approvedAt: timeOf(1),
      approval,
      startedAt: timeOf(2),
      completedAt: null,
    }
    expect(back('Started')).toMatchObject(begun)
  })

  it('lets the bar go on from there', () => {
    const again = given(productionPlanBar, ...history, barReverted('Completed', 'Draft', ...counts))
    again.when(approve).records(barApproved)
    const reverted = given(productionPlanBar, ...history, barReverted('Completed', 'Approved', ...counts))
    reverted.when(start).records(barStarted(...counts))
  })
})

describe('a bar that was completed in spite of a Block', () => {
  const completedWith = (...uncovered: Finding[]): ProductionPlanBarEvent => ({
    type: 'BarCompleted',
    data: { ...bar, lineItems: counts, uncovered },
  })
  const stopped = completedWith(rejected)
  const held = given(productionPlanBar, ...history.slice(0, 3), stopped)
  const back = [...history.slice(0, 3), stopped, barReverted('Completed', 'Started', ...counts)]
  const startedAgain = given(productionPlanBar, ...back)

  it('keeps its stop when the completion is taken back, and goes no further back', () => {
    held.when(reverting('Started', nobody)).records(barReverted('Completed', 'Started', ...counts))
    expect(startedAgain.state!.stop).toEqual(held.state!.stop)
    for (const to of ['Draft', 'Approved'] as const) {
      held.when(reverting(to, quality)).refuses('pieces-held', { state: 'Completed' })
      startedAgain.when(reverting(to, quality)).refuses('pieces-held', { state: 'Started' })
    }
  })

  it('keeps the findings of both completions', () => {
    const completing = (judgement: Judgement) => (state: OpenedBar) => completeBar(state, judgement)
    startedAgain.when(completing(unblocked)).records(completedWith(rejected))
    startedAgain.when(completing(finding(rejected))).records(completedWith(rejected))
    startedAgain.when(completing(finding(block))).records(completedWith(block, rejected))
  })

  it('keeps its cuts as they are, and its certificate unless Quality sets another', () => {
    const change = (cutId: string, to: 'Accepted' | 'Rejected') => (state: OpenedBar) =>
      changeCutStatus(state, findCut(state, cutId)!, to)
    startedAgain.when(change(first.cutId, 'Rejected')).refuses('pieces-held', { state: 'Started' })
    startedAgain.when(change(second.cutId, 'Accepted')).refuses('pieces-held', { state: 'Started' })
    const setting = (isQuality: boolean) => (state: OpenedBar) =>
      setBarCertificate(
        state,
        { millCertificationId: id(31), reason },
        { isKnown: true, isQuality, judgement: unblocked, context: { actor: alice, occurredAt: timeOf(5) } },
      )
    startedAgain.when(setting(false)).refuses(forbidden)
    expect(setting(true)(startedAgain.state!)).toHaveLength(1)
    const reading = (isQuality: boolean) => (state: OpenedBar) =>
      readHeat(
        state,
        { heatNumber: 'H 1', reason },
        { linked: id(31), isQuality, judgement: unblocked, context: { actor: alice, occurredAt: timeOf(5) } },
      )
    startedAgain.when(reading(false)).refuses(forbidden)
  })

  it('holds nothing when its last piece is scrapped, and stays cut until Quality has decided', () => {
    const scrapped = [...back, cutScrapped(first, 'Started')]
    const nothingHeld = given(productionPlanBar, ...scrapped)
    expect(holdingStop(nothingHeld.state!)).toBeNull()
    nothingHeld.when(reverting('Draft', quality)).refuses('pieces-held', { state: 'Started' })
    expect(completeBar(nothingHeld.state!, unblocked)).toMatchObject([{ data: { uncovered: [rejected] } }])
    const again = given(productionPlanBar, ...scrapped, barCompleted(), barReverted('Completed', 'Started'))
    expect(again.state!.stop).toEqual(held.state!.stop)
    const overridden = { ...request, findings: [rejected.key], overridden: [rejected] }
    const decided: ProductionPlanBarEvent = { type: 'FindingsOverridden', data: { ...bar, ...overridden } }
    expect(reverting('Draft', quality)(given(productionPlanBar, ...back, decided).state!)).toHaveLength(1)
  })
})

describe('cancelling a bar', () => {
  const cancelling = (state: OpenedBar) => cancelBar(state, reason, [])

  it('records the line items of its Accepted cuts, once', () => {
    draft.when(cancelling).records(barCancelled('Draft', ...counts))
    approved.when(cancelling).records(barCancelled('Approved', ...counts))
    cancelledBar.when(cancelling).recordsNothing()
  })

  it('is refused once the bar is started', () => {
    started.when(cancelling).refuses('bar-not-cancellable', { state: 'Started' })
    completed.when(cancelling).refuses('bar-not-cancellable', { state: 'Completed' })
  })

  it('is refused when a piece left at the moment at which the bar was taken back', () =>
    draft
      .when((state) => cancelBar(state, reason, [first.cutId]))
      .refuses('cut-dispatched', { cutIds: [first.cutId] }))

  it('leaves a bar that nothing changes any more', () => {
    expect(cancelledBar.state).toMatchObject({ status: 'Cancelled', approvedAt: null, approval: null })
    cancelledBar.when(approve).refuses('bar-not-draft', { state: 'Cancelled' })
    cancelledBar.when(start).refuses('bar-not-approved', { state: 'Cancelled' })
    cancelledBar
      .when((state) => changeCutStatus(state, findCut(state, first.cutId)!, 'Rejected'))
      .refuses('bar-cancelled')
    const setting = { isKnown: true, isQuality: true, judgement: unblocked }
    const context = { actor: alice, occurredAt: timeOf(9) }
    cancelledBar
      .when((state) => setBarCertificate(state, { millCertificationId: id(31) }, { ...setting, context }))
      .refuses('bar-cancelled')
  })
})

describe('scrapping a piece', () => {
  const scrapping = (cutId: string) => (state: OpenedBar) => scrapCut(state, findCut(state, cutId)!, reason)

  it('records the status of the bar, once', () => {
    started.when(scrapping(first.cutId)).records(cutScrapped(first, 'Started'))
    completed.when(scrapping(first.cutId)).records(cutScrapped(first, 'Completed'))
    given(productionPlanBar, ...history, cutScrapped(first, 'Completed'))
      .when(scrapping(first.cutId))
      .recordsNothing()
  })

  it('is refused before the bar is started, and for a cut that is not Accepted', () => {
    const refusal = (state: string, cutStatus: string) =>
      ['cut-not-scrappable', { state, cutStatus }] as const
    draft.when(scrapping(first.cutId)).refuses(...refusal('Draft', 'Accepted'))
    approved.when(scrapping(first.cutId)).refuses(...refusal('Approved', 'Accepted'))
    started.when(scrapping(second.cutId)).refuses(...refusal('Started', 'Proposed'))
    cancelledBar.when(scrapping(first.cutId)).refuses(...refusal('Cancelled', 'Accepted'))
  })

  it('keeps the length of the piece on the bar, and its status', () => {
    const scrapped = given(productionPlanBar, ...history.slice(0, 3), cutScrapped(first, 'Started'))
    expect(scrapped.state).toMatchObject({
      remnantMm: 2_000,
      cuts: [{ status: 'Scrapped', revision: 3 }, {}],
    })
    scrapped
      .when((state) => changeCutStatus(state, findCut(state, first.cutId)!, 'Accepted'))
      .refuses('cut-scrapped')
    scrapped
      .when((state) => changeCutStatus(state, findCut(state, second.cutId)!, 'Rejected'))
      .records({
        type: 'CutStatusChanged',
        data: {
          ...bar,
          barStatus: 'Started',
          cutId: second.cutId,
          orderId: second.orderId,
          lineItemId: second.lineItemId,
          from: 'Proposed',
          to: 'Rejected',
          remnantMm: 4_000,
        },
      })
  })
})
