import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import { fieldsOf, sayWords } from '../audit/words.ts'
import type { CertificateStatus } from '../certificates/certificateStatus.ts'
import { type Change, changesOf } from '../kernel/changes.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { derivedId } from '../kernel/identifiers.ts'
import { conflict, type Fault, invalid } from '../kernel/refusal.ts'
import { normalise } from '../kernel/spellings.ts'
import { day, sentence } from '../verdict/sentence.ts'
import type { DeliveryContent } from './deliveryContent.ts'

/** One delivery of steel. The steel of a certificate is the sum of its deliveries that are not voided. */
function deliveryStream(id: string): string {
  return `delivery-${id}`
}
/** The aggregate's id. */
export function deliveryKey(companyId: string, deliveryId: string): string {
  return `${companyId}_${deliveryId}`
}

/** A supplier numbers its delivery notes, so a note that is recorded twice is one delivery. */
export function deliveryIdOf(
  companyId: string,
  { deliveryNote, supplier }: Pick<DeliveryContent, 'deliveryNote' | 'supplier'>,
): string {
  return derivedId(companyId, 'delivery', normalise(deliveryNote), normalise(supplier ?? ''))
}

export interface DeliveryFacts extends DeliveryContent {
  readonly companyId: string
  readonly deliveryId: string
}

export type DeliveryRecorded = DomainEvent<'DeliveryRecorded', DeliveryFacts>
export type DeliveryCorrected = DomainEvent<
  'DeliveryCorrected',
  DeliveryFacts & { readonly changes: readonly Change[] }
>
export type DeliveryVoided = DomainEvent<'DeliveryVoided', DeliveryFacts & { readonly reason: string }>
export type DeliveryEvent = DeliveryRecorded | DeliveryCorrected | DeliveryVoided

export interface KnownDelivery {
  readonly facts: DeliveryFacts
  readonly isVoided: boolean
  readonly createdAt: string
  readonly createdBy: string
  readonly updatedAt: string
  readonly revision: number
}
export type Delivery = KnownDelivery | undefined

export const delivery: AuditedAggregate<Delivery, DeliveryEvent> = {
  name: 'delivery',
  streamName: deliveryStream,
  initial: undefined,
  evolve,
  events: eventsAbout('delivery', 'deliveryId', {
    DeliveryRecorded: {
      bound: 'reserve',
      tell: ({ deliveryNote, supplier, date, items }) =>
        supplier === null
          ? sentence('DeliveryRecorded', {
              number: deliveryNote,
              date: day(date),
              pieces: piecesOf(items),
            })
          : sentence('DeliveryOfSupplierRecorded', {
              number: deliveryNote,
              supplier,
              date: day(date),
              pieces: piecesOf(items),
            }),
    },
    DeliveryCorrected: {
      bound: 'reserve',
      tell: ({ deliveryNote, changes }) =>
        sentence('DeliveryCorrected', { number: deliveryNote, fields: fieldsOf(changes) }),
      listChanges: ({ changes }) => changes,
    },
    DeliveryVoided: {
      bound: 'reserve',
      tell: ({ deliveryNote, reason }) =>
        sentence('DeliveryVoided', { number: deliveryNote, reason: sayWords('reason', reason) }),
    },
  }),
}

function piecesOf(items: DeliveryContent['items']): number {
  return items.reduce((sum, { pieces }) => sum + pieces, 0)
}

function evolve(state: Delivery, { type, data, metadata, revision }: Stored<DeliveryEvent>): Delivery {
  const touched = { updatedAt: metadata.occurredAt, revision }
  if (type === 'DeliveryRecorded')
    return {
      facts: factsOf(data),
      isVoided: false,
      createdAt: metadata.occurredAt,
      createdBy: metadata.actor.id,
      ...touched,
    }
  if (!state) return state
  if (type === 'DeliveryCorrected') return { ...state, ...touched, facts: factsOf(data) }
  return type === 'DeliveryVoided' ? { ...state, ...touched, isVoided: true } : state
}

function factsOf({
  companyId,
  deliveryId,
  deliveryNote,
  supplier,
  date,
  items,
}: DeliveryFacts): DeliveryFacts {
  return { companyId, deliveryId, deliveryNote, supplier, date, items }
}

/** The certificates that the items name: undefined for one that does not exist. */
export type NamedCertificates = ReadonlyMap<string, { readonly status: CertificateStatus } | undefined>

/** The same note again records nothing. A voided delivery may be recorded anew. @throws Refusal */
export function recordDelivery(
  state: Delivery,
  facts: DeliveryFacts,
  certificates: NamedCertificates,
): readonly DeliveryRecorded[] {
  if (state && !state.isVoided) {
    if (changesOf<DeliveryFacts>(state.facts, facts).length === 0) return []
    throw conflict(
      'delivery-already-recorded',
      `Delivery note ${facts.deliveryNote} of this supplier is recorded with other values. Correct that delivery.`,
      { deliveryId: facts.deliveryId },
    )
  }
  refuseUnknownCertificates(facts, certificates)
  return [{ type: 'DeliveryRecorded', data: facts }]
}

/** The number of the note and the supplier name the delivery, so they stay. @throws Refusal */
export function correctDelivery(
  { facts, isVoided }: KnownDelivery,
  sent: DeliveryContent,
  certificates: NamedCertificates,
): readonly DeliveryCorrected[] {
  const corrected = { ...facts, ...sent }
  if (deliveryIdOf(facts.companyId, corrected) !== facts.deliveryId)
    throw invalid(
      [
        {
          path: '/deliveryNote',
          code: 'unchangeable',
          message: 'The number and the supplier never change. Void this delivery, and record the other one.',
        },
      ],
      'The delivery cannot become another one.',
    )
  const changes = changesOf<DeliveryFacts>(facts, corrected)
  if (changes.length === 0) return []
  if (isVoided)
    throw conflict('delivery-voided', `Delivery note ${facts.deliveryNote} is voided. Record it again.`)
  refuseUnknownCertificates(corrected, certificates)
  return [{ type: 'DeliveryCorrected', data: { ...corrected, changes } }]
}

export function voidDelivery({ facts, isVoided }: KnownDelivery, reason: string): readonly DeliveryVoided[] {
  return isVoided ? [] : [{ type: 'DeliveryVoided', data: { ...facts, reason } }]
}

function refuseUnknownCertificates({ items }: DeliveryContent, certificates: NamedCertificates): void {
  const faults = items.flatMap(({ millCertificationId }, index): Fault[] => {
    if (millCertificationId === null) return []
    const status = certificates.get(millCertificationId)?.status
    if (status !== undefined && status !== 'Voided') return []
    const path = `/items/${index}/millCertificationId`
    const record = { millCertificationId }
    return status === undefined
      ? [{ path, code: 'unknown-record', message: `There is no certificate ${millCertificationId}.`, record }]
      : [{ path, code: 'voided-record', message: `Certificate ${millCertificationId} is voided.`, record }]
  })
  if (faults.length > 0) throw invalid(faults)
}
