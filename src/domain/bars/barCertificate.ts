import { conflict, forbidden, invalid, type Refusal } from '../kernel/refusal.ts'
import { isSameNumber } from '../kernel/spellings.ts'
import { standingBlocks, type Verdict } from '../verdict/verdict.ts'
import { type OpenedBar, refuseCancelled, refuseUnless } from './bar.ts'
import {
  type Decider,
  findingsOverridden,
  type Judgement,
  judgeForApproval,
  nothingToOverride,
  withdrawApproval,
  withOverride,
} from './barApproval.ts'
import { type BarCertificateSet, type BarHeatRead, type ProductionPlanBarEvent, refOf } from './barEvents.ts'
import { inWords, judgementFields, type KeptFinding, type OverrideRequest } from './keptJudgement.ts'

/** The certificate of a bar, and the heat number that somebody reads off its steel. */

/** A bar of a certificate that is to be voided, or of its replacement. */
export interface BarToMove {
  readonly barId: string
  /** Whether it has the replacement already. */
  readonly hasReplacement: boolean
}

/** A certificate for a bar, as a request asks for it. */
export interface CertificateRequest {
  /** null for none. */
  readonly millCertificationId: string | null
  readonly reason?: string | undefined
  readonly override?: OverrideRequest | undefined
}

/** The means to decide on a certificate for a bar. */
export interface SettingCertificate {
  readonly isKnown: boolean
  /** The judgement of the bar with the certificate that is asked for. */
  readonly judgement: Judgement
  /** Whether the caller may correct the certificate of a bar that is cut. */
  readonly isQuality: boolean
  readonly context: Decider
}

/**
 * Set the certificate of a bar. An Approved or Started bar is judged with it as for an approval. The record of a bar that
 * is cut is corrected, with a reason. @throws Refusal
 */
export function setBarCertificate(
  bar: OpenedBar,
  request: CertificateRequest,
  setting: SettingCertificate,
): readonly ProductionPlanBarEvent[] {
  const { millCertificationId, reason } = request
  refuseCorrection(bar, setting)
  if (bar.millCertificationId !== millCertificationId) {
    if (millCertificationId === null) refuseUnless(bar, 'Draft')
    else if (!setting.isKnown) throw unknownCertificate(millCertificationId)
    refuseWithoutReason(bar, reason)
  }
  return certificateSet(bar, request, setting)
}

function certificateSet(
  bar: OpenedBar,
  { millCertificationId, reason, override }: CertificateRequest,
  { judgement, context }: Pick<SettingCertificate, 'judgement' | 'context'>,
): readonly ProductionPlanBarEvent[] {
  const isJudged = isJudgedWhenSet(bar)
  if (override && !isJudged) throw nothingToOverride()
  if (bar.millCertificationId === millCertificationId)
    return override ? withOverride(bar, judgement, override, { context, path: '/override/findings' }) : []
  const changed = { ...bar, millCertificationId, overrides: [] }
  const verdict =
    bar.stop && !override
      ? judgement.verdictOn(changed)
      : isJudged
        ? judgeForApproval(changed, judgement, override, context)
        : undefined
  return [
    certificateSetOn(bar, millCertificationId, reason, verdict),
    ...(override && verdict ? [findingsOverridden(bar, override, verdict.findings)] : []),
  ]
}

/** A draft is judged when it is approved, and a Completed bar is cut already: only a stop on it may end. */
function isJudgedWhenSet({ status, stop }: OpenedBar): boolean {
  return status === 'Approved' || status === 'Started' || stop !== null
}

/** Whether the steel is cut for good. A bar with a stop is, also when its completion was taken back. */
function isCut({ status, stop }: OpenedBar): boolean {
  return status === 'Completed' || stop !== null
}

function certificateSetOn(
  bar: OpenedBar,
  millCertificationId: string | null,
  reason: string | undefined,
  verdict: Verdict | undefined,
): BarCertificateSet & ProductionPlanBarEvent {
  return {
    type: 'BarCertificateSet',
    data: {
      ...refOf(bar),
      barStatus: bar.status,
      millCertificationId,
      formerMillCertificationId: bar.millCertificationId,
      ...(reason !== undefined && { reason }),
      ...(verdict && judgementFields(verdict.findings)),
    },
  }
}

/** A heat number read off the steel, as a request gives it. */
export interface HeatRequest extends Pick<CertificateRequest, 'reason' | 'override'> {
  /** null takes an earlier reading back. */
  readonly heatNumber: string | null
}

