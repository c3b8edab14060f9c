import { z } from 'zod'
import { lineItemStatuses } from '../../domain/orders/lineItemStatus.ts'
import type { LineItemContent } from '../../domain/orders/orderContent.ts'
import { millimetres, oneOf, orNull, text, uuid, wholeBetween } from '../kit/schemas/fields.ts'

/** Each field of a line item in a request body. */
export const lineItemContent = {
  lineNumber: wholeBetween(1, 9_999),
  description: orNull(text(0, 500)),
  standard: orNull(text(1, 50)).meta({ description: 'For example EN 10025-2.' }),
  grade: orNull(text(1, 50)),
  profile: orNull(text(1, 50)).meta({ description: 'For example HEA 200.' }),
  lengthMm: millimetres(50_000),
  quantity: wholeBetween(1, 100_000).meta({ description: 'The number of pieces.' }),
  cancelled: z
    .boolean()
    .default(false)
    .meta({ description: 'A cancelled line does not count when an order is checked for completeness.' }),
} satisfies Record<keyof LineItemContent, z.ZodType>

/** Each field of a line item in an answer. */
const shownLineItemContent = {
  lineNumber: z.int(),
  description: z.string().nullable(),
  standard: z.string().nullable(),
  grade: z.string().nullable(),
  profile: z.string().nullable(),
  lengthMm: z.number(),
  quantity: z.int(),
  cancelled: z.boolean(),
} satisfies Record<keyof LineItemContent, z.ZodType>

export const lineItem = z
  .object({
    lineItemId: uuid,
    ...shownLineItemContent,
    status: oneOf(lineItemStatuses).meta({ description: 'Derived from its cuts on all bars.' }),
  })
  .meta({
    id: 'LineItem',
    examples: [
      {
        lineItemId: 'a162ac57-59ad-539b-889e-13ac25830b66',
        lineNumber: 10,
        description: null,
        standard: null,
        grade: 'S355J0+N',
        profile: 'HEA 200',
        lengthMm: 2900,
        quantity: 3,
        cancelled: false,
        status: 'In Progress',
      },
    ],
  })
