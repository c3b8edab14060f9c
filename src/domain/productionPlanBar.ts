import type { Aggregate, DecisionContext } from './aggregate.ts'
import { sameValue } from './changes.ts'
import type { DomainEvent, Stored } from './event.ts'
import { normalise } from './identifiers.ts'
import { type JudgedBy, judgedBy } from './judgedBy.ts'
import { conflict, type Fault, forbidden, invalid, type Refusal } from './refusal.ts'
import type { ReleasePolicy } from './releasePolicy.ts'
import { type Finding, isNeverOverridden, type Override, standingBlocks, type Verdict } from './verdict.ts'

/**
 * One bar of stock and the cuts from it. Its stream opens before its plan names it. Until then the id is reserved for
 * this content, and the bar is invisible.
 */
export function productionPlanBarStream(id: string): string {
  return `productionPlanBar-${id}`
}
/** The aggregate's id. */
export function productionPlanBarKey(companyId: string, barId: string): string {
  return `${companyId}_${barId}`
}

/** The way of a bar through the workshop, step by step. */
export const barSteps = ['Draft', 'Approved', 'Started', 'Completed'] as const
export type BarStep = (typeof barSteps)[number]
export const barStatuses = [...barSteps, 'Cancelled'] as const
export type BarStatus = (typeof barStatuses)[number]
/** A bar of a certificate that is to be voided, or of its replacement. */
export interface BarToMove {
  readonly barId: string
  /** Whether it has the replacement already. */
  readonly hasReplacement: boolean
}
/** The statuses that a request gives a cut. */
export const plannedCutStatuses = ['Proposed', 'Accepted', 'Rejected'] as const
/** A Scrapped cut was cut wrong. It keeps its length on the bar, and counts for nothing else. */
export const cutStatuses = [...plannedCutStatuses, 'Scrapped'] as const
export type CutStatus = (typeof cutStatuses)[number]

/** One piece. */
export interface Cut {
  readonly cutId: string
  readonly orderId: string
  readonly lineItemId: string
  readonly lengthMm: number
  /** The piece's name in the drawing. */
  readonly pieceMark: string | null
  readonly status: CutStatus
}

export interface BarContent {
  readonly stockLengthMm: number
  readonly grade: string
  readonly millCertificationId: string | null
  /** The Completed bar whose remnant this bar is; null for new stock. */
  readonly fromBarId: string | null
  readonly cuts: readonly Cut[]
}

/** A cut as a request gives it. One without an id gets one when the bar is opened. */
export interface CutRequest extends Omit<Cut, 'cutId' | 'pieceMark'> {
  readonly cutId?: string | undefined
  readonly pieceMark?: string | null | undefined
}

/** A bar as a request gives it. */
export interface BarRequest extends Omit<BarContent, 'fromBarId' | 'cuts'> {
  readonly fromBarId?: string | null | undefined
  readonly cuts: readonly CutRequest[]
}

export interface BarRef {
  readonly companyId: string
  readonly planId: string
  readonly barId: string
}

/** The number of Accepted cuts of one line item. */
export interface AcceptedCuts {
  readonly orderId: string
  readonly lineItemId: string
  readonly accepted: number
}

export type BarOpened = DomainEvent<
  'BarOpened',
  BarRef &
    // Absent in older events, which know no remnants.
    Omit<BarContent, 'fromBarId'> & { readonly fromBarId?: string | null; readonly remnantMm: number }
>
/** A decision to go on in spite of Block findings, which it names by their keys. */
export type AskedOverride = Pick<Override, 'findings' | 'reason' | 'reference'>
/** A finding as it was when something was decided on it. */
export type KeptFinding = Omit<Finding, 'override'>

/** A judgement as an event keeps it. */
export interface KeptJudgement {
  /** Absent when the bar was not judged. */
  readonly findings?: readonly KeptFinding[]
  /** Absent in older events. */
  readonly judgedBy?: JudgedBy
}

export type BarApproved = DomainEvent<
  'BarApproved',
  // Older events were not judged.
  BarRef & KeptJudgement & { readonly override?: AskedOverride }
>
/** The bar is a draft again, because of Block findings that nobody has overridden. */
export type BarApprovalWithdrawn = DomainEvent<
  'BarApprovalWithdrawn',
  BarRef & KeptJudgement & { readonly findings: readonly KeptFinding[] }
