import type { InspectionDocument } from '../certificates/certificateContent.ts'
import type { FieldKinds } from '../kernel/fields.ts'

/** EN 1090-2, from the laxest to the strictest. */
export const executionClasses = ['EXC1', 'EXC2', 'EXC3', 'EXC4'] as const
export type ExecutionClass = (typeof executionClasses)[number]

export interface LineItemContent {
  readonly lineNumber: number
  readonly description: string | null
  readonly standard: string | null
  readonly grade: string | null
  readonly profile: string | null
  readonly lengthMm: number
  /** Pieces. */
  readonly quantity: number
  /** The customer no longer wants it: nothing has to be cut for it. */
  readonly cancelled: boolean
}

/** The values of an order, which a correction may change. */
export interface OrderContent {
  readonly customer: string | null
  readonly requiredInspectionDocument: InspectionDocument | null
  readonly executionClass: ExecutionClass | null
  readonly lineItems: readonly LineItemContent[]
}

/** In the order in which they are shown. */
export const lineItemFields: FieldKinds<keyof LineItemContent> = {
  lineNumber: 'number',
  description: 'text',
  standard: 'text',
  grade: 'text',
  profile: 'text',
  lengthMm: 'number',
  quantity: 'number',
  cancelled: 'flag',
}

export const orderFields: FieldKinds<keyof OrderContent> = {
  customer: 'text',
  requiredInspectionDocument: 'text',
  executionClass: 'text',
  lineItems: { listOf: { name: 'LineItem', fields: lineItemFields } },
}
