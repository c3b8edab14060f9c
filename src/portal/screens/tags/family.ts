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
    assignments: 'listMillCertTagAssignments',
    create: 'createMillCertTag',
    update: 'updateMillCertTag',
    remove: 'deleteMillCertTag',
    restore: 'restoreMillCertTag',
  },
  order: {
    title: 'orderTags',
    list: 'listOrderTags',
    listDeleted: 'listDeletedOrderTags',
    get: 'getOrderTag',
    history: 'getOrderTagHistory',
    assignments: 'listOrderTagAssignments',
    create: 'createOrderTag',
    update: 'updateOrderTag',
    remove: 'deleteOrderTag',
    restore: 'restoreOrderTag',
  },
} as const satisfies Record<Family, { title: TextName } & Record<string, string>>
