import { type VerdictWord, wordOf } from '../../../domain/verdict/verdictWord.ts'
import { hasToStop, type Judged } from '../bars/barSteps.ts'

/** The saw tells at one glance how a bar stands, and whether it may be started. */

export type Glance =
  | VerdictWord
  /** The bar is Completed or Cancelled. */
  | 'over'
  /** Somebody has to read the heat off the steel first. */
  | 'heatUnread'
  /** Nothing speaks against the steel, but nobody has approved the bar. */
  | 'notApproved'
  /** Steel of another heat was scanned for the bar. */
  | 'wrongHeat'
  /** The last verdict was good. It is too old to rely on. */
  | 'old'

interface SawnBar extends Judged {
  readonly certificate?: object | null
}

/** Milliseconds for which a good verdict lets a bar be started. */
const verdictHoldsMs = 15 * 60_000

/** Milliseconds by which the clock of the screen, which ticks every second, may be behind that of a verdict. */
const tickMs = 2_000

/** @param ageMs how long ago this device got the verdict; after its clock was set back, nobody knows */
export function glanceAt(bar: SawnBar, ageMs: number): Glance {
  const { status, verdict, certificate } = bar
  if (status === 'Completed' || status === 'Cancelled') return 'over'
  const isStarted = status === 'Started'
  const word = wordOf({ findings: verdict?.findings, hasCertificate: Boolean(certificate), isStarted })
  if (!verdict || word === 'stop') return word
  if (!verdict.mayBeCut) return onlyHeatUnread(verdict) ? 'heatUnread' : word
  if (status === 'Draft') return 'notApproved'
  return isFresh(ageMs) ? word : 'old'
}

function isFresh(ageMs: number): boolean {
  return ageMs < verdictHoldsMs && ageMs >= -tickMs
}

/** Whether the last verdict lets an Approved or Started bar be cut. */
export function mayBeCutNow({ status, verdict }: SawnBar, ageMs: number): boolean {
  const isReady = status === 'Approved' || status === 'Started'
  return isReady && verdict?.mayBeCut === true && isFresh(ageMs)
}

function onlyHeatUnread({ findings = [] }: NonNullable<Judged['verdict']>): boolean {
  const blocks = findings.filter(({ severity, override }) => severity === 'Block' && !override)
  return blocks.length > 0 && blocks.every(({ code }) => code === 'heat-unread')
}

/**
 * Return the next step that the saw offers. A started bar may be completed however old its verdict is, but not while
 * facts are missing.
 */
export function nextStepAt(bar: SawnBar, ageMs: number): 'start' | 'complete' | undefined {
  if (bar.status === 'Approved') return mayBeCutNow(bar, ageMs) ? 'start' : undefined
  return bar.status === 'Started' && !hasToStop(bar) && bar.verdict !== null ? 'complete' : undefined
}