>
export type FindingsOverridden = DomainEvent<
  'FindingsOverridden',
  BarRef &
    AskedOverride & {
      /** The findings that the keys name, because the facts behind them may change. Absent in older events. */
      readonly overridden?: readonly KeptFinding[]
    }
>
/** The bar has another certificate, or none. This ends its overrides. */
export type BarCertificateSet = DomainEvent<
  'BarCertificateSet',
  BarRef &
    // With the new certificate.
    KeptJudgement & {
      readonly barStatus: BarStatus
      readonly millCertificationId: string | null
      readonly formerMillCertificationId: string | null
      readonly reason?: string
    }
>
/** Somebody has read the heat number off the steel. The certificate that the bar has by it is set by an event of its own. */
export type BarHeatRead = DomainEvent<
  'BarHeatRead',
  BarRef & {
    /** As it was read; null takes an earlier reading back. */
    readonly heatNumber: string | null
    readonly formerHeatNumber: string | null
    readonly reason?: string
  }
>
export type BarStarted = DomainEvent<'BarStarted', BarRef & { readonly lineItems: readonly AcceptedCuts[] }>
export type BarCompleted = DomainEvent<
  'BarCompleted',
  BarRef & { readonly lineItems: readonly AcceptedCuts[] }
>
/** The bar is back at an earlier step. */
export type BarReverted = DomainEvent<
  'BarReverted',
  BarRef &
    // Of a bar that is Approved again.
    KeptJudgement & {
      readonly from: BarStep
      readonly to: BarStep
      readonly reason: string
      readonly lineItems: readonly AcceptedCuts[]
    }
>
export type BarCancelled = DomainEvent<
  'BarCancelled',
  BarRef & { readonly from: BarStep; readonly reason: string; readonly lineItems: readonly AcceptedCuts[] }
>
export type CutScrapped = DomainEvent<
  'CutScrapped',
  BarRef &
    Pick<Cut, 'cutId' | 'orderId' | 'lineItemId'> & {
      readonly barStatus: BarStatus
      readonly reason: string
    }
>
/** Another bar is to be cut from the remnant of this one. */
export type RemnantTaken = DomainEvent<
  'RemnantTaken',
  BarRef & { readonly takenBy: Pick<BarRef, 'planId' | 'barId'>; readonly stockLengthMm: number }
>
export type CutStatusChanged = DomainEvent<
  'CutStatusChanged',
  BarRef & {
    readonly barStatus: BarStatus
    readonly cutId: string
    readonly orderId: string
    readonly lineItemId: string
    readonly from: CutStatus
    readonly to: CutStatus
    /** The bar's remnant after the change. */
    readonly remnantMm: number
  }
>
export type ProductionPlanBarEvent =
  | BarOpened
  | BarApproved
  | BarApprovalWithdrawn
  | FindingsOverridden
  | BarCertificateSet
  | BarHeatRead
  | BarStarted
  | BarCompleted
  | BarReverted
  | BarCancelled
  | CutScrapped
  | RemnantTaken
  | CutStatusChanged

export interface Approval {
  readonly by: string
  readonly at: string
  readonly override: AskedOverride | null
}

export interface Withdrawal {
  readonly at: string
  readonly findings: readonly KeptFinding[]
}

/** The heat number as somebody has read it off the steel. */
export interface HeatRead {
  readonly heatNumber: string
  readonly by: string
  readonly at: string
}

export interface TakenRemnant extends Pick<BarRef, 'planId' | 'barId'> {
  readonly at: string
}

export interface OpenedBar extends BarRef, BarContent {
  /** Each with the revision of its own last event. */
  readonly cuts: readonly (Cut & { readonly revision: number })[]
  /** The content that the bar was opened with, before any cut changed. */
  readonly opened: BarContent
  readonly status: BarStatus
  readonly remnantMm: number
  /** The bar that has taken the remnant last. */
  readonly remnantTaken: TakenRemnant | null
  readonly createdAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  /** The userId of the person who started it last. */
  readonly startedBy: string | null
  readonly completedAt: string | null
  readonly completedBy: string | null
  /** The userId of the person who has planned it. */
  readonly plannedBy: string
  /** null while it is not approved. Its override is null again when it has ended. */
  readonly approval: Approval | null
  /** null when it was never withdrawn, or was approved again. */
  readonly withdrawal: Withdrawal | null
  /** null while nobody has read it. It stays when the bar gets another certificate. */
  readonly heatRead: HeatRead | null
  /** They end with a withdrawal, with a revert to Draft, and with another certificate. */
  readonly overrides: readonly Override[]
  /** Revision of the bar's last event. */
  readonly revision: number
}

