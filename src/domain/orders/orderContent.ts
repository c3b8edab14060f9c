import { inspectionDocuments } from '../certificates/certificateContent.ts'
import { options } from '../certificates/steelOptions.ts'
import {
  type ContentOf,
  date,
  flag,
  identifier,
  length,
  listOf,
  object,
  oneOf,
  orNull,
  text,
  whole,
} from '../kernel/fields.ts'

/** The values that an order and its line items state. */

/** EN 1090-2, from the laxest to the strictest. */
export const executionClasses = ['EXC1', 'EXC2', 'EXC3', 'EXC4'] as const
export type ExecutionClass = (typeof executionClasses)[number]

/** The number is the identity of an order and never changes. */
export const orderNumbers = { orderNumber: identifier() }

/** Steels that may replace the demanded one without another question. */
const allowedSubstitutes = orNull(
  listOf(
    object('AllowedSubstitute', {
      grade: text({ most: 50 }),
      reference: text({ most: 100, about: 'The permission, such as the letter of the designer.' }),
    }),
    {
      least: 1,
      most: 20,
      about: 'Steels that may replace the demanded one.',
    },
  ),
)

/** The values of a line item, in the order in which they are shown. */
export const lineItemFields = {
  lineNumber: whole({ least: 1, most: 9_999 }),
  description: orNull(text({ least: 0, most: 500 })),
  standard: orNull(text({ most: 50, about: 'For example EN 10025-2.' })),
  grade: orNull(text({ most: 50 })),
  profile: orNull(text({ most: 50, about: 'For example HEA 200.' })),
  pieceMark: orNull(identifier({ about: 'The name of its pieces in the drawing.' })),
  lengthMm: length({ most: 50_000 }),
  quantity: whole({ least: 1, most: 100_000, about: 'The number of pieces.' }),
  options,
  allowedSubstitutes,
  cancelled: flag({ about: 'A cancelled line does not count when an order is checked for completeness.' }),
}

/** The values of an order beside its line items, in the order in which they are shown. */
export const orderHeadFields = {
  customer: orNull(text({ most: 200 })),
  dueDate: orNull(date({ about: 'The day by which the order has to be ready.' })),
  requiredInspectionDocument: orNull(
    oneOf('InspectionDocument', inspectionDocuments, { about: 'The inspection document type of EN 10204.' }),
  ),
  executionClass: orNull(
    oneOf('ExecutionClass', executionClasses, { about: 'The execution class of EN 1090-2.' }),
  ),
  options,
  allowedSubstitutes,
}

export const mostLineItems = 500

/** The values of an order, which a correction may change. */
export const orderFields = {
  ...orderHeadFields,
  lineItems: listOf(object('LineItem', lineItemFields), {
    least: 1,
    most: mostLineItems,
    about: 'Line numbers are unique.',
  }),
}

export type LineItemContent = ContentOf<typeof lineItemFields>
export type OrderContent = ContentOf<typeof orderFields>
