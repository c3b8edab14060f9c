import type { DecisionContext } from '../domain/aggregate.ts'
import type { Judgement } from '../domain/barApproval.ts'
import * as approval from '../domain/barApproval.ts'
import type { AskedCertificate, AskedHeat } from '../domain/barCertificate.ts'
import * as certificates from '../domain/barCertificate.ts'
import * as cuts from '../domain/barCuts.ts'
import { millCertificate, millCertificateKey } from '../domain/millCertificate.ts'
import { productionPlan, productionPlanKey } from '../domain/productionPlan.ts'
import type {
  Approval,
  AskedOverride,
  BarContent,
  BarRef,
  BarRequest,
  BarStatus,
  Cut,
  HeatRead,
  KeptFinding,
  OpenedBar,
  ProductionPlanBar,
  ProductionPlanBarEvent,
  Withdrawal,
} from '../domain/productionPlanBar.ts'
import * as bars from '../domain/productionPlanBar.ts'
import { notFound } from '../domain/refusal.ts'
import type { Taker } from '../domain/remnants.ts'
import * as remnants from '../domain/remnants.ts'
import type { ProblemCode } from '../problems/catalogue.ts'
import {
  type AddressedRecord,
  type Command,
  type Load,
  onRecord,
  onStream,
  type Workflow,
} from './command.ts'
import {
  type FindBlockedOfSameHeat,
  type LoadedJudgement,
  type LoadJudgement,
  loadJudgement,
} from './judging.ts'
import type { IsQuality } from './qualityOnly.ts'

/** A bar as it is answered. */
export interface BarRecord extends BarRef, BarContent {
  readonly status: BarStatus
  readonly remnantMm: number
  /** Its place in the plan, from 1. */
  readonly ordinal: number
  readonly createdAt: string
  readonly approvedAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly approval: Approval | null
  readonly withdrawal: Withdrawal | null
  readonly heatRead: HeatRead | null
}

/** The bar that a request addresses. */
export interface BarAddress {
  readonly companyId: string
  readonly barId: string
}

/** Reserve the bar's id for this content, so that its plan can name it. The same again records nothing. */
export function openBar(ref: BarRef, asked: BarRequest): Command<OpenedBar> {
  return onStream<ProductionPlanBar, ProductionPlanBarEvent, ProductionPlanBar, OpenedBar>({
    aggregate: bars.productionPlanBar,
    id: bars.productionPlanBarKey(ref.companyId, ref.barId),
    opensStream: true,
    dependencies: async (load) => {
      const { companyId } = ref
      return asked.fromBarId ? await loadBar(load, { companyId, barId: asked.fromBarId }) : undefined
    },
    decide: (state, context, source) => bars.openBar(state, ref, asked, context, source),
    answer: (bar) => ({ body: bar, etag: bar.revision }),
  })
}

/** Take the remnant that a bar is to be cut from. Of two bars, one gets it. */
export function takeRemnant(bar: OpenedBar): Command<undefined> {
  const source = { companyId: bar.companyId, barId: bar.fromBarId! }
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, OpenedBar, Taker | undefined>({
    ...barStream(source),
    record: { missing: 'bar-not-found', id: source.barId, find: (found) => found },
    dependencies: loadTaker,
    decide: (found, context, taker) => remnants.takeRemnant(found, bar, taker, context),
  })
}

/** Load the bar that has taken the remnant of another. */
export async function loadTaker(
  load: Load,
  { companyId, remnantTaken }: OpenedBar,
): Promise<Taker | undefined> {
  const taker = remnantTaken && (await loadBar(load, { companyId, barId: remnantTaken.barId }))
  if (!taker) return undefined
  return { isPlanned: await isPlanned(load, taker), isCancelled: taker.status === 'Cancelled' }
}

async function loadBar(load: Load, { companyId, barId }: BarAddress): Promise<ProductionPlanBar> {
  return (await load(bars.productionPlanBar, bars.productionPlanBarKey(companyId, barId))).state
}

/** Approve a bar that no Block stands against, or only such as are overridden. */
export function approveBar(
  address: BarAddress,
  findBlockedOfSameHeat: FindBlockedOfSameHeat,
  asked?: AskedOverride,
): Command<OpenedBar> {
  return judgeBar(address, judgedBy(findBlockedOfSameHeat), (bar, judgement, context) =>
    approval.approveBar(bar, judgement, asked, context),
  )
}
approveBar.refuses = [
  'bar-not-found',
  'bar-not-draft',
  'bar-may-not-be-cut',
  'four-eyes',
] as const satisfies readonly ProblemCode[]

