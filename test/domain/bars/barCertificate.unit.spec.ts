import { describe, expect, it } from 'vitest'
import { type OpenedBar, productionPlanBar } from '../../../src/domain/bars/bar.ts'
import {
  blockedByHeat,
  type CertificateRequest,
  type HeatRequest,
  type ReadingHeat,
  readHeat,
  type SettingCertificate,
  setBarCertificate,
} from '../../../src/domain/bars/barCertificate.ts'
import type { BarStatus, ProductionPlanBarEvent } from '../../../src/domain/bars/barEvents.ts'
import type { Stop } from '../../../src/domain/bars/barStop.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import type { Finding } from '../../../src/domain/verdict/verdict.ts'
import { alice, type Given, given, id, timeOf } from '../../support/given.ts'
import { block, finding, overridden, rejected, request } from './barJudgements.ts'
import { accepted, bar, barApproved, barCompleted, barOpened, barStarted, cut } from './productionFacts.ts'

const [known, other] = [id(31), id(32)]
const setting =
  (request: CertificateRequest, { judgement = finding(), ...more }: Partial<SettingCertificate> = {}) =>
  (state: OpenedBar) =>
    setBarCertificate(state, request, {
      isKnown: true,
      isQuality: false,
      context: { actor: alice, occurredAt: timeOf(9) },
      judgement,
      ...more,
    })
const to = (millCertificationId: string | null) => ({ millCertificationId })
const withOne = barOpened(4_000, { cuts: [cut(id(701))], millCertificationId: known })
const certificateSet = (barStatus: BarStatus, to: string | null, more: object = {}) =>
  ({
    type: 'BarCertificateSet',
    data: { ...bar, barStatus, millCertificationId: to, formerMillCertificationId: known, ...more },
  }) as const
const started = barStarted(accepted(10, 1))

