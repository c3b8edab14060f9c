import { z } from 'zod'
import { lineItemStatuses } from '../../domain/orders/lineItemStatus.ts'
import { lineItemFields } from '../../domain/orders/orderContent.ts'
import { answerOf } from '../kit/schemas/declared.ts'
import { oneOf, uuid } from '../kit/schemas/fields.ts'

export const lineItem = z
  .object({
    lineItemId: uuid,
    ...answerOf(lineItemFields),
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
        pieceMark: null,
        allowedSubstitutes: null,
        lengthMm: 2900,
        quantity: 3,
        cancelled: false,
        status: 'In Progress',
      },
    ],
  })