export type ProductionPlanBar = OpenedBar | undefined

export function refOf({ companyId, planId, barId }: BarRef): BarRef {
  return { companyId, planId, barId }
}

/** Take these fields and no others. `cutIdOf` gives the id of a cut that has none. */
function contentOf(
  { stockLengthMm, grade, millCertificationId, fromBarId = null, cuts }: BarRequest,
  cutIdOf: (index: number) => string,
): BarContent {
  return {
    stockLengthMm,
    grade,
    millCertificationId,
    fromBarId,
    cuts: cuts.map((cut, index) => cutContent({ ...cut, cutId: cut.cutId ?? cutIdOf(index) })),
  }
}

/** Take the fields of a cut and no others. A cut of an older event has no piece mark. */
export function cutContent({
  cutId,
  orderId,
  lineItemId,
  lengthMm,
  pieceMark = null,
  status,
}: CutRequest & Pick<Cut, 'cutId'>): Cut {
  return { cutId, orderId, lineItemId, lengthMm, pieceMark, status }
}

function evolve(state: ProductionPlanBar, event: Stored<ProductionPlanBarEvent>): ProductionPlanBar {
  const { revision } = event
  const at = event.metadata.occurredAt
  if (event.type === 'BarOpened') {
    const opened = contentOf(event.data, () => '')
    return {
      ...refOf(event.data),
      ...opened,
      cuts: opened.cuts.map((cut) => ({ ...cut, revision })),
      opened,
      status: 'Draft',
      remnantMm: event.data.remnantMm,
      remnantTaken: null,
      createdAt: at,
      approvedAt: null,
      startedAt: null,
      startedBy: null,
      completedAt: null,
      completedBy: null,
      plannedBy: event.metadata.actor.id,
      approval: null,
      withdrawal: null,
      heatRead: null,
      overrides: [],
      revision,
    }
  }
  if (!state) return state
  const by = event.metadata.actor.id
  switch (event.type) {
    case 'BarApproved':
      return {
        ...state,
        status: 'Approved',
        approvedAt: at,
        approval: { by, at, override: event.data.override ?? null },
        withdrawal: null,
        overrides: event.data.override
          ? [...state.overrides, { ...event.data.override, by, at }]
          : state.overrides,
        revision,
      }
    case 'BarApprovalWithdrawn':
      return {
        ...state,
        ...{ status: 'Draft', approvedAt: null, approval: null, overrides: [] },
        withdrawal: { at, findings: event.data.findings },
        revision,
      }
    case 'FindingsOverridden': {
      const { findings, reason, reference } = event.data
      return { ...state, overrides: [...state.overrides, { findings, reason, reference, by, at }], revision }
    }
    case 'BarCertificateSet': {
      const { millCertificationId } = event.data
      return { ...state, millCertificationId, ...withoutOverrides(state), revision }
    }
    case 'BarHeatRead': {
      const { heatNumber } = event.data
      return { ...state, heatRead: heatNumber === null ? null : { heatNumber, by, at }, revision }
    }
    case 'BarStarted':
      return { ...state, status: 'Started', startedAt: at, startedBy: by, revision }
    case 'BarCompleted':
      return { ...state, status: 'Completed', completedAt: at, completedBy: by, revision }
    case 'BarReverted':
      return { ...state, ...takenBackTo(event.data.to), revision }
    case 'BarCancelled':
      return { ...state, ...cancelledBar, revision }
    case 'CutScrapped':
      return { ...state, cuts: withCut(state.cuts, event.data.cutId, 'Scrapped', revision), revision }
    case 'RemnantTaken':
      return { ...state, remnantTaken: { ...event.data.takenBy, at }, revision }
    case 'CutStatusChanged': {
      const { cutId, to, remnantMm } = event.data
      return { ...state, cuts: withCut(state.cuts, cutId, to, revision), remnantMm, revision }
    }
    default:
      return state
  }
}