/** The means to decide on a heat. The judgement is of the bar with the linked certificate. */
export interface ReadingHeat extends Omit<SettingCertificate, 'isKnown'> {
  /** The certificate of the steel, as far as the heat tells it; null when it does not. */
  readonly linked: string | null
}

/**
 * Keep the heat number that somebody has read off the steel, and give the bar the certificate of that heat. The steel is
 * not that of another heat's certificate, so the bar loses such a certificate even when there is none to link. A reading
 * is a fact: without an override it is kept also when the certificate blocks the bar, and an approval is withdrawn.
 * @throws Refusal as for another certificate
 */
export function readHeat(
  bar: OpenedBar,
  { heatNumber, reason, override }: HeatRequest,
  { linked, ...setting }: ReadingHeat,
): readonly ProductionPlanBarEvent[] {
  refuseCorrection(bar, setting)
  if (heatNumber === null) return takeReadingBack(bar)
  const isRead = bar.heatRead !== null && isSameNumber(bar.heatRead.heatNumber, heatNumber)
  if (!isRead || bar.millCertificationId !== linked) refuseWithoutReason(bar, reason)
  return [
    ...(isRead ? [] : [heatReadOn(bar, heatNumber, reason)]),
    ...(override
      ? certificateSet(bar, { millCertificationId: linked, reason, override }, setting)
      : linkCertificate(bar, linked, reason, setting)),
  ]
}

function linkCertificate(
  bar: OpenedBar,
  linked: string | null,
  reason: string | undefined,
  { judgement }: Pick<ReadingHeat, 'judgement'>,
): readonly ProductionPlanBarEvent[] {
  if (bar.millCertificationId === linked) return []
  const changed = { ...bar, millCertificationId: linked, overrides: [] }
  const verdict = isJudgedWhenSet(bar) ? judgement.verdictOn(changed) : undefined
  return [certificateSetOn(bar, linked, reason, verdict), ...withdrawApproval(changed, judgement)]
}

/** Return the Blocks against the bar that a reading brought, and that the same request has not overridden. */
export function blocksOfReading(recorded: readonly ProductionPlanBarEvent[]): readonly KeptFinding[] {
  if (recorded.some(({ type }) => type === 'FindingsOverridden')) return []
  const set = recorded.find((event) => event.type === 'BarCertificateSet')
  return standingBlocks({ findings: set?.data.findings ?? [] })
}

/** The refusal of a reading that was kept, whose certificate blocks the bar. */
export function blockedByHeat(
  { barId, stop }: Pick<OpenedBar, 'barId' | 'stop'>,
  findings: readonly KeptFinding[],
): Refusal {
  const but = stop ? `the pieces of bar ${barId} stay held` : `bar ${barId} may not be cut`
  return conflict('bar-may-not-be-cut', `The heat is recorded, but ${but}: ${inWords(findings)}`, {
    findings,
  })
}

function takeReadingBack(bar: OpenedBar): readonly ProductionPlanBarEvent[] {
  if (!bar.heatRead) return []
  refuseUnless(bar, 'Draft')
  return [heatReadOn(bar, null, undefined)]
}

function heatReadOn(
  bar: OpenedBar,
  heatNumber: string | null,
  reason: string | undefined,
): BarHeatRead & ProductionPlanBarEvent {
  const formerHeatNumber = bar.heatRead?.heatNumber ?? null
  return {
    type: 'BarHeatRead',
    data: { ...refOf(bar), heatNumber, formerHeatNumber, ...(reason !== undefined && { reason }) },
  }
}

/** @throws Refusal `bar-cancelled`, `forbidden` */
function refuseCorrection(bar: OpenedBar, { isQuality }: Pick<SettingCertificate, 'isQuality'>): void {
  refuseCancelled(bar)
  if (isCut(bar) && !isQuality) throw forbidden()
}

/** @throws Refusal 400 */
function refuseWithoutReason(bar: OpenedBar, reason: string | undefined): void {
  if (!isCut(bar) || reason !== undefined) return
  throw invalid(
    [{ path: '/reason', code: 'required', message: 'is required for a bar that is cut' }],
    'The certificate of a bar that is cut is corrected only with a reason, so nothing was recorded. Send the reason.',
  )
}

function unknownCertificate(millCertificationId: string): Refusal {
  return invalid([
    {
      path: '/millCertificationId',
      code: 'unknown-record',
      message: `There is no mill certificate ${millCertificationId}.`,
      record: { millCertificationId },
    },
  ])
}
