import type { Stored } from '../kernel/event.ts'
import { conflict } from '../kernel/refusal.ts'
import { standingBlocks } from '../verdict/verdict.ts'
import type { Cut } from './barContent.ts'
import type { BarRef, BarStatus, ProductionPlanBarEvent } from './barEvents.ts'
import type { KeptFinding } from './keptJudgement.ts'

/** A stop holds the pieces of a bar that was completed in spite of Block findings. */

/** The pieces are held until Quality has decided on all findings. */
export interface Stop {
  readonly by: string
  readonly at: string
  readonly reason: string | null
  /** The findings that nobody has overridden since. */
  readonly findings: readonly KeptFinding[]
}

/** Return the stop if it holds a piece of the bar. Without an Accepted cut it holds none. */
export function holdingStop({
  stop,
  cuts,
}: {
  readonly stop: Stop | null
  readonly cuts: readonly Pick<Cut, 'status'>[]
}): Stop | null {
  return cuts.some((cut) => isHeld({ stop }, cut)) ? stop : null
}

/** Whether the piece was cut in spite of a Block that nobody has overridden since. */
export function isHeld({ stop }: { readonly stop: Stop | null }, { status }: Pick<Cut, 'status'>): boolean {
  return stop !== null && status === 'Accepted'
}

/**
 * Return the stop after an event. It ends when every finding is overridden, and when the steel is of another certificate
 * that no Block speaks against. The Blocks of another certificate take the place of the former. It stays when the
 * completion is taken back, and when every piece is scrapped: the steel is cut.
 */
export function stopAfter(
  stop: Stop | null,
  { type, data, metadata }: Stored<ProductionPlanBarEvent>,
): Stop | null {
  switch (type) {
    case 'BarCompleted': {
      const { uncovered, reason = null } = data
      return uncovered
        ? { by: metadata.actor.id, at: metadata.occurredAt, reason, findings: uncovered }
        : stop
    }
    case 'FindingsOverridden': {
      const findings = stop?.findings.filter(({ key }) => !data.findings.includes(key)) ?? []
      return stop && findings.length > 0 ? { ...stop, findings } : null
    }
    case 'BarCertificateSet': {
      if (!stop || data.millCertificationId === null) return stop
      const findings = standingBlocks({ findings: data.findings ?? [] })
      return findings.length > 0 ? { ...stop, findings } : null
    }
    default:
      return stop
  }
}

/** @throws Refusal `pieces-held` */
export function refuseHeld({
  barId,
  status,
  stop,
}: Pick<BarRef, 'barId'> & { readonly status: BarStatus; readonly stop: Stop | null }): void {
  if (stop)
    throw conflict(
      'pieces-held',
      `Bar ${barId} was completed in spite of a Block, so its steel is cut and nothing was recorded. Let Quality override the findings first.`,
      { state: status },
    )
}
