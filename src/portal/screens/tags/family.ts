import type { TextName } from '../../texts/texts.ts'

/** The operations and names of the tags of certificates and of orders. */

export type Family = 'millcert' | 'order'

export const families = {
  millcert: {
    title: 'millcertTags',
    list: 'listMillCertTags',
    listDeleted: 'listDeletedMillCertTags',
    get: 'getMillCertTag',
    history: 'getMillCertTagHistory',
    create: 'createMillCertTag',
    update: 'updateMillCertTag',
    remove: 'deleteMillCertTag',
    restore: 'restoreMillCertTag',
    ofSubject: 'listTagAssignmentsOfMillCert',
    manual: 'getManualMillCertTags',
    setManual: 'setManualMillCertTags',
    explain: 'explainMillCertTags',
  },
  order: {
    title: 'orderTags',
    list: 'listOrderTags',
    listDeleted: 'listDeletedOrderTags',
    get: 'getOrderTag',
    history: 'getOrderTagHistory',
    create: 'createOrderTag',
    update: 'updateOrderTag',
    remove: 'deleteOrderTag',
    restore: 'restoreOrderTag',
    ofSubject: 'listTagAssignmentsOfOrder',
    manual: 'getManualOrderTags',
    setManual: 'setManualOrderTags',
    explain: 'explainOrderTags',
  },
} as const satisfies Record<Family, { title: TextName } & Record<string, string>>

/** The path parameters of a subject: each family's routes take their own name from them. */
export function subjectParams(companyId: string, subjectId: string) {
  return { companyId, millCertificationId: subjectId, orderId: subjectId }
}
