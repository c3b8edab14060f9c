import type { DecisionContext } from '../kernel/aggregate.ts'
import { conflict, type Fault, invalid, type Refusal } from '../kernel/refusal.ts'
import type { ReleasePolicy } from '../verdict/releasePolicy.ts'
import { type Finding, isNeverOverridden, standingBlocks, stands, type Verdict } from '../verdict/verdict.ts'
import { allows, type OpenedBar, refuseOutOfTurn } from './bar.ts'
import {
  type BarApprovalWithdrawn,
  type FindingsOverridden,
  type ProductionPlanBarEvent,
  refOf,
} from './barEvents.ts'
import { inWords, judgementFields, type OverrideRequest, withoutOverride } from './keptJudgement.ts'

/** The approval of a bar, and the overrides of the findings that stand against it. */

/** The means to judge a bar: its certificate, orders, tags and policy are loaded already. */
export interface Judgement {
  readonly policy: Pick<ReleasePolicy, 'fourEyes'>
  /** Judge the bar with the cuts and overrides that it is given with. */
  verdictOn(bar: OpenedBar): Verdict
}

/** Approve a bar, unless a Block stands against it that the caller does not override. @throws Refusal */
export function approveBar(
  bar: OpenedBar,
  judgement: Judgement,
  request: OverrideRequest | undefined,
  context: Decider,
): readonly ProductionPlanBarEvent[] {
  refuseOutOfTurn(bar, 'BarApproved')
  const { findings } = judgeForApproval(bar, judgement, request, context)
  return [
    {
      type: 'BarApproved',
      data: { ...refOf(bar), ...judgementFields(findings), ...(request && { override: request }) },
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
  request: OverrideRequest | undefined,
  context: Decider,
): readonly ProductionPlanBarEvent[] {
  if (bar.status === 'Approved') return []
  const blocks = blockKeys(judgement.verdictOn(bar))
  const findings = request?.findings.filter((key) => blocks.has(key)) ?? []
  return approveBar(
    bar,
    judgement,
    request && findings.length > 0 ? { ...request, findings } : undefined,
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
  valid: { has(key: string): boolean },
  { path, says, detail }: { readonly path: string; says(key: string): string; readonly detail: string },
): void {
  const faults = keys.flatMap((key, index): Fault[] =>
    valid.has(key) ? [] : [{ path: `${path}/${index}`, code: 'unknown-record', message: says(key) }],
  )
  if (faults.length > 0) throw invalid(faults, detail)
}

/** The refusal to start a bar that has lost its approval. */
export function approvalWithdrawn({
  barId,
  status,
  withdrawal,
}: Pick<OpenedBar, 'barId' | 'status' | 'withdrawal'>): Refusal {
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
  if (!allows(bar, 'BarApprovalWithdrawn')) return []
  const verdict = judgement.verdictOn(bar)
  if (verdict.mayBeApproved) return []
  return [
    { type: 'BarApprovalWithdrawn', data: { ...refOf(bar), ...judgementFields(standingBlocks(verdict)) } },
  ]
}

/** Override Block findings in any state. Those that are overridden already need nothing. @throws Refusal */
export function overrideFindings(
  bar: OpenedBar,
  judgement: Judgement,
  request: OverrideRequest,
  context: Decider,
): readonly ProductionPlanBarEvent[] {
  return withOverride(bar, judgement, request, { context, path: '/findings' })
}

/** @param path the place of the keys in the request */
export function withOverride(
  bar: OpenedBar,
  judgement: Judgement,
  request: OverrideRequest,
  { context, path }: { readonly context: Decider; readonly path: string },
): readonly ProductionPlanBarEvent[] {
  const { findings } = withStopped(judgement.verdictOn(bar), bar)
  refuseKeys(findings, request, path)
  const isCovered = (key: string) => findings.some((finding) => finding.key === key && finding.override)
  if (request.findings.every(isCovered)) return []
  refuseOwnBar(bar, judgement, context)
  return [findingsOverridden(bar, request, findings)]
}

/** Add the findings that hold the pieces. Their facts may have changed since, but nobody has decided on the pieces. */
export function withStopped(
  { findings }: Verdict,
  { stop }: OpenedBar,
): { readonly findings: readonly Finding[] } {
  const held = stop?.findings ?? []
  const isHeld = new Set(held.map(({ key }) => key))
  return { findings: [...findings.filter(({ key }) => !isHeld.has(key)), ...held] }
}

export function findingsOverridden(
  bar: OpenedBar,
  request: OverrideRequest,
  findings: readonly Finding[],
): FindingsOverridden & ProductionPlanBarEvent {
  const overridden = findings.filter(({ key }) => request.findings.includes(key)).map(withoutOverride)
  return { type: 'FindingsOverridden', data: { ...refOf(bar), ...request, overridden } }
}

export type Decider = Pick<DecisionContext, 'actor' | 'occurredAt'>

/** @throws Refusal `bar-may-not-be-cut` with the findings */
export function judgeForApproval(
  bar: OpenedBar,
  judgement: Judgement,
  request: OverrideRequest | undefined,
  context: Decider,
): Verdict {
  const override = request && { ...request, by: context.actor.id, at: context.occurredAt }
  const verdict = judgement.verdictOn(override ? { ...bar, overrides: [...bar.overrides, override] } : bar)
  if (request) {
    refuseKeys(verdict.findings, request, '/override/findings')
    refuseOwnBar(bar, judgement, context)
  }
  if (!verdict.mayBeApproved) throw mayNotBeCut(bar, verdict)
  return verdict
}

/** @throws Refusal 400 for keys that name no Block; `bar-may-not-be-cut` for findings that nobody overrides */
function refuseKeys(findings: readonly Finding[], { findings: keys }: OverrideRequest, path: string): void {
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

export function mayNotBeCut({ barId }: OpenedBar, { findings }: Verdict): Refusal {
  const blocks = findings.filter(stands)
  return conflict('bar-may-not-be-cut', `Bar ${barId} may not be cut: ${inWords(blocks)}`, { findings })
}

export function nothingToOverride(): Refusal {
  return invalid([
    {
      path: '/override',
      code: 'unknown-member',
      message: 'must be left out: the bar is not judged, so there is no finding to override',
    },
  ])
}