/** Approve one of many bars. An Approved one stays as it is, and an override covers those of its keys that the bar has. */
export function approveOneOfMany(
  address: BarAddress,
  judgementOf: LoadJudgement,
  asked?: AskedOverride,
): Command<OpenedBar> {
  return judgeBar(address, judgementOf, (bar, judgement, context) =>
    approval.approveOneOfMany(bar, judgement, asked, context),
  )
}

/** Override Block findings of a bar, whatever its status. */
export function overrideFindings(
  address: BarAddress,
  findBlockedOfSameHeat: FindBlockedOfSameHeat,
  asked: AskedOverride,
): Command<BarRecord> {
  return onPlannedBar(address, {
    load: (load, bar) => loadJudgement(load, findBlockedOfSameHeat, bar),
    decide: (bar, context, judgement) => approval.overrideFindings(bar, judgement, asked, context),
  })
}

overrideFindings.refuses = [
  'bar-not-found',
  'bar-may-not-be-cut',
  'four-eyes',
] as const satisfies readonly ProblemCode[]

/** Start an Approved bar. One that may not be cut any more loses its approval, and the request is refused. */
export function startBar(
  address: BarAddress,
  findBlockedOfSameHeat: FindBlockedOfSameHeat,
): Workflow<OpenedBar> {
  return {
    aggregate: bars.productionPlanBar,
    async run({ execute, untilShown }, context) {
      const outcome = await execute(
        judgeBar(address, judgedBy(findBlockedOfSameHeat), approval.startBar),
        context,
      )
      if (!outcome.recorded.includes('BarApprovalWithdrawn')) return outcome
      await untilShown?.(outcome)
      throw approval.approvalWithdrawn(outcome.body)
    },
  }
}
startBar.refuses = ['bar-not-found', 'bar-not-approved'] as const satisfies readonly ProblemCode[]

/**
 * Judge an Approved bar once more, and withdraw its approval if a Block stands against it that nobody has overridden.
 * It records nothing on a bar in another status.
 */
export function reviewApproval(address: BarAddress, loadJudgement: LoadJudgement): Command<undefined> {
  return onStream<ProductionPlanBar, ProductionPlanBarEvent, Judgement | undefined>({
    ...barStream(address),
    dependencies: async (load, bar) => (bar?.status === 'Approved' ? loadJudgement(load, bar) : undefined),
    decide: (bar, _context, judgement) => (bar && judgement ? approval.withdrawApproval(bar, judgement) : []),
  })
}

/** Set the certificate of a bar. */
export function setBarCertificate(
  address: BarAddress,
  asked: AskedCertificate,
  certifying: Certifying,
): Command<BarRecord> {
  return certifyBar(address, certifying, {
    choose: async () => asked.millCertificationId,
    decide: (bar, { judgement, isQuality, context }) =>
      certificates.setBarCertificate(bar, asked, {
        ...{ isKnown: judgement.hasCertificate, judgement, isQuality, context },
      }),
  })
}

/** Find the live certificates of a heat that suit the profiles of the bar. No stream lists them. */
export type FindOfHeat = (address: BarAddress, heatNumber: string) => Promise<readonly string[]>

/**
 * Keep the heat number that somebody has read off the steel of a bar, and link the certificate if there is just one. A
 * certificate that blocks an Approved or Started bar is recorded, and the request is refused.
 */
export function readHeat(
  address: BarAddress,
  asked: AskedHeat,
  findOfHeat: FindOfHeat,
  certifying: Certifying,
): Workflow<BarRecord> {
  const { heatNumber } = asked
  const reading = certifyBar(address, certifying, {
    choose: async (load, bar) => {
      if (heatNumber === null || (await hasHeat(load, bar, heatNumber))) return bar.millCertificationId
      const ofHeat = await findOfHeat(address, heatNumber)
      return ofHeat.length === 1 ? ofHeat[0]! : null
    },
    decide: (bar, { chosen, context, judgement, isQuality }) =>
      certificates.readHeat(bar, asked, { linked: chosen, judgement, isQuality, context }),
  })
  return {
    aggregate: bars.productionPlanBar,
    async run({ execute, untilShown }, context) {
      const outcome = await execute(withBlocks(reading), context)
      const { bar, blocks } = outcome.body
      if (blocks.length === 0) return { ...outcome, body: bar }
      await untilShown?.(outcome)
      throw certificates.blockedByHeat(address.barId, blocks)
    },
  }
}

