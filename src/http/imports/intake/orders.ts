import { z } from 'zod'
import { type DecidedOrder, registerOrder, upsertOrder } from '../../../commands/orders/orders.ts'
import { keepingSubstitutes } from '../../../commands/orders/substitutes.ts'
import { pick } from '../../../domain/kernel/fields.ts'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import { replaceOrderMembers } from '../../../domain/orders/order.ts'
import {
  lineItemFields,
  mostLineItems,
  orderFields,
  orderHeadFields,
  orderNumbers,
} from '../../../domain/orders/orderContent.ts'
import type { BulkLines } from '../../kit/routing/bulkRun.ts'
import { qualityOf } from '../../kit/routing/qualityOf.ts'
import { listOf } from '../../kit/schemas/collections.ts'
import { bodyOf, patchOf } from '../../kit/schemas/declared.ts'
import { asEdit } from '../../kit/schemas/edit.ts'
import type { Principal } from '../../kit/services.ts'

/** Orders as they arrive: alone, in bulk or in an imported file. */

const numbers = bodyOf(orderNumbers)
const line = bodyOf(lineItemFields)
const content = { ...bodyOf(orderHeadFields), lineItems: listOfLines(line, 'NewLineItem') }

const registration = z.strictObject({ ...numbers, ...content }).meta({
  id: 'OrderRegistration',
  sharedMembers: 'OrderMembers',
  examples: [
    {
      orderNumber: 'SO-1001',
      customer: 'Bridge & Beam',
      executionClass: 'EXC3',
      lineItems: [{ lineNumber: 10, grade: 'S355J0+N', profile: 'HEA 200', lengthMm: 2900, quantity: 3 }],
    },
  ],
})

/** Options that are left out stay, too. */
const sentOptions = patchOf({ options: orderHeadFields.options })

export const correctedContent = {
  ...asEdit({
    ...content,
    lineItems: listOfLines(
      { ...asEdit(line), ...sentOptions, lineNumber: line.lineNumber },
      'LineItemCorrection',
    ),
  }),
  ...sentOptions,
}

const upsertion = z.strictObject({ ...numbers, ...correctedContent }).meta({
  id: 'OrderUpsert',
  sharedMembers: 'OrderMembers',
  description: 'An order that exists keeps the members that are left out. lineItems lists every line of it.',
})

export const orderIntake = {
  body: registration,
  bodyFaults: repeatedLineNumbers,
  command: register,
  upsert: {
    body: upsertion,
    command: ({ params, body: { orderNumber, ...sent }, principal }, whole) =>
      keepingSubstitutes(
        upsertOrder(params.companyId, orderNumber, {
          whole: () => pick(orderFields, whole()),
          edit: replaceOrderMembers(sent),
        }),
        qualityOf(principal, params.companyId),
      ),
  },
  creates: 'OrderRegistered',
  id: ({ orderId }: { orderId: string }) => orderId,
} satisfies BulkLines<
  '/api/company/{companyId}/orders/bulk',
  typeof registration,
  typeof upsertion,
  DecidedOrder
>

function listOfLines<Line extends Readonly<Record<string, z.ZodType>>>(line: Line, name: string) {
  return listOf(z.strictObject(line).meta({ id: name, sharedMembers: 'LineItemMembers' }), {
    least: 1,
    most: mostLineItems,
  }).meta({
    description: orderFields.lineItems.about,
  })
}

/** Find repeated line numbers, also in items with other faults, unless there are too many items. */
function repeatedLineNumbers(body: unknown): Fault[] {
  const items = (body as { lineItems?: unknown } | null)?.lineItems
  if (!Array.isArray(items) || items.length > mostLineItems) return []
  const numbers = new Set<number>()
  return items.flatMap((item, index) => {
    const number: unknown = item?.lineNumber
    if (typeof number !== 'number') return []
    const again = numbers.has(number)
    numbers.add(number)
    const path = `/lineItems/${index}/lineNumber`
    return again ? [{ path, code: 'not-unique', message: 'must be unique' }] : []
  })
}

function register({
  params: { companyId },
  body,
  principal,
}: {
  params: { companyId: string }
  body: z.output<typeof registration>
  principal: Principal
}) {
  return keepingSubstitutes(
    registerOrder(companyId, body.orderNumber, pick(orderFields, body)),
    qualityOf(principal, companyId),
  )
}
