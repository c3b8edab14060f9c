import { millCertificate, millCertificateKey } from '../../domain/certificates/certificate.ts'
import {
  type DeliveryFacts,
  correctDelivery as decideToCorrectDelivery,
  recordDelivery as decideToRecordDelivery,
  voidDelivery as decideToVoidDelivery,
  delivery,
  deliveryIdOf,
  deliveryKey,
  type KnownDelivery,
  type NamedCertificates,
} from '../../domain/deliveries/delivery.ts'
import type { DeliveryContent } from '../../domain/deliveries/deliveryContent.ts'
import { type Edit, editedContent } from '../../domain/kernel/edit.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { refusals } from '../../problems/catalogue.ts'
import { streamsAtOnce } from '../bars/barChecks.ts'
import { type Answered, type Command, type Load, onRecord, onStream } from '../executor/command.ts'

/** A delivery as it is answered. */
interface DeliveryRecord extends DeliveryFacts {
  readonly voided: boolean
  readonly createdAt: string
  readonly createdBy: string
  readonly updatedAt: string
}

interface DeliveryAddress {
  readonly companyId: string
  readonly deliveryId: string
}

/** Record a delivery. Its id follows from the number of its note and its supplier. */
export function recordDelivery(companyId: string, content: DeliveryContent): Command<DeliveryRecord> {
  const deliveryId = deliveryIdOf(companyId, content)
  const facts = { companyId, deliveryId, ...content }
  return onStream({
    aggregate: delivery,
    id: deliveryKey(companyId, deliveryId),
    dependencies: (load) => certificatesOf(load, companyId, content),
    decide: (state, _context, certificates) => decideToRecordDelivery(state, facts, certificates),
    answer: (state) => answerWith(state!),
  })
}
recordDelivery.refuses = refusals('delivery-already-recorded')

export function correctDelivery(
  address: DeliveryAddress,
  edit: Edit<DeliveryContent>,
): Command<DeliveryRecord> {
  return onRecord({
    ...recordOf(address),
    async dependencies(load, delivery: KnownDelivery) {
      const content = editedContent(edit, contentOf(delivery))
      return { content, certificates: await certificatesOf(load, address.companyId, content) }
    },
    decide: (delivery, _context, { content, certificates }) =>
      decideToCorrectDelivery(delivery, content, certificates),
    answer: answerWith,
  })
}
correctDelivery.refuses = refusals('delivery-not-found', 'delivery-voided')

export function voidDelivery(address: DeliveryAddress, reason: string): Command<DeliveryRecord> {
  return onRecord({
    ...recordOf(address),
    decide: (delivery: KnownDelivery) => decideToVoidDelivery(delivery, reason),
    answer: answerWith,
  })
}
voidDelivery.refuses = refusals('delivery-not-found')

function recordOf({ companyId, deliveryId }: DeliveryAddress) {
  return {
    aggregate: delivery,
    id: deliveryKey(companyId, deliveryId),
    record: {
      missing: 'delivery-not-found',
      id: deliveryId,
      find: (state: KnownDelivery | undefined) => state,
    },
  } as const
}

function contentOf({ facts: { deliveryNote, supplier, date, items } }: KnownDelivery): DeliveryContent {
  return { deliveryNote, supplier, date, items }
}

async function certificatesOf(
  load: Load,
  companyId: string,
  { items }: DeliveryContent,
): Promise<NamedCertificates> {
  const ids = [...new Set(items.flatMap(({ millCertificationId }) => millCertificationId ?? []))]
  const entries = await concurrently(streamsAtOnce, ids, async (id) => {
    const { state } = await load(millCertificate, millCertificateKey(companyId, id))
    return [id, state] as const
  })
  return new Map(entries)
}

function answerWith({
  facts,
  isVoided,
  createdAt,
  createdBy,
  updatedAt,
  revision,
}: KnownDelivery): Answered<DeliveryRecord> {
  return { body: { ...facts, voided: isVoided, createdAt, createdBy, updatedAt }, etag: revision }
}
