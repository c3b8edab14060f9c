import { z } from 'zod'
import type { BarRecord } from '../../commands/bars/plannedBar.ts'
import { type HeatFacts, heatFields, offeredFor } from '../../domain/bars/heatRead.ts'
import { findHeat } from '../../projections/bars/heatRead.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import { answerOf } from '../kit/schemas/declared.ts'
import { uuid } from '../kit/schemas/fields.ts'
import { barRecord, heatRead } from './barSchema.ts'

/** A single bar is answered with the certificates that are offered for the heat read, by GET and by every command on it. */

const offered = z
  .array(
    z.object({
      millCertificationId: uuid,
      certificateNumber: z.string(),
      heatNumber: z.string(),
      ...answerOf(heatFields),
    }),
  )
  .meta({
    description:
      'The live certificates of this heat that suit the profile of the bar, unless the bar has one of them. If no certificate has the number as it was read, those whose `heatNumber` is the same without white space, hyphens, dots and slashes, and with 0 for O, or 1 for I or l. A person links one by setting it.',
  })

export const singleBar = barRecord
  .extend({ heatRead: heatRead.extend({ offered }).nullable() })
  .meta({ id: 'ProductionPlanBarWithOffers' })

/** Answer a row of `findBar`. */
export function presentFoundBar({ certificates, profiles, ...bar }: BarRecord & HeatFacts): object {
  return withOffers(bar, { certificates, profiles })
}

/** Answer a bar as a command decided it. Without a reader, nothing is offered. */
export async function presentDecidedBar(bar: BarRecord, reader?: Reader): Promise<object> {
  const facts = bar.heatRead && reader ? await findHeat(reader, bar, bar.heatRead.heatNumber) : undefined
  return withOffers(bar, facts ?? { certificates: [], profiles: [] })
}

function withOffers(bar: BarRecord, facts: HeatFacts): object {
  const { heatRead, millCertificationId } = bar
  return {
    ...bar,
    heatRead: heatRead && {
      ...heatRead,
      offered: offeredFor(facts, heatRead.heatNumber, millCertificationId),
    },
  }
}