/** The same command, whose answer also says which Blocks it brought. */
function withBlocks(
  reading: Command<BarRecord>,
): Command<{ readonly bar: BarRecord; readonly blocks: readonly KeptFinding[] }> {
  return {
    ...reading,
    answer: (found, recorded, facts) => {
      const { body, ...answered } = reading.answer!(found, recorded, facts)
      return { ...answered, body: { bar: body, blocks: certificates.blocksOfReading(recorded) } }
    },
  }
}

/** Whether the bar has a live certificate of that heat. */
async function hasHeat(
  load: Load,
  { companyId, millCertificationId }: OpenedBar,
  heatNumber: string,
): Promise<boolean> {
  if (millCertificationId === null) return false
  const { state } = await load(millCertificate, millCertificateKey(companyId, millCertificationId))
  return (
    state !== undefined &&
    state.status !== 'Voided' &&
    certificates.isSameHeat(state.facts.heatNumber, heatNumber)
  )
}

/** The means to give a bar another certificate. */
export interface Certifying {
  readonly findBlockedOfSameHeat: FindBlockedOfSameHeat
  /** Find out whether the caller may correct a Completed bar. */
  readonly isQuality: IsQuality
}

interface Certified {
  readonly chosen: string | null
  /** The judgement of the bar with the chosen certificate. */
  readonly judgement: LoadedJudgement
  readonly isQuality: boolean
}

interface CertificateChoice {
  choose(load: Load, bar: OpenedBar): Promise<string | null>
  decide(
    bar: OpenedBar,
    certified: Certified & { readonly context: DecisionContext },
  ): readonly ProductionPlanBarEvent[]
}

/** Build a command that chooses a certificate for a bar, judges the bar with it, and decides. */
function certifyBar(
  address: BarAddress,
  { findBlockedOfSameHeat, isQuality }: Certifying,
  { choose, decide }: CertificateChoice,
): Command<BarRecord> {
  return onPlannedBar(address, {
    load: async (load, bar) => {
      const [chosen, mayCorrect] = await Promise.all([choose(load, bar), isQuality()])
      const changed = { ...bar, millCertificationId: chosen }
      const judgement = await loadJudgement(load, findBlockedOfSameHeat, changed)
      return { chosen, judgement, isQuality: mayCorrect }
    },
    decide: (bar, context, certified) => decide(bar, { ...certified, context }),
  })
}
setBarCertificate.refuses = [
  'bar-not-found',
  'bar-not-draft',
  'bar-cancelled',
  'bar-may-not-be-cut',
  'four-eyes',
] as const satisfies readonly ProblemCode[]

export function completeBar(address: BarAddress): Command<OpenedBar> {
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, OpenedBar, boolean, OpenedBar>({
    ...barStream(address),
    record: { missing: 'bar-not-found', id: address.barId, find: (bar) => bar },
    dependencies: isPlanned,
    decide: (bar, _context, planned) => {
      if (!planned) throw notFound('bar-not-found', address.barId)
      return bars.completeBar(bar)
    },
    answer: (bar) => ({ body: bar, etag: bar.revision }),
  })
}
completeBar.refuses = ['bar-not-found', 'bar-not-started'] as const satisfies readonly ProblemCode[]

/** Change the status of one cut. The record, and its ETag, are the cut's own. */
export function changeCutStatus(
  address: BarAddress,
  cutId: string,
  status: Parameters<typeof cuts.changeCutStatus>[2],
  findBlockedOfSameHeat: FindBlockedOfSameHeat,
  asked?: AskedOverride,
): Command<Cut> {
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, FoundCut, Judgement | undefined, Cut>({
    ...barStream(address),
    record: cutOn(address, cutId),
    dependencies: async (load, { bar }) =>
      (await isPlanned(load, bar)) ? loadJudgement(load, findBlockedOfSameHeat, bar, cutId) : undefined,
    decide: ({ bar, cut }, context, judgement) => {
      if (!judgement) throw notFound('cut-not-found', cutId, onBar(address))
      return cuts.changeCutStatus(bar, cut, status, { judgement, asked, context })
    },
    answer: ({ cut }) => ({ body: bars.cutContent(cut), etag: cut.revision }),
  })
}
changeCutStatus.refuses = [
  'cut-not-found',
  'bar-completed',
  'bar-cancelled',
  'cut-scrapped',
  'bar-overfull',
  'bar-may-not-be-cut',
  'four-eyes',
] as const satisfies readonly ProblemCode[]

