import { describe, expect, it } from 'vitest'
import type { DecisionContext } from '../../src/domain/aggregate.ts'
import {
  approveBar,
  type Judgement,
  overrideFindings,
  startBar,
  withdrawApproval,
} from '../../src/domain/barApproval.ts'
import {
  type AskedCertificate,
  type AskedHeat,
  type ReadingHeat,
  readHeat,
  type SettingCertificate,
  setBarCertificate,
} from '../../src/domain/barCertificate.ts'
import { changeCutStatus, findCut } from '../../src/domain/barCuts.ts'
import { judgedBy } from '../../src/domain/judgedBy.ts'
import {
  type AskedOverride,
  type BarRequest,
  type BarStatus,
  type Cut,
  type CutStatus,
  completeBar,
  type OpenedBar,
  openBar,
  type ProductionPlanBar,
  productionPlanBar,
  remnantMm,
} from '../../src/domain/productionPlanBar.ts'
import type { Finding } from '../../src/domain/verdict.ts'
import { alice, bob, given, id, timeOf } from '../support/given.ts'
import { lineItemIds } from './facts.ts'
import {
  accepted,
  approve,
  bar,
  barApproved,
  barCompleted,
  barContent,
  barId,
  barOpened,
  barStarted,
  cut,
  cutStatusChanged,
  start,
  unblocked,
} from './productionFacts.ts'

const [first, second, third] = [id(701), id(702), id(703)]
const open =
  (asked: BarRequest, ref = bar) =>
  (state: ProductionPlanBar, context: DecisionContext) =>
    openBar(state, ref, asked, context)
const withoutPieceMark = ({ pieceMark: _, ...older }: Cut): Cut => older as Cut
function change(cutId: string, to: Exclude<CutStatus, 'Scrapped'>) {
  return (state: OpenedBar) => changeCutStatus(state, findCut(state, cutId)!, to)
}

describe('opening a bar', () => {
  const cuts = [cut(first), cut(second, { status: 'Proposed' }), cut(third, { status: 'Rejected' })]

  it('records its plan, its content and its remnant', () =>
    given(productionPlanBar)
      .when(open(barContent({ cuts })))
      .records(barOpened(2_000, { cuts })))

  it('makes ids for the cuts that have none', () => {
    const asked = cuts.map((one, n) => (n === 1 ? one : { ...one, cutId: undefined }))
    given(productionPlanBar)
      .when(open(barContent({ cuts: asked as typeof cuts })))
      .records(
        barOpened(2_000, { cuts: [{ ...cuts[0]!, cutId: id(1) }, cuts[1]!, { ...cuts[2]!, cutId: id(2) }] }),
      )
  })

  it('records nothing for a repeat with the same content, whatever its state is by then', () => {
    const since = given(
      productionPlanBar,
      barOpened(2_000, { cuts }),
      cutStatusChanged(cuts[1]!, 'Accepted', 'Draft', 2_000),
      barApproved,
    )
    since.when(open(barContent({ cuts }))).recordsNothing()
    since.when(open({ ...barContent(), cuts: cuts.map(({ cutId: _, ...one }) => one) })).recordsNothing()
  })

  it('records nothing for a repeat when an older release opened the bar, without piece marks', () =>
    given(productionPlanBar, barOpened(2_000, { cuts: cuts.map(withoutPieceMark) }))
      .when(open(barContent({ cuts })))
      .recordsNothing())

  it('is refused when the bar has other content or another plan', () => {
    const known = given(productionPlanBar, barOpened(2_000, { cuts }))
    const taken = ['bar-already-planned', { barIds: [barId] }] as const
    known.when(open(barContent({ cuts, grade: 'S235JR' }))).refuses(...taken)
    known.when(open(barContent({ cuts: cuts.slice(1) }))).refuses(...taken)
    const marked = cuts.map((one) => ({ ...one, pieceMark: 'B-17' }))
    known.when(open(barContent({ cuts: marked }))).refuses(...taken)
    known.when(open(barContent({ cuts: [...cuts, cut(id(704))] }))).refuses(...taken)
    known.when(open(barContent({ cuts: [cut(id(704)), ...cuts.slice(1)] }))).refuses(...taken)
    known.when(open(barContent({ cuts }), { ...bar, planId: id(999) })).refuses(...taken)
  })
})

