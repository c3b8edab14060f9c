import type { DeliveryContent } from '../../../src/domain/deliveries/deliveryContent.ts'

/** A delivery of bars of 12 m on a certificate. */
export function deliveryOf(millCertificationId: string, pieces: number): DeliveryContent {
  const item = {
    millCertificationId,
    heatNumber: null,
    inspectionDocument: null,
    profile: null,
    pieces,
    lengthMm: 12_000,
    widthMm: null,
    massKg: null,
    purchaseOrder: null,
  }
  return {
    deliveryNote: 'LS 1',
    supplier: `Trader of ${millCertificationId}`,
    date: '2026-03-01',
    items: [item],
  }
}
