import { certificateSubject } from '../certificates/certificate.ts'
import { orderSubject } from '../orders/order.ts'
import type { AnySubjectKind } from './subject.ts'
import type { Family } from './tag.ts'

/** The kind of subject that the tags of each family are for. */
export const subjects: Readonly<Record<Family, AnySubjectKind>> = {
  millCert: certificateSubject,
  order: orderSubject,
}
