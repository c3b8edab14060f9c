import { z } from 'zod'
import { orNull, text } from '../kit/schemas/fields.ts'

/** The decision of a person to go on in spite of Block findings. */

/** The members of a request beside the keys of the findings. */
export const overrideReason = {
  reason: text(10, 500),
  reference: orNull(text(1, 100)).meta({ description: 'For example the number of a deviation report.' }),
}

/** An override as a record shows it. */
export const overrideRecord = z.object({
  findings: z.array(z.string()),
  reason: z.string(),
  reference: z.string().nullable(),
})
