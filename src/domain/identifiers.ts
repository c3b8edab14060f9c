import { v5 } from 'uuid'

/** Spellings that count as one: NFKC, trimmed, inner white space collapsed, letters without case. */
export const normalise = (text: string): string =>
  text.normalize('NFKC').trim().replace(/\s+/gu, ' ').toUpperCase()

/*
 * The id of a record follows from the numbers that identify it (UUID v5, namespace: the company), so that
 * its stream alone makes it unique and a repeat is harmless.
 */

export const millCertificationIdOf = (
  companyId: string,
  certificateNumber: string,
  heatNumber: string,
): string =>
  v5(JSON.stringify(['millCertificate', normalise(certificateNumber), normalise(heatNumber)]), companyId)

export const orderIdOf = (companyId: string, orderNumber: string): string =>
  v5(JSON.stringify(['order', normalise(orderNumber)]), companyId)

export const lineItemIdOf = (companyId: string, orderId: string, lineNumber: number): string =>
  v5(JSON.stringify(['lineItem', orderId, lineNumber]), companyId)