describe('the remnant of a bar', () => {
  it('is the stock length less the Accepted and Proposed cuts, without rounding errors', () => {
    const tenths = [0.1, 0.2, 0.3].map((lengthMm) => ({ lengthMm, status: 'Accepted' as const }))
    expect(remnantMm({ stockLengthMm: 0.6, cuts: tenths })).toBe(0)
    expect(remnantMm({ stockLengthMm: 6_000, cuts: tenths })).toBe(5_999.4)
    expect(remnantMm({ stockLengthMm: 0.5, cuts: tenths })).toBe(-0.1)
  })
})

describe('approving, starting and completing a bar', () => {
  const cuts = [
    cut(first),
    cut(second, { lineItemId: lineItemIds[20]! }),
    cut(third),
    cut(id(704), { status: 'Rejected' }),
  ]
  const opened = barOpened(0, { cuts })
  const counts = [accepted(10, 2), accepted(20, 1)]
  const draft = given(productionPlanBar, opened)
  const approved = given(productionPlanBar, opened, barApproved)
  const started = given(productionPlanBar, opened, barApproved, barStarted(...counts))
  const completed = given(
    productionPlanBar,
    opened,
    barApproved,
    barStarted(...counts),
    barCompleted(...counts),
  )

  it('takes a bar from Draft to Approved', () => {
    draft.when(approve).records(barApproved)
    approved.when(approve).refuses('bar-not-draft', { state: 'Approved' })
    started.when(approve).refuses('bar-not-draft', { state: 'Started' })
    completed.when(approve).refuses('bar-not-draft', { state: 'Completed' })
  })

  it('takes a bar from Approved to Started, with the line items of its Accepted cuts', () => {
    approved.when(start).records(barStarted(...counts))
    draft.when(start).refuses('bar-not-approved', { state: 'Draft' })
    started.when(start).refuses('bar-not-approved', { state: 'Started' })
    completed.when(start).refuses('bar-not-approved', { state: 'Completed' })
  })

  it('takes a bar from Started to Completed, with the line items of its Accepted cuts', () => {
    started.when(completeBar).records(barCompleted(...counts))
    draft.when(completeBar).refuses('bar-not-started', { state: 'Draft' })
    approved.when(completeBar).refuses('bar-not-started', { state: 'Approved' })
    completed.when(completeBar).refuses('bar-not-started', { state: 'Completed' })
  })

  it('counts the cuts that are Accepted at that moment', () =>
    given(
      productionPlanBar,
      opened,
      barApproved,
      barStarted(...counts),
      cutStatusChanged(cuts[0]!, 'Rejected', 'Started', 2_000),
    )
      .when(completeBar)
      .records(barCompleted(accepted(20, 1), accepted(10, 1))))

  it('keeps the time of each step', () =>
    expect(completed.state).toMatchObject({
      status: 'Completed',
      createdAt: timeOf(0),
      approvedAt: timeOf(1),
      startedAt: timeOf(2),
      completedAt: timeOf(3),
      revision: 3,
    }))
})

