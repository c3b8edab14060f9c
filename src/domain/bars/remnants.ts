import type { DecisionContext } from '../kernel/aggregate.ts'
import { conflict, type Fault, invalid } from '../kernel/refusal.ts'
import { isSameSection } from '../steel/steelProfile.ts'
import { allows, type OpenedBar } from './bar.ts'
import type { BarContent } from './barContent.ts'
import { type ProductionPlanBarEvent, refOf } from './barEvents.ts'

/** Remnants: the rest of a Completed bar becomes the stock of another bar, once. */

/** A bar that is to be cut from a remnant. */
type RemnantBar = Pick<BarContent, 'stockLengthMm' | 'millCertificationId' | 'fromBarId'> & {
  readonly profile?: string | null | undefined
}

/** Return the faults of a bar that is to be cut from the remnant of another. */
export function faultsOfRemnant(
  { stockLengthMm, profile = null, millCertificationId, fromBarId }: RemnantBar,
  source: OpenedBar | undefined,
  path: string,
): Fault[] {
  const record = { barId: fromBarId! }
  const faultAt = (member: string, code: Fault['code'], message: string): Fault[] => [
    { path: `${path}/${member}`, code, message, record },
  ]
  if (!source) return faultAt('fromBarId', 'unknown-record', `There is no bar ${fromBarId}.`)
  if (!allows(source, 'RemnantTaken'))
    return faultAt('fromBarId', 'wrong-status', `Bar ${fromBarId} is ${source.status}, not Completed.`)
  return [
    ...(stockLengthMm > source.remnantMm
      ? faultAt(
          'stockLengthMm',
          'out-of-bounds',
          `is ${stockLengthMm} mm, and the remnant of bar ${fromBarId} is ${source.remnantMm} mm long`,
        )
      : []),
    ...(millCertificationId !== null && millCertificationId !== source.millCertificationId
      ? faultAt(
          'millCertificationId',
          'unchangeable',
          `must be left out: the bar has the certificate of ${fromBarId}`,
        )
      : []),
    ...(profile !== null && source.profile !== null && !isSameSection(profile, source.profile)
      ? faultAt('profile', 'unchangeable', `must be left out: the bar has the profile of ${fromBarId}`)
      : []),
  ]
}

/** The bar that has taken a remnant. */
export interface Taker {
  readonly isPlanned: boolean
  readonly isCancelled: boolean
}

/** Minutes that a remnant waits for the plan of the bar that has taken it. If that request broke off, it is free after that. */
const waitsMinutes = 10

/** Whether another bar has the remnant. A Cancelled one has given it back. */
export function isTaken({ remnantTaken }: OpenedBar, taker: Taker | undefined, now: string): boolean {
  if (!remnantTaken || !taker || taker.isCancelled) return false
  return taker.isPlanned || Date.parse(now) - Date.parse(remnantTaken.at) <= waitsMinutes * 60_000
}

/** Take the remnant of a bar for another one. A repeat for the same bar records nothing. @throws Refusal */
export function takeRemnant(
  source: OpenedBar,
  bar: OpenedBar,
  taker: Taker | undefined,
  { now }: Pick<DecisionContext, 'now'>,
): readonly ProductionPlanBarEvent[] {
  if (source.remnantTaken?.barId === bar.barId) return []
  const faults = faultsOfRemnant(bar, source, '')
  if (faults.length > 0) throw invalid(faults, 'The remnant has changed meanwhile, so nothing was planned.')
  if (isTaken(source, taker, now)) throw remnantUsed(source)
  const { planId, barId, stockLengthMm } = bar
  return [{ type: 'RemnantTaken', data: { ...refOf(source), takenBy: { planId, barId }, stockLengthMm } }]
}

/** The refusal to do something that needs the remnant of a bar. */
export function remnantUsed({ barId, remnantTaken }: OpenedBar) {
  return conflict(
    'remnant-used',
    `The remnant of bar ${barId} is used by bar ${remnantTaken!.barId}. Cancel that bar first, or use another remnant.`,
    { barId, usedBy: remnantTaken!.barId },
  )
}