/** A cut with its bar. Its revision is its own. */
export interface FoundCut {
  readonly bar: OpenedBar
  readonly cut: OpenedBar['cuts'][number]
  readonly revision: number
}

/** The cut that a request addresses. */
export function cutOn(address: BarAddress, cutId: string): AddressedRecord<ProductionPlanBar, FoundCut> {
  return {
    missing: 'cut-not-found',
    id: cutId,
    where: onBar(address),
    find: (bar) => {
      const cut = cuts.findCut(bar, cutId)
      return bar && cut && { bar, cut, revision: cut.revision }
    },
  }
}

/** Build a command on a bar that its plan names. The bar is the answer. */
export function onPlannedBar<Facts = undefined>(
  address: BarAddress,
  {
    load: loadFacts,
    decide,
  }: {
    readonly load?: (load: Load, bar: OpenedBar) => Promise<Facts>
    readonly decide: (
      bar: OpenedBar,
      context: DecisionContext,
      facts: Facts,
    ) => readonly ProductionPlanBarEvent[]
  },
): Command<BarRecord> {
  interface Planned {
    readonly ordinal: number
    readonly facts: Facts
  }
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, OpenedBar, Planned, BarRecord>({
    ...barStream(address),
    record: { missing: 'bar-not-found', id: address.barId, find: (bar) => bar },
    dependencies: async (load, bar) => {
      const ordinal = await ordinalOf(load, bar)
      if (ordinal === 0) throw notFound('bar-not-found', address.barId)
      return { ordinal, facts: (await loadFacts?.(load, bar)) as Facts }
    },
    decide: (bar, context, { facts }) => decide(bar, context, facts),
    answer: (bar, _recorded, { ordinal }) => ({ body: barRecord(bar, ordinal), etag: bar.revision }),
  })
}

export function barRecord(bar: OpenedBar, ordinal: number): BarRecord {
  return {
    companyId: bar.companyId,
    barId: bar.barId,
    planId: bar.planId,
    ordinal,
    status: bar.status,
    stockLengthMm: bar.stockLengthMm,
    grade: bar.grade,
    millCertificationId: bar.millCertificationId,
    fromBarId: bar.fromBarId,
    remnantMm: bar.remnantMm,
    createdAt: bar.createdAt,
    approvedAt: bar.approvedAt,
    startedAt: bar.startedAt,
    completedAt: bar.completedAt,
    approval: bar.approval,
    withdrawal: bar.withdrawal,
    heatRead: bar.heatRead,
    cuts: bar.cuts.map(bars.cutContent),
  }
}

/** Build a command that judges the bar before it decides. */
function judgeBar(
  address: BarAddress,
  judgementOf: LoadJudgement,
  decide: (
    bar: OpenedBar,
    judgement: Judgement,
    context: DecisionContext,
  ) => readonly ProductionPlanBarEvent[],
): Command<OpenedBar> {
  return onRecord<ProductionPlanBar, ProductionPlanBarEvent, OpenedBar, Judgement | undefined, OpenedBar>({
    ...barStream(address),
    record: { missing: 'bar-not-found', id: address.barId, find: (bar) => bar },
    dependencies: async (load, bar) => ((await isPlanned(load, bar)) ? judgementOf(load, bar) : undefined),
    decide: (bar, context, judgement) => {
      if (!judgement) throw notFound('bar-not-found', address.barId)
      return decide(bar, judgement, context)
    },
    answer: (bar) => ({ body: bar, etag: bar.revision }),
  })
}

/** Load the facts of each judgement anew. */
function judgedBy(findBlockedOfSameHeat: FindBlockedOfSameHeat): LoadJudgement {
  return (load, bar) => loadJudgement(load, findBlockedOfSameHeat, bar)
}

export function onBar({ barId }: BarAddress): string {
  return `on a production plan bar ${barId} in this company`
}

export function barStream({ companyId, barId }: BarAddress) {
  return { aggregate: bars.productionPlanBar, id: bars.productionPlanBarKey(companyId, barId) }
}

/** A bar beyond Draft was planned before it got there, so its plan need not be read. */
export async function isPlanned(load: Load, bar: OpenedBar): Promise<boolean> {
  if (bar.status !== 'Draft') return true
  return (await ordinalOf(load, bar)) > 0
}

/** The place of the bar in its plan, from 1; 0 while the plan does not name it. */
async function ordinalOf(load: Load, { companyId, planId, barId }: OpenedBar): Promise<number> {
  const { state } = await load(productionPlan, productionPlanKey(companyId, planId))
  return state ? state.barIds.keySeq().indexOf(barId) + 1 : 0
}