describe('changing the status of a cut', () => {
  const cuts = [cut(first), cut(second, { status: 'Proposed' }), cut(third, { status: 'Rejected' })]
  const opened = barOpened(2_000, { cuts })

  it('records the change, the status of the bar and its remnant', () => {
    const draft = given(productionPlanBar, opened)
    draft.when(change(second, 'Accepted')).records(cutStatusChanged(cuts[1]!, 'Accepted', 'Draft', 2_000))
    draft.when(change(second, 'Rejected')).records(cutStatusChanged(cuts[1]!, 'Rejected', 'Draft', 4_000))
    draft.when(change(third, 'Accepted')).records(cutStatusChanged(cuts[2]!, 'Accepted', 'Draft', 0))
    given(productionPlanBar, opened, barApproved, barStarted(accepted(10, 1)))
      .when(change(first, 'Rejected'))
      .records(cutStatusChanged(cuts[0]!, 'Rejected', 'Started', 4_000))
  })

  it('records nothing when the cut has that status already', () =>
    given(productionPlanBar, opened).when(change(first, 'Accepted')).recordsNothing())

  it('is refused when the cuts would need more than the stock length', () => {
    const long = [...cuts, cut(id(704), { lengthMm: 2_000.1, status: 'Rejected' })]
    given(productionPlanBar, barOpened(2_000, { cuts: long }))
      .when(change(id(704), 'Proposed'))
      .refuses('bar-overfull')
  })

  it('is refused on a Completed bar, whatever the status', () => {
    const done = given(
      productionPlanBar,
      opened,
      barApproved,
      barStarted(accepted(10, 1)),
      barCompleted(accepted(10, 1)),
    )
    done.when(change(first, 'Rejected')).refuses('bar-completed', { state: 'Completed' })
    done.when(change(first, 'Accepted')).refuses('bar-completed', { state: 'Completed' })
  })

  it('leaves the other cuts and their revisions unchanged', () => {
    const { state } = given(
      productionPlanBar,
      opened,
      cutStatusChanged(cuts[1]!, 'Rejected', 'Draft', 4_000),
      cutStatusChanged(cuts[0]!, 'Proposed', 'Draft', 4_000),
    )
    expect(state).toMatchObject({ remnantMm: 4_000, revision: 2 })
    expect(state?.cuts.map(({ status, revision }) => [status, revision])).toStrictEqual([
      ['Proposed', 2],
      ['Rejected', 1],
      ['Rejected', 0],
    ])
  })
})

