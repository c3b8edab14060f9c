import { inspectionDocuments } from '../certificates/certificateContent.ts'
import {
  type ContentOf,
  date,
  identifier,
  length,
  number,
  oneOf,
  orNull,
  text,
  whole,
} from '../kernel/fields.ts'

/** The values of a delivery: what came, on which certificate, and from whom. */

/** The values of an item, beside the certificate that it came on. */
export const deliveryItemFields = {
  heatNumber: orNull(identifier({ about: 'For steel that has no certificate yet.' })),
  inspectionDocument: orNull(
    oneOf('InspectionDocument', inspectionDocuments, {
      about: 'The document as it was delivered. A 2.2 of a trader is not the 3.1 of the mill.',
    }),
  ),
  profile: orNull(text({ most: 50 })),
  pieces: whole({ least: 1, most: 100_000, about: 'The number of bars or plates.' }),
  lengthMm: orNull(length({ most: 50_000 })),
  widthMm: orNull(length({ most: 10_000 })),
  massKg: orNull(number({ least: 0, most: 1_000_000, unit: 'kg' })),
  purchaseOrder: orNull(text({ most: 100 })),
}

export type DeliveryItem = ContentOf<typeof deliveryItemFields> & {
  readonly millCertificationId: string | null
}

export const deliveryFields = {
  deliveryNote: identifier(),
  supplier: orNull(text({ most: 200, about: 'The trader or mill that delivered.' })),
  date: date(),
}

export const mostDeliveryItems = 200

export type DeliveryContent = ContentOf<typeof deliveryFields> & {
  readonly items: readonly DeliveryItem[]
}
