import type { BarRecord } from '../../commands/bars/plannedBar.ts'
import { findOffers, type HeatFacts } from '../../domain/bars/heatRead.ts'
import { findHeat } from '../../projections/bars/heatRead.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import { barRecord } from './barSchema.ts'

/** GET and every command on a bar answer it with the certificates that are offered for the heat that was read. */

/** Answer a row of `findBar`. */
export function presentFoundBar({ certificates, profiles, ...bar }: BarRecord & HeatFacts): object {
  return withOffers(bar, { certificates, profiles })
}

/** Answer a bar as a command decided it. Without a reader, nothing is offered. */
export async function presentDecidedBar(bar: BarRecord, reader?: Reader): Promise<object> {
  const facts = bar.heatRead && reader ? await findHeat(reader, bar, bar.heatRead.heatNumber) : undefined
  return withOffers(bar, facts ?? { certificates: [], profiles: [] })
}

/** A step of a bar answers with the bar, if the caller prefers that. */
export const barIfPreferred = { record: barRecord, present: presentDecidedBar, isMinimal: true } as const

function withOffers(bar: BarRecord, facts: HeatFacts): object {
  const { heatRead, millCertificationId } = bar
  return {
    ...bar,
    heatRead: heatRead && {
      ...heatRead,
      offered: findOffers(facts, heatRead.heatNumber, millCertificationId),
    },
  }
}