describe('the judgement', () => {
  const block: Finding = {
    ...{ key: 'wrong-grade', code: 'grade-mismatch', severity: 'Block', message: 'Another grade.' },
  }
  const rejected: Finding = { ...block, key: 'rejected', code: 'certificate-rejected' }
  const unsure: Finding = { ...block, key: 'unsure', code: 'demand-unstated', severity: 'Flag' }
  /** Finds these, and takes the overrides of the bar into account. */
  const finding = (...found: Finding[]): Judgement => ({
    policy: { fourEyes: false },
    verdictOn: ({ overrides }) => {
      const findings = found.map((one) => {
        const override = overrides.find(({ findings }) => findings.includes(one.key))
        return override ? { ...one, override } : one
      })
      const mayBeCut = !findings.some(({ severity, override }) => severity === 'Block' && !override)
      return { mayBeApproved: mayBeCut, mayBeCut, findings }
    },
  })
  const asked: AskedOverride = { findings: [block.key], reason: 'The designer agreed.', reference: null }
  const opened = barOpened(4_000, { cuts: [cut(first), cut(second, { status: 'Proposed' })] })
  const withdrawn = { type: 'BarApprovalWithdrawn', data: { ...bar, findings: [block], judgedBy } } as const
  const overridden = {
    type: 'FindingsOverridden',
    data: { ...bar, ...asked, overridden: [block] },
  } as const
  const approving = (judgement: Judgement, override?: AskedOverride) => (state: OpenedBar) =>
    approveBar(state, judgement, override, { actor: alice, occurredAt: timeOf(9) })

  it('refuses to approve a bar that a Block stands against, and says so', () =>
    given(productionPlanBar, opened)
      .when(approving(finding(block, unsure)))
      .refuses('bar-may-not-be-cut', { findings: [block, unsure] }))

  it('approves a bar whose Blocks are all overridden, and keeps what was found', () =>
    given(productionPlanBar, opened)
      .when(approving(finding(block, unsure), asked))
      .records({
        type: 'BarApproved',
        data: { ...bar, findings: [block, unsure], judgedBy, override: asked },
      }))

  it('takes no override of a finding that is unknown, or is no Block, or is final', () => {
    const draft = given(productionPlanBar, opened)
    const naming = (key: string) => ({ ...asked, findings: [key] })
    for (const key of ['unknown', unsure.key])
      expect(() => approving(finding(block, unsure), naming(key))(draft.state!)).toThrow(
        expect.objectContaining({ code: 'validation-failed' }),
      )
    expect(() => approving(finding(rejected), naming(rejected.key))(draft.state!)).toThrow(
      expect.objectContaining({ code: 'bar-may-not-be-cut' }),
    )
  })

  it('with four eyes takes no override from the person who has planned the bar', () => {
    const judgement = { ...finding(block), policy: { fourEyes: true } }
    const planned = given(productionPlanBar, { ...opened, metadata: { actor: bob } })
    planned
      .when((state) => approveBar(state, judgement, asked, { actor: bob, occurredAt: timeOf(9) }))
      .refuses('four-eyes')
    expect(approving(judgement, asked)(planned.state!)).toHaveLength(1)
  })

  it('withdraws the approval instead of starting a bar that a Block stands against', () => {
    const approved = given(productionPlanBar, opened, barApproved)
    approved.when((state) => startBar(state, finding(block, unsure))).records(withdrawn)
    expect(given(productionPlanBar, opened, barApproved, withdrawn).state).toMatchObject({
      ...{ status: 'Draft', approvedAt: null, approval: null, overrides: [] },
      withdrawal: { at: timeOf(2), findings: [block] },
    })
  })

  it('withdraws nothing from a bar that is not approved, or that nothing stands against', () => {
    given(productionPlanBar, opened)
      .when((state) => withdrawApproval(state, finding(block)))
      .recordsNothing()
    given(productionPlanBar, opened, barApproved)
      .when((state) => withdrawApproval(state, finding(unsure)))
      .recordsNothing()
  })

  it('lets an override stand until the approval is withdrawn', () => {
    const approvedBar = { type: 'BarApproved', data: { ...bar, findings: [block], override: asked } } as const
    const approved = given(productionPlanBar, opened, approvedBar)
    approved.when((state) => startBar(state, finding(block))).records(barStarted(accepted(10, 1)))
    given(productionPlanBar, opened, approvedBar, withdrawn)
      .when(approving(finding(block)))
      .refuses('bar-may-not-be-cut', { findings: [block] })
  })

  it('overrides findings in any status, and once', () => {
    const overriding = (state: OpenedBar) =>
      overrideFindings(state, finding(block), asked, { actor: alice, occurredAt: timeOf(9) })
    const started = [opened, barApproved, barStarted(accepted(10, 1))]
    given(productionPlanBar, opened).when(overriding).records(overridden)
    given(productionPlanBar, ...started)
      .when(overriding)
      .records(overridden)
    given(productionPlanBar, ...started, overridden)
      .when(overriding)
      .recordsNothing()
  })

  it('judges a cut that becomes Accepted on a bar beyond Draft', () => {
    const accepting = (override?: AskedOverride) => (state: OpenedBar) =>
      changeCutStatus(state, findCut(state, second)!, 'Accepted', {
        ...{ judgement: finding(block), asked: override },
        context: { actor: alice, occurredAt: timeOf(9) },
      })
    const changed = (status: 'Draft' | 'Approved') =>
      cutStatusChanged(cut(second, { status: 'Proposed' }), 'Accepted', status, 2_000)
    given(productionPlanBar, opened).when(accepting()).records(changed('Draft'))
    const approved = given(productionPlanBar, barOpened(2_000, opened.data as never), barApproved)
    approved.when(accepting()).refuses('bar-may-not-be-cut', { findings: [block] })
    approved.when(accepting(asked)).records(overridden, changed('Approved'))
    expect(unblocked.verdictOn(approved.state!).mayBeCut).toBe(true)
  })

  describe('of another certificate', () => {
    const [known, other] = [id(31), id(32)]
    const setting =
      (asked: AskedCertificate, { judgement = finding(), ...more }: Partial<SettingCertificate> = {}) =>
      (state: OpenedBar) =>
        setBarCertificate(state, asked, {
          ...{ isKnown: true, isQuality: false, context: { actor: alice, occurredAt: timeOf(9) } },
          ...{ judgement, ...more },
        })
    const to = (millCertificationId: string | null) => ({ millCertificationId })
    const withOne = barOpened(4_000, { cuts: [cut(first)], millCertificationId: known })
    const certificateSet = (barStatus: BarStatus, to: string | null, more: object = {}) =>
      ({
        type: 'BarCertificateSet',
        data: {
          ...{ ...bar, barStatus, millCertificationId: to, formerMillCertificationId: known },
          ...more,
        },
      }) as const
    const started = barStarted(accepted(10, 1))

    it('is not needed for a draft, and the same certificate records nothing', () => {
      const draft = given(productionPlanBar, withOne)
      draft.when(setting(to(other), { judgement: finding(block) })).records(certificateSet('Draft', other))
      draft.when(setting(to(null))).records(certificateSet('Draft', null))
      draft.when(setting(to(known))).recordsNothing()
    })

    it('refuses a Block for an approved or started bar, unless it is overridden', () => {
      const judgement = finding(block)
      for (const [status, events] of [
        ['Approved', [barApproved]],
        ['Started', [barApproved, started]],
      ] as const) {
        const past = given(productionPlanBar, withOne, ...events)
        past.when(setting(to(other), { judgement })).refuses('bar-may-not-be-cut', { findings: [block] })
        past
          .when(setting({ ...to(other), override: asked }, { judgement }))
          .records(certificateSet(status, other, { findings: [block], judgedBy }), overridden)
        past.when(setting(to(null), { judgement })).refuses('bar-not-draft', { state: status })
      }
    })

    it('records the override that comes with the same certificate, once', () => {
      const approved = given(productionPlanBar, withOne, barApproved)
      const again = { ...to(known), override: asked }
      approved.when(setting(again, { judgement: finding(block) })).records(overridden)
      approved.when(setting(again)).refuses('validation-failed', {
        errors: [expect.objectContaining({ path: '/override/findings/0' })],
      })
      const covered = { ...block, override: { ...asked, by: 'alice', at: timeOf(8) } }
      approved.when(setting(again, { judgement: finding(covered) })).recordsNothing()
    })

    it('does not take the overrides of the former certificate into account, and ends them', () => {
      const past = given(productionPlanBar, withOne, overridden, barApproved)
      past
        .when(setting(to(other), { judgement: finding(block) }))
        .refuses('bar-may-not-be-cut', { findings: [block] })
      const { state } = given(
        productionPlanBar,
        ...[withOne, overridden, barApproved, certificateSet('Approved', other)],
      )
      expect(state).toMatchObject({ status: 'Approved', millCertificationId: other, overrides: [] })
    })

    it('corrects a completed bar without a judgement, by a quality engineer with a reason', () => {
      const done = given(productionPlanBar, withOne, barApproved, started, barCompleted(accepted(10, 1)))
      const judgement = finding(block)
      const reason = 'The stamp says so.'
      done.when(setting({ ...to(other), reason }, { judgement })).refuses('forbidden')
      done
        .when(setting(to(other), { judgement, isQuality: true }))
        .refuses('validation-failed', { errors: [expect.anything()] })
      done
        .when(setting({ ...to(other), reason }, { judgement, isQuality: true }))
        .records(certificateSet('Completed', other, { reason }))
    })

    it('needs a certificate that is known, and a judgement for an override', () => {
      const draft = given(productionPlanBar, withOne)
      draft
        .when(setting(to(other), { isKnown: false }))
        .refuses('validation-failed', { errors: [expect.anything()] })
      draft
        .when(setting({ ...to(other), override: asked }))
        .refuses('validation-failed', { errors: [expect.objectContaining({ path: '/override' })] })
      draft
        .when(setting({ ...to(known), override: asked }))
        .refuses('validation-failed', { errors: [expect.objectContaining({ path: '/override' })] })
    })

    describe('by the heat that was read off the steel', () => {
      const reading =
        (
          asked: string | null | AskedHeat,
          linked: string | null,
          { judgement = finding(), isQuality = false }: Partial<ReadingHeat> = {},
        ) =>
        (state: OpenedBar) =>
          readHeat(state, typeof asked === 'object' && asked ? asked : { heatNumber: asked }, {
            ...{ linked, judgement, isQuality, context: { actor: alice, occurredAt: timeOf(9) } },
          })
      const heatRead = (heatNumber: string | null, formerHeatNumber: string | null = null, more = {}) =>
        ({ type: 'BarHeatRead', data: { ...bar, heatNumber, formerHeatNumber, ...more } }) as const
      const bare = barOpened(4_000, { cuts: [cut(first)] })
      const linked = (barStatus: BarStatus, more: object = {}) => {
        const { type, data } = certificateSet(barStatus, other, more)
        return { type, data: { ...data, formerMillCertificationId: null } }
      }

      it('is linked at once, and the same reading in another spelling records nothing', () => {
        const past = given(productionPlanBar, bare)
        past.when(reading('H 47', other)).records(heatRead('H 47'), linked('Draft'))
        const { state } = given(productionPlanBar, bare, heatRead('H 47'), linked('Draft'))
        expect(state).toMatchObject({
          ...{ millCertificationId: other, heatRead: { heatNumber: 'H 47', by: 'alice', at: timeOf(1) } },
        })
        given(productionPlanBar, bare, heatRead('H 47'), linked('Draft'))
          .when(reading(' h  47', other))
          .recordsNothing()
      })

      it('is linked by the same reading when its certificate has arrived', () =>
        given(productionPlanBar, bare, heatRead('H 47'))
          .when(reading('H 47', other))
          .records(linked('Draft')))

      it('takes the certificate of another heat away, even when there is none to link', () =>
        given(productionPlanBar, withOne, barApproved, started)
          .when(reading('H 47', null))
          .records(heatRead('H 47'), certificateSet('Started', null, { findings: [], judgedBy })))

      it('confirms the certificate of a bar without judging it again', () =>
        given(productionPlanBar, withOne, barApproved)
          .when(reading('H 47', known, { judgement: finding(block) }))
          .records(heatRead('H 47')))

      it('is kept in spite of a Block, which withdraws the approval unless it is overridden', () => {
        const past = given(productionPlanBar, bare, barApproved)
        const judgement = finding(block)
        const withdrawn = {
          type: 'BarApprovalWithdrawn',
          data: { ...bar, findings: [block], judgedBy },
        } as const
        past
          .when(reading('H 47', other, { judgement }))
          .records(heatRead('H 47'), linked('Approved', { findings: [block], judgedBy }), withdrawn)
        given(productionPlanBar, bare, barApproved, started)
          .when(reading('H 47', other, { judgement }))
          .records(heatRead('H 47'), linked('Started', { findings: [block], judgedBy }))
        past
          .when(reading({ heatNumber: 'H 47', override: asked }, other, { judgement }))
          .records(heatRead('H 47'), linked('Approved', { findings: [block], judgedBy }), overridden)
      })

      it('corrects a completed bar by a quality engineer with a reason', () => {
        const done = given(productionPlanBar, bare, barApproved, started, barCompleted(accepted(10, 1)))
        const reason = 'The stamp says so.'
        done.when(reading({ heatNumber: 'H 47', reason }, other)).refuses('forbidden')
        done
          .when(reading('H 47', other, { isQuality: true }))
          .refuses('validation-failed', { errors: [expect.objectContaining({ path: '/reason' })] })
        done
          .when(reading({ heatNumber: 'H 47', reason }, other, { isQuality: true }))
          .records(heatRead('H 47', null, { reason }), linked('Completed', { reason }))
      })

      it('is taken back on a draft, which keeps its certificate', () => {
        const read = [bare, heatRead('H 47'), linked('Draft')] as const
        given(productionPlanBar, ...read)
          .when(reading(null, other))
          .records(heatRead(null, 'H 47'))
        given(productionPlanBar, bare).when(reading(null, null)).recordsNothing()
        given(productionPlanBar, ...read, barApproved)
          .when(reading(null, other))
          .refuses('bar-not-draft', { state: 'Approved' })
        expect(given(productionPlanBar, ...read, heatRead(null, 'H 47')).state).toMatchObject({
          ...{ heatRead: null, millCertificationId: other },
        })
      })
    })
  })
})

describe('a fact from a newer release', () => {
  it('folds only the fields that this release knows', () => {
    const opened = barOpened(4_000, { cuts: [cut(first)] })
    const data = { ...opened.data, colour: 'red', cuts: [{ ...cut(first), angle: 45 }] }
    const newer = { ...opened, data } as typeof opened
    expect(given(productionPlanBar, newer).state).toStrictEqual(given(productionPlanBar, opened).state)
  })
})