function withCut(
  cuts: OpenedBar['cuts'],
  changed: string,
  status: CutStatus,
  revision: number,
): OpenedBar['cuts'] {
  return cuts.map((cut) => (cut.cutId === changed ? { ...cut, status, revision } : cut))
}

type Progress = Pick<
  OpenedBar,
  'status' | 'approvedAt' | 'startedAt' | 'completedAt' | 'approval' | 'overrides'
>

/** Return the values of a bar that change when it goes back to this step. */
export function takenBackTo(step: BarStep): Partial<Progress> {
  const undone = barSteps.slice(barSteps.indexOf(step) + 1)
  return {
    status: step,
    ...(undone.includes('Approved') && { approvedAt: null, approval: null, overrides: [] }),
    ...(undone.includes('Started') && { startedAt: null }),
    ...(undone.includes('Completed') && { completedAt: null }),
  }
}

/** The values of a bar that change when it is cancelled. */
export const cancelledBar: Partial<Progress> = { ...takenBackTo('Draft'), status: 'Cancelled' }

/** Another certificate ends the overrides, also the one that the approval came with. */
function withoutOverrides({ approval }: OpenedBar): Pick<OpenedBar, 'overrides' | 'approval'> {
  return { overrides: [], approval: approval && { ...approval, override: null } }
}

export const productionPlanBar: Aggregate<ProductionPlanBar, ProductionPlanBarEvent> = {
  name: 'productionPlanBar',
  streamName: productionPlanBarStream,
  initial: undefined,
  evolve,
  eventVersions: {
    BarOpened: 1,
    BarApproved: 1,
    BarApprovalWithdrawn: 1,
    FindingsOverridden: 1,
    BarCertificateSet: 1,
    BarHeatRead: 1,
    BarStarted: 1,
    BarCompleted: 1,
    BarReverted: 1,
    BarCancelled: 1,
    CutScrapped: 1,
    RemnantTaken: 1,
    CutStatusChanged: 1,
  },
}

type Lengths = Pick<BarContent, 'stockLengthMm'> & {
  readonly cuts: readonly Pick<Cut, 'lengthMm' | 'status'>[]
}

/**
 * Return the length left after all Accepted, Proposed and Scrapped cuts, in mm; negative when they do not fit. It is
 * rounded to the nanometre, so that tenths of a millimetre add up as they do on paper.
 */
export function remnantMm({ stockLengthMm, cuts }: Lengths): number {
  const used = cuts.reduce((sum, { lengthMm, status }) => (status === 'Rejected' ? sum : sum + lengthMm), 0)
  // `+ 0` turns −0 into 0.
  return Math.round((stockLengthMm - used) * 1e6) / 1e6 + 0
}

/** Count the Accepted cuts by line item. */
export function acceptedCuts(cuts: Iterable<Pick<Cut, 'orderId' | 'lineItemId' | 'status'>>): AcceptedCuts[] {
  const counted = new Map<string, AcceptedCuts>()
  for (const { orderId, lineItemId, status } of cuts) {
    if (status !== 'Accepted') continue
    const accepted = (counted.get(lineItemId)?.accepted ?? 0) + 1
    counted.set(lineItemId, { orderId, lineItemId, accepted })
  }
  return [...counted.values()]
}

/** Whether the bar was opened with this content. A cut without an id matches any id, and a remnant any certificate. */
export function isContentOf(opened: BarContent, asked: BarRequest): boolean {
  const { millCertificationId } = asked.fromBarId ? opened : asked
  return sameValue(
    opened,
    contentOf({ ...asked, millCertificationId }, (index) => opened.cuts[index]?.cutId ?? ''),
  )
}

/**
 * Open a bar. The same content for the same plan records nothing, whatever became of the bar since.
 * @param source the bar whose remnant it is: the new bar has its certificate
 */
