import type { DomainEvent } from '../kernel/event.ts'
import type { LineItem, OrderEvent, OrderFacts } from './order.ts'

/** Whether an event changes the steels that an order, or one of its lines, allows as substitutes. */
export function grantsSubstitutes(event: DomainEvent): boolean {
  const { type, data } = event as OrderEvent
  if (type === 'OrderRegistered') return [data, ...data.lineItems].some(hasSubstitutes)
  if (type !== 'OrderCorrected') return false
  return data.changes.some(
    ({ field, to }) =>
      isSubstitutes(field) || (/^lineItems\/\d+$/.test(field) && hasSubstitutes(to as LineItem)),
  )
}

/** Whether an event changes nothing else. */
export function changesOnlySubstitutes(event: DomainEvent): boolean {
  const { type, data } = event as OrderEvent
  return type === 'OrderCorrected' && data.changes.every(({ field }) => isSubstitutes(field))
}

function isSubstitutes(field: string): boolean {
  return field.split('/').at(-1) === 'allowedSubstitutes'
}

function hasSubstitutes({ allowedSubstitutes }: Pick<OrderFacts, 'allowedSubstitutes'>): boolean {
  return allowedSubstitutes !== null
}