describe('the certificate of a bar', () => {
  it('needs no judgement on a draft, and the same one records nothing', () => {
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
        .when(setting({ ...to(other), override: request }, { judgement }))
        .records(certificateSet(status, other, { findings: [block], judgedBy }), overridden)
      past.when(setting(to(null), { judgement })).refuses('bar-not-draft', { state: status })
    }
  })

  it('is judged on a bar that was completed in spite of a Block, and ends the stop if nothing blocks it', () => {
    const completed = {
      type: 'BarCompleted',
      data: { ...bar, lineItems: [], uncovered: [rejected] },
    } as const
    const past = [withOne, barApproved, started, completed]
    const quality = { isQuality: true }
    const wrongOne = { ...to(other), reason: 'It was another heat.' }
    const set = (to: string | null, findings: readonly Finding[]) =>
      certificateSet('Completed', to, { reason: wrongOne.reason, findings, judgedBy })
    const stopAfter = (...events: Given<ProductionPlanBarEvent>[]) =>
      given(productionPlanBar, ...past, ...events).state!.stop
    const stopped = given(productionPlanBar, ...past)
    stopped.when(setting(wrongOne, quality)).records(set(other, []))
    stopped.when(setting(wrongOne, { ...quality, judgement: finding(block) })).records(set(other, [block]))
    stopped
      .when(setting({ ...wrongOne, override: request }, { ...quality, judgement: finding(block) }))
      .records(set(other, [block]), overridden)
    expect(stopAfter(set(other, []))).toBeNull()
    expect(stopAfter(set(other, [block]))).toMatchObject({ findings: [block] })
    expect(stopAfter(set(other, [block]), overridden)).toBeNull()
    // Nobody knows the steel, so nothing has changed for its pieces.
    expect(stopAfter(set(null, []))).toMatchObject({ findings: [rejected] })
  })

  it('tells that the pieces of a bar that was cut stay held', () => {
    const saying = (stop: Stop | null) => blockedByHeat({ barId: 'one', stop }, [block]).message
    expect(saying(null)).toMatch(/^The heat is recorded, but bar one may not be cut: /)
    const stop = { by: 'alice', at: timeOf(3), reason: null, findings: [block] }
    expect(saying(stop)).toMatch(/^The heat is recorded, but the pieces of bar one stay held: /)
  })

  it('records the override that comes with the same certificate, once', () => {
    const approved = given(productionPlanBar, withOne, barApproved)
    const again = { ...to(known), override: request }
    approved.when(setting(again, { judgement: finding(block) })).records(overridden)
    approved
      .when(setting(again))
      .refuses('validation-failed', { errors: [expect.objectContaining({ path: '/override/findings/0' })] })
    const covered = { ...block, override: { ...request, by: 'alice', at: timeOf(8) } }
    approved.when(setting(again, { judgement: finding(covered) })).recordsNothing()
  })

  it('does not take the overrides of the former certificate into account, and ends them', () => {
    const past = given(productionPlanBar, withOne, overridden, barApproved)
    past
      .when(setting(to(other), { judgement: finding(block) }))
      .refuses('bar-may-not-be-cut', { findings: [block] })
    const { state } = given(
      productionPlanBar,
      withOne,
      overridden,
      barApproved,
      certificateSet('Approved', other),
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

  it('must be known, and takes an override only with a judgement', () => {
    const draft = given(productionPlanBar, withOne)
    draft
      .when(setting(to(other), { isKnown: false }))
      .refuses('validation-failed', { errors: [expect.anything()] })
    draft
      .when(setting({ ...to(other), override: request }))
      .refuses('validation-failed', { errors: [expect.objectContaining({ path: '/override' })] })
    draft
      .when(setting({ ...to(known), override: request }))
      .refuses('validation-failed', { errors: [expect.objectContaining({ path: '/override' })] })
  })
})

describe('the heat that was read off the steel', () => {
  const reading =
    (
      request: string | null | HeatRequest,
      linked: string | null,
      { judgement = finding(), isQuality = false }: Partial<ReadingHeat> = {},
    ) =>
    (state: OpenedBar) =>
      readHeat(state, typeof request === 'object' && request ? request : { heatNumber: request }, {
        linked,
        judgement,
        isQuality,
        context: { actor: alice, occurredAt: timeOf(9) },
      })
  const heatRead = (heatNumber: string | null, formerHeatNumber: string | null = null, more = {}) =>
    ({ type: 'BarHeatRead', data: { ...bar, heatNumber, formerHeatNumber, ...more } }) as const
  const bare = barOpened(4_000, { cuts: [cut(id(701))] })
  const linked = (barStatus: BarStatus, more: object = {}) => {
    const { type, data } = certificateSet(barStatus, other, more)
    return { type, data: { ...data, formerMillCertificationId: null } }
  }

  it('is linked at once, and the same reading in another spelling records nothing', () => {
    const past = given(productionPlanBar, bare)
    past.when(reading('H 47', other)).records(heatRead('H 47'), linked('Draft'))
    const { state } = given(productionPlanBar, bare, heatRead('H 47'), linked('Draft'))
    expect(state).toMatchObject({
      millCertificationId: other,
      heatRead: { heatNumber: 'H 47', by: 'alice', at: timeOf(1) },
    })
    given(productionPlanBar, bare, heatRead('H 47'), linked('Draft'))
      .when(reading(' h  47', other))
      .recordsNothing()
  })

  it('is linked by the same reading when its certificate has arrived', () =>
    given(productionPlanBar, bare, heatRead('H 47')).when(reading('H 47', other)).records(linked('Draft')))

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
    const withdrawn = { type: 'BarApprovalWithdrawn', data: { ...bar, findings: [block], judgedBy } } as const
    past
      .when(reading('H 47', other, { judgement }))
      .records(heatRead('H 47'), linked('Approved', { findings: [block], judgedBy }), withdrawn)
    given(productionPlanBar, bare, barApproved, started)
      .when(reading('H 47', other, { judgement }))
      .records(heatRead('H 47'), linked('Started', { findings: [block], judgedBy }))
    past
      .when(reading({ heatNumber: 'H 47', override: request }, other, { judgement }))
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
      heatRead: null,
      millCertificationId: other,
    })
  })
})