export function openBar(
  state: ProductionPlanBar,
  ref: BarRef,
  asked: BarRequest,
  { newId }: DecisionContext,
  source?: Pick<BarContent, 'millCertificationId'>,
): readonly ProductionPlanBarEvent[] {
  if (!state) {
    const { millCertificationId } = source ?? asked
    const content = {
      ...contentOf({ ...asked, millCertificationId }, () => newId()),
      remnantMm: remnantMm(asked),
    }
    return [{ type: 'BarOpened', data: { ...refOf(ref), ...content } }]
  }
  if (state.planId === ref.planId && isContentOf(state.opened, asked)) return []
  throw barsAlreadyPlanned([ref.barId])
}

export function barsAlreadyPlanned(barIds: readonly string[]) {
  return conflict(
    'bar-already-planned',
    `These bars exist with another content or in another plan: ${barIds.join(', ')}.`,
    { barIds },
  )
}

const otherStatus = {
  Draft: 'bar-not-draft',
  Approved: 'bar-not-approved',
  Started: 'bar-not-started',
} as const

function refuseUnless(bar: OpenedBar, wanted: keyof typeof otherStatus): void {
  if (bar.status !== wanted)
    throw conflict(
      otherStatus[wanted],
      `Bar ${bar.barId} is ${bar.status}, and must be ${wanted} for this.`,
      { state: bar.status },
    )
}

/** The means to judge a bar: its certificate, orders, tags and policy are loaded already. */
export interface Judgement {
  readonly policy: Pick<ReleasePolicy, 'fourEyes'>
  /** Judge the bar with the cuts and overrides that it is given with. */
  verdictOn(bar: OpenedBar): Verdict
}

/** Approve a bar that no Block stands against, or only such as the caller overrides. @throws Refusal */
export function approveBar(
  bar: OpenedBar,
  judgement: Judgement,
  asked: AskedOverride | undefined,
  context: Decider,
): readonly ProductionPlanBarEvent[] {
  refuseUnless(bar, 'Draft')
  const { findings } = judgedForApproval(bar, judgement, asked, context)
  return [
    {
      type: 'BarApproved',
      data: { ...refOf(bar), ...keptJudgement(findings), ...(asked && { override: asked }) },
    },
  ]
}

/**
 * Approve one of many bars. An Approved one stays as it is, so that a repeat is harmless. The override covers those of its
 * keys that the bar has. @throws Refusal
 */
export function approveOneOfMany(
  bar: OpenedBar,
  judgement: Judgement,
  asked: AskedOverride | undefined,
  context: Decider,
): readonly ProductionPlanBarEvent[] {
  if (bar.status === 'Approved') return []
  const known = blockKeys(judgement.verdictOn(bar))
  const findings = asked?.findings.filter((key) => known.has(key)) ?? []
  return approveBar(
    bar,
    judgement,
    asked && findings.length > 0 ? { ...asked, findings } : undefined,
    context,
  )
}

/** Return the keys that an override of this verdict may name. */
export function blockKeys({ findings }: Pick<Verdict, 'findings'>): ReadonlySet<string> {
  return new Set(findings.flatMap(({ severity, key }) => (severity === 'Block' ? [key] : [])))
}

/** @throws Refusal 400 with every key that is not known. `path` leads to the keys in the request. */
export function refuseUnknownKeys(
  keys: readonly string[],
  known: { has(key: string): boolean },
  { path, says, detail }: { readonly path: string; says(key: string): string; readonly detail: string },
): void {
  const faults = keys.flatMap((key, index): Fault[] =>
    known.has(key) ? [] : [{ path: `${path}/${index}`, code: 'unknown-record', message: says(key) }],
  )
  if (faults.length > 0) throw invalid(faults, detail)
}

/**
 * Start an Approved bar. It is judged once more, because facts may have changed since: with a Block that nobody has
 * overridden the approval is withdrawn instead.
 */
export function startBar(bar: OpenedBar, judgement: Judgement): readonly ProductionPlanBarEvent[] {
  if (bar.withdrawal) throw approvalWithdrawn(bar)
  refuseUnless(bar, 'Approved')
  const withdrawn = withdrawApproval(bar, judgement)
  if (withdrawn.length > 0) return withdrawn
  return [{ type: 'BarStarted', data: { ...refOf(bar), lineItems: acceptedCuts(bar.cuts) } }]
}

