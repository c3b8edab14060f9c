import type { Finding, ListedProductionPlanBar, ProductionPlanBar } from '../../api/generated.ts'

/** The steps of a bar, and how far one may take it back. */

export const barSteps = ['Draft', 'Approved', 'Started', 'Completed'] as const
export type BarStep = (typeof barSteps)[number]
export type RevertTarget = Exclude<BarStep, 'Completed'>

/** Minutes within which people may take back a start or a completion of their own. */
const ownTapMinutes = 10

export interface Judged {
  readonly status: ListedProductionPlanBar['status']
  readonly verdict?: { readonly mayBeCut: boolean; readonly findings?: readonly Finding[] } | null
}

/**
 * Whether the bar was started and may not be cut any more. Its next step is then not the completion: a person who has
 * cut the bar all the same must give a reason.
 */
export function hasToStop({ status, verdict }: Judged): boolean {
  return status === 'Started' && verdict?.mayBeCut === false
}

/** Whether a started bar has to stop, or may have to, because the read models lack an event. */
export function mayHaveToStop(bar: Judged): boolean {
  return hasToStop(bar) || (bar.status === 'Started' && bar.verdict === null)
}

type Tapped = Pick<ProductionPlanBar, 'status' | 'startedAt' | 'completedAt' | 'stop'>

/**
 * Return the steps to which a person with these roles may take a bar back, the latest first. The bar does not say who
 * started or completed it, so the service decides whether the step was the person's own. A bar whose pieces are held
 * goes back to Started and no further.
 */
export function revertTargets(bar: Tapped, roles: readonly string[], now: Date): readonly RevertTarget[] {
  const { status } = bar
  if (status === 'Cancelled') return []
  const mayUndo = (step: BarStep) => {
    if (roles.includes('Quality') || roles.includes('Admin')) return true
    if (step === 'Approved') return roles.includes('Planner')
    const maySaw = roles.includes('Planner') || roles.includes('Cutter')
    return maySaw && isRecent(step === 'Started' ? bar.startedAt : bar.completedAt, now)
  }
  const earliest = bar.stop ? barSteps.indexOf('Started') : 0
  const before = barSteps.slice(earliest, barSteps.indexOf(status)).toReversed()
  const first = before.findIndex((target) => !mayUndo(barSteps[barSteps.indexOf(target) + 1]!))
  return (first === -1 ? before : before.slice(0, first)) as RevertTarget[]
}

/** Return the step to which a person with these roles may take back a step of theirs at once; undefined for none. */
export function undoOf(step: BarStep, roles: readonly string[], now: Date): RevertTarget | undefined {
  const at = now.toISOString()
  return revertTargets({ status: step, startedAt: at, completedAt: at, stop: null }, roles, now)[0]
}

function isRecent(at: string | null, now: Date): boolean {
  return at !== null && now.getTime() - Date.parse(at) <= ownTapMinutes * 60_000
}
