import { hasToStop, type Judged } from '../bars/barSteps.ts'

/** The saw tells at one glance how a bar stands, and whether it may be started. */

export type Glance =
  /** The bar is Completed or Cancelled. */
  | 'over'
  /** The bar is being cut, and may not be. */
  | 'stop'
  | 'mayNotBeCut'
  /** Somebody has to read the heat off the steel first. */
  | 'heatUnread'
  /** Nothing speaks against the steel, but nobody has approved the bar. */
  | 'notApproved'
  /** Steel of another heat was scanned for the bar. */
  | 'wrongHeat'
  /** The service has not judged the heat that was read yet, or cannot, because its read models lack an event. */
  | 'notJudged'
  /** The last verdict was good. It is too old to rely on. */
  | 'old'
  | 'mayBeCut'

/** Milliseconds for which a good verdict lets a bar be started. */
const verdictHoldsMs = 15 * 60_000

/** Milliseconds by which the clock of the screen, which ticks every second, may be behind that of a verdict. */
const tickMs = 2_000

/** @param ageMs how long ago this device got the verdict; after its clock was set back, nobody knows */
export function glanceAt(bar: Judged, ageMs: number): Glance {
  const { status, verdict } = bar
  if (status === 'Completed' || status === 'Cancelled') return 'over'
  if (!verdict) return 'notJudged'
  if (hasToStop(bar)) return 'stop'
  if (!verdict.mayBeCut) return onlyHeatUnread(verdict) ? 'heatUnread' : 'mayNotBeCut'
  if (status === 'Draft') return 'notApproved'
  return ageMs >= verdictHoldsMs || ageMs < -tickMs ? 'old' : 'mayBeCut'
}

function onlyHeatUnread({ findings = [] }: NonNullable<Judged['verdict']>): boolean {
  const blocks = findings.filter(({ severity, override }) => severity === 'Block' && !override)
  return blocks.length > 0 && blocks.every(({ code }) => code === 'heat-unread')
}

/**
 * Return the next step that the saw offers. A started bar may be completed however old its verdict is, but not while
 * facts are missing.
 */
export function nextStepAt(bar: Judged, ageMs: number): 'start' | 'complete' | undefined {
  if (bar.status === 'Approved') return glanceAt(bar, ageMs) === 'mayBeCut' ? 'start' : undefined
  return bar.status === 'Started' && !hasToStop(bar) && bar.verdict !== null ? 'complete' : undefined
}