/** The refusal to start a bar that has lost its approval. */
export function approvalWithdrawn({ barId, status, withdrawal }: OpenedBar): Refusal {
  const findings = withdrawal?.findings ?? []
  return conflict(
    'bar-not-approved',
    `Bar ${barId} may not be cut any more, so its approval is withdrawn: ${inWords(findings)}`,
    { state: status, findings },
  )
}

/** Make an Approved bar a draft again if a Block stands against it that nobody has overridden. */
export function withdrawApproval(
  bar: OpenedBar,
  judgement: Judgement,
): readonly (BarApprovalWithdrawn & ProductionPlanBarEvent)[] {
  if (bar.status !== 'Approved') return []
  const verdict = judgement.verdictOn(bar)
  if (verdict.mayBeApproved) return []
  return [
    { type: 'BarApprovalWithdrawn', data: { ...refOf(bar), ...keptJudgement(standingBlocks(verdict)) } },
  ]
}

/** Override Block findings in any state. Those that are overridden already need nothing. @throws Refusal */
export function overrideFindings(
  bar: OpenedBar,
  judgement: Judgement,
  asked: AskedOverride,
  context: Decider,
): readonly ProductionPlanBarEvent[] {
  return overridden(bar, judgement, asked, { context, path: '/findings' })
}

/** @param path the place of the keys in the request */
function overridden(
  bar: OpenedBar,
  judgement: Judgement,
  asked: AskedOverride,
  { context, path }: { readonly context: Decider; readonly path: string },
): readonly ProductionPlanBarEvent[] {
  const { findings } = judgement.verdictOn(bar)
  refuseKeys(findings, asked, path)
  const isCovered = (key: string) => findings.some((finding) => finding.key === key && finding.override)
  if (asked.findings.every(isCovered)) return []
  refuseOwnBar(bar, judgement, context)
  return [findingsOverridden(bar, asked, findings)]
}

function findingsOverridden(
  bar: OpenedBar,
  asked: AskedOverride,
  findings: readonly Finding[],
): FindingsOverridden & ProductionPlanBarEvent {
  const overridden = findings.filter(({ key }) => asked.findings.includes(key)).map(kept)
  return { type: 'FindingsOverridden', data: { ...refOf(bar), ...asked, overridden } }
}

export type Decider = Pick<DecisionContext, 'actor' | 'occurredAt'>

/** @throws Refusal `bar-may-not-be-cut` with the findings */
export function judgedForApproval(
  bar: OpenedBar,
  judgement: Judgement,
  asked: AskedOverride | undefined,
  context: Decider,
): Verdict {
  const override = asked && { ...asked, by: context.actor.id, at: context.occurredAt }
  const verdict = judgement.verdictOn(override ? { ...bar, overrides: [...bar.overrides, override] } : bar)
  if (asked) {
    refuseKeys(verdict.findings, asked, '/override/findings')
    refuseOwnBar(bar, judgement, context)
  }
  if (!verdict.mayBeApproved) throw mayNotBeCut(bar, verdict)
  return verdict
}

/** @throws Refusal 400 for keys that name no Block; `bar-may-not-be-cut` for findings that nobody overrides */
function refuseKeys(findings: readonly Finding[], { findings: keys }: AskedOverride, path: string): void {
  const blocks = new Map(
    findings.filter(({ severity }) => severity === 'Block').map((finding) => [finding.key, finding]),
  )
  refuseUnknownKeys(keys, blocks, {
    path,
    says: (key) => `No Block finding has the key ${key}.`,
    detail: 'The override names findings that do not block the bar.',
  })
  const final = keys.map((key) => blocks.get(key)!).filter(({ code }) => isNeverOverridden(code))
  if (final.length > 0)
    throw conflict('bar-may-not-be-cut', 'A rejected or voided certificate cannot be overridden.', {
      findings: final,
    })
}

/** @throws Refusal `four-eyes` */
function refuseOwnBar({ plannedBy }: OpenedBar, { policy }: Judgement, { actor }: Decider): void {
  if (policy.fourEyes && plannedBy === actor.id)
    throw conflict('four-eyes', 'You have planned this bar, so somebody else has to override its findings.')
}

function mayNotBeCut({ barId }: OpenedBar, verdict: Verdict): Refusal {
  return conflict('bar-may-not-be-cut', `Bar ${barId} may not be cut: ${inWords(standingBlocks(verdict))}`, {
    findings: verdict.findings,
  })
}

