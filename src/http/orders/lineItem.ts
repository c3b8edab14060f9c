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
  .meta({ id: 'LineItem' })