/** A refusal tells this many findings, and counts the others. */
const mostInWords = 3

function inWords(findings: readonly Pick<Finding, 'message'>[]): string {
  const told = findings.slice(0, mostInWords).map(({ message }) => message)
  const others = findings.length - told.length
  if (others > 0) told.push(`${others} more ${others === 1 ? 'finding blocks' : 'findings block'} it.`)
  return told.join(' ')
}

export function kept({ override: _, ...finding }: Finding): KeptFinding {
  return finding
}

/** Return findings of this moment, as an event keeps them. */
export function keptJudgement(findings: readonly Finding[]) {
  return { findings: findings.map(kept), judgedBy } satisfies KeptJudgement
}

/** A certificate for a bar, as a request asks for it. */
export interface AskedCertificate {
  /** null for none. */
  readonly millCertificationId: string | null
  readonly reason?: string | undefined
  readonly override?: AskedOverride | undefined
}

/** The means to decide on a certificate for a bar. */
export interface SettingCertificate {
  readonly isKnown: boolean
  /** The judgement of the bar with the certificate that is asked for. */
  readonly judgement: Judgement
  /** Whether the caller may correct the certificate of a Completed bar. */
  readonly isQuality: boolean
  readonly context: Decider
}

/**
 * Set the certificate of a bar. An Approved or Started bar is judged with it as for an approval. A Completed bar is cut
 * already, so its record is corrected, with a reason. @throws Refusal
 */
export function setBarCertificate(
  bar: OpenedBar,
  asked: AskedCertificate,
  setting: SettingCertificate,
): readonly ProductionPlanBarEvent[] {
  const { millCertificationId, reason } = asked
  refuseCorrection(bar, setting)
  if (bar.millCertificationId !== millCertificationId) {
    if (millCertificationId === null) refuseUnless(bar, 'Draft')
    else if (!setting.isKnown) throw unknownCertificate(millCertificationId)
    refuseWithoutReason(bar, reason)
  }
  return certificateSet(bar, asked, setting)
}

function certificateSet(
  bar: OpenedBar,
  { millCertificationId, reason, override }: AskedCertificate,
  { judgement, context }: Pick<SettingCertificate, 'judgement' | 'context'>,
): readonly ProductionPlanBarEvent[] {
  const isJudged = isJudgedWhenSet(bar)
  if (override && !isJudged) throw nothingToOverride()
  if (bar.millCertificationId === millCertificationId)
    return override ? overridden(bar, judgement, override, { context, path: '/override/findings' }) : []
  const changed = { ...bar, millCertificationId, overrides: [] }
  const verdict = isJudged ? judgedForApproval(changed, judgement, override, context) : undefined
  return [
    certificateSetOn(bar, millCertificationId, reason, verdict),
    ...(override && verdict ? [findingsOverridden(bar, override, verdict.findings)] : []),
  ]
}

/** A draft is judged when it is approved, and a Completed bar is cut already. */
function isJudgedWhenSet({ status }: OpenedBar): boolean {
  return status === 'Approved' || status === 'Started'
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
      ...{ barStatus: bar.status, millCertificationId, formerMillCertificationId: bar.millCertificationId },
      ...(reason !== undefined && { reason }),
      ...(verdict && keptJudgement(verdict.findings)),
    },
  }
}

/** A heat number read off the steel, as a request gives it. */
export interface AskedHeat extends Pick<AskedCertificate, 'reason' | 'override'> {
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
  { heatNumber, reason, override }: AskedHeat,
  { linked, ...setting }: ReadingHeat,
): readonly ProductionPlanBarEvent[] {
  refuseCorrection(bar, setting)
  if (heatNumber === null) return takeReadingBack(bar)
  const isRead = bar.heatRead !== null && isSameHeat(bar.heatRead.heatNumber, heatNumber)
  if (!isRead || bar.millCertificationId !== linked) refuseWithoutReason(bar, reason)
  return [
    ...(isRead ? [] : [heatReadOn(bar, heatNumber, reason)]),
    ...(override
      ? certificateSet(bar, { millCertificationId: linked, reason, override }, setting)
      : certificateFound(bar, linked, reason, setting)),
  ]
}

function certificateFound(
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
export function blockedByHeat(barId: string, findings: readonly KeptFinding[]): Refusal {
  return conflict(
    'bar-may-not-be-cut',
    `The heat is recorded, but bar ${barId} may not be cut: ${inWords(findings)}`,
    { findings },
  )
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

export function isSameHeat(heatNumber: string, other: string): boolean {
  return normalise(heatNumber) === normalise(other)
}

/** @throws Refusal `bar-cancelled`, `forbidden` */
function refuseCorrection(bar: OpenedBar, { isQuality }: Pick<SettingCertificate, 'isQuality'>): void {
  refuseCancelled(bar)
  if (bar.status === 'Completed' && !isQuality) throw forbidden()
}

/** @throws Refusal 400 */
function refuseWithoutReason({ status }: OpenedBar, reason: string | undefined): void {
  if (status !== 'Completed' || reason !== undefined) return
  throw invalid(
    [{ path: '/reason', code: 'required', message: 'is required for a Completed bar' }],
    'The certificate of a Completed bar is corrected only with a reason, so nothing was recorded. Send the reason.',
  )
}

function unknownCertificate(millCertificationId: string): Refusal {
  return invalid([
    {
      ...{ path: '/millCertificationId', code: 'unknown-record' },
      message: `There is no mill certificate ${millCertificationId}.`,
      record: { millCertificationId },
    },
  ])
}

function nothingToOverride(): Refusal {
  return invalid([
    {
      path: '/override',
      code: 'unknown-member',
      message: 'must be left out: the bar is not judged, so there is no finding to override',
    },
  ])
}

/** @throws Refusal `bar-cancelled` */
function refuseCancelled({ barId, status }: OpenedBar): void {
  if (status === 'Cancelled')
    throw conflict('bar-cancelled', `Bar ${barId} is Cancelled, and stays as it is. Plan a new bar.`)
}

export function completeBar(bar: OpenedBar): readonly ProductionPlanBarEvent[] {
  refuseUnless(bar, 'Started')
  return [{ type: 'BarCompleted', data: { ...refOf(bar), lineItems: acceptedCuts(bar.cuts) } }]
}

export function findCut(bar: ProductionPlanBar, cutId: string) {
  return bar?.cuts.find((cut) => cut.cutId === cutId)
}

export function changeCutStatus(
  bar: OpenedBar,
  { cutId, orderId, lineItemId, status }: Cut,
  to: (typeof plannedCutStatuses)[number],
  judging?: {
    readonly judgement: Judgement
    readonly asked: AskedOverride | undefined
    readonly context: Decider
  },
): readonly ProductionPlanBarEvent[] {
  refuseCancelled(bar)
  if (bar.status === 'Completed')
    throw conflict('bar-completed', `Bar ${bar.barId} is Completed: its cuts stay as they are.`, {
      state: bar.status,
    })
  if (status === 'Scrapped')
    throw conflict('cut-scrapped', `Cut ${cutId} is scrapped. Plan the piece once more, on a new bar.`)
  const isJudged = to === 'Accepted' && bar.status !== 'Draft'
  const asked = judging?.asked
  if (asked && !isJudged) throw nothingToOverride()
  if (status === to)
    return judging && asked
      ? overridden(bar, judging.judgement, asked, { context: judging.context, path: '/override/findings' })
      : []
  const cuts = bar.cuts.map((cut) => (cut.cutId === cutId ? { ...cut, status: to } : cut))
  const left = remnantMm({ ...bar, cuts })
  if (left < 0)
    throw conflict(
      'bar-overfull',
      `The cuts would need ${-left} mm more than the ${bar.stockLengthMm} mm of bar ${bar.barId}.`,
    )
  const verdict =
    isJudged && judging
      ? judgedForApproval({ ...bar, cuts }, judging.judgement, asked, judging.context)
      : undefined
  const cut = { barStatus: bar.status, cutId, orderId, lineItemId, from: status, to }
  return [
    ...(asked && verdict ? [findingsOverridden(bar, asked, verdict.findings)] : []),
    { type: 'CutStatusChanged', data: { ...refOf(bar), ...cut, remnantMm: left } },
  ]
}
