import type { DeliveryCorrected, DeliveryEvent, DeliveryFacts } from '../../domain/deliveries/delivery.ts'
import type { DeliveryItem } from '../../domain/deliveries/deliveryContent.ts'
import { normalise } from '../../domain/kernel/spellings.ts'
import { certificates } from '../certificates/certificates.ts'
import {
  bigint,
  boolean,
  date,
  defineProjection,
  double,
  integer,
  json,
  type Key,
  nullable,
  type Projection,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import {
  createBinder,
  type Filter,
  type FilterValues,
  matchesOf,
  wantedOf,
} from '../engine/reading/filters.ts'
import {
  columnsOf,
  jsonList,
  type ListQuery,
  listQuery,
  type Page,
  singleQuery,
} from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/** Deliveries. */

const tables = {
  delivery: table({
    columns: {
      companyId: uuid,
      deliveryId: uuid,
      deliveryNote: text,
      /** The form in which the numbers of notes are compared. */
      noteKey: text,
      supplier: nullable(text),
      date,
      items: json<readonly DeliveryItem[]>(),
      voided: boolean,
      /** Of the event that recorded it. */
      position: bigint,
      createdAt: timestamptz,
      createdBy: text,
      updatedAt: timestamptz,
      revision: bigint,
    },
    key: ['companyId', 'deliveryId'],
    indexes: ['(company_id, (-position))', ['companyId', 'noteKey']],
    versioned: true,
  }),
  item: table({
    columns: {
      companyId: uuid,
      deliveryId: uuid,
      ordinal: integer,
      millCertificationId: nullable(uuid),
      heatKey: nullable(text),
      pieces: integer,
      lengthMm: nullable(double),
      voided: boolean,
    },
    key: ['companyId', 'deliveryId', 'ordinal'],
    indexes: [
      ['companyId', 'millCertificationId'],
      ['companyId', 'heatKey'],
    ],
    versioned: true,
  }),
}

export const deliveries = defineProjection<DeliveryEvent>()({
  name: 'deliveries',
  version: 1,
  tables,
  handlers: {
    DeliveryRecorded: {
      touches: ({ data }) => touchItems(data, data.items.length),
      apply(rows, { data, metadata, revision, position }) {
        const { companyId, deliveryId } = data
        const createdAt = metadata.occurredAt
        const row = { ...valuesOf(data), voided: false, position, updatedAt: createdAt, revision }
        rows.delivery.put({ companyId, deliveryId, ...row, createdAt, createdBy: metadata.actor.id })
        putItems(rows.item, data)
      },
    },
    DeliveryCorrected: {
      touches: ({ data }) => touchItems(data, Math.max(itemsBefore(data), data.items.length)),
      apply(rows, { data, metadata, revision }) {
        rows.delivery.update(keyOf(data), { ...valuesOf(data), updatedAt: metadata.occurredAt, revision })
        putItems(rows.item, data)
        for (let ordinal = data.items.length; ordinal < itemsBefore(data); ordinal += 1)
          rows.item.delete([...keyOf(data), ordinal])
      },
    },
    DeliveryVoided: {
      touches: ({ data }) => touchItems(data, data.items.length),
      apply(rows, { data, metadata, revision }) {
        rows.delivery.update(keyOf(data), { voided: true, updatedAt: metadata.occurredAt, revision })
        for (const ordinal of data.items.keys()) rows.item.update([...keyOf(data), ordinal], { voided: true })
      },
    },
  },
})

type Tables = typeof tables

function keyOf({ companyId, deliveryId }: DeliveryFacts): Key {
  return [companyId, deliveryId]
}

function touchItems(data: DeliveryFacts, items: number) {
  const item = Array.from({ length: items }, (_, ordinal): Key => [...keyOf(data), ordinal])
  return { delivery: [keyOf(data)], item }
}

function itemsBefore({ items, changes }: DeliveryCorrected['data']): number {
  const before = changes.find(({ field }) => field === 'items')?.from as DeliveryFacts['items'] | undefined
  return (before ?? items).length
}

function valuesOf({ deliveryNote, supplier, date, items }: DeliveryFacts) {
  return { deliveryNote, noteKey: normalise(deliveryNote), supplier, date, items }
}

function putItems(rows: Rows<Tables>['item'], { companyId, deliveryId, items }: DeliveryFacts): void {
  for (const [ordinal, { millCertificationId, heatNumber, pieces, lengthMm }] of items.entries())
    rows.put({
      companyId,
      deliveryId,
      ordinal,
      millCertificationId,
      heatKey: heatNumber === null ? null : normalise(heatNumber),
      pieces,
      lengthMm,
      voided: false,
    })
}

const hidden = ['noteKey', 'position', 'revision'] as const

/** The projections that the queries of deliveries read. */
export const deliveriesReadFrom: readonly Projection[] = [deliveries, certificates]

/** What is shown of a delivery `d`, with the certificates that its items name. */
function shownOf(reading: Reading) {
  const certificate = {
    millCertificationId: 'm.mill_certification_id',
    certificateNumber: 'm.certificate_number',
    heatNumber: 'm.heat_number',
  }
  return {
    ...columnsOf(tables.delivery, 'd', hidden),
    certificates: `(
      SELECT ${jsonList(certificate, 'm.certificate_key, m.heat_key, m.mill_certification_id')}
      FROM ${reading.table(certificates, 'certificate')} m
      WHERE m.company_id = d.company_id AND m.mill_certification_id IN (
        SELECT i.mill_certification_id FROM ${reading.table(deliveries, 'item')} i
        WHERE i.company_id = d.company_id AND i.delivery_id = d.delivery_id))`,
  }
}

/** The filters of the list. */
export const deliveryFilters = {
  deliveryNote: {
    parameter: { kind: 'text', most: 50 },
    description: 'The number of the note, in any spelling.',
    matches: ({ row, bind }, note) => `${row}.note_key = ${bind(normalise(note))}`,
  } satisfies Filter<string>,
  millCertificationId: {
    parameter: { kind: 'id' },
    description: 'Deliveries on this mill certificate.',
    matches: ({ row, bind, reading }, id) => `EXISTS (
      SELECT 1 FROM ${reading.table(deliveries, 'item')} i WHERE i.company_id = ${row}.company_id
        AND i.delivery_id = ${row}.delivery_id AND i.mill_certification_id = ${bind(id)}::uuid)`,
  } satisfies Filter<string>,
  withoutCertificate: {
    parameter: { kind: 'boolean' },
    description:
      'Whether steel came for which there is no certificate: an item names none, and no live one has its heat.',
    matches: ({ row, reading }, isWithout) => `${isWithout ? '' : 'NOT '}EXISTS (
      SELECT FROM ${reading.table(deliveries, 'item')} i WHERE i.company_id = ${row}.company_id
        AND i.delivery_id = ${row}.delivery_id AND i.mill_certification_id IS NULL AND NOT i.voided
        AND NOT EXISTS (
          SELECT FROM ${reading.table(certificates, 'certificate')} m
          WHERE m.company_id = i.company_id AND m.heat_key = i.heat_key AND m.status <> 'Voided'))`,
  } satisfies Filter<boolean>,
}

/** The deliveries of a company, newest first. */
export async function listDeliveries(
  reading: Reading,
  { companyId, filterValues }: { readonly companyId: string; readonly filterValues: FilterValues },
  page?: Page,
): Promise<ListQuery> {
  const sql = createBinder({ reading, companyId, row: 'd' }, [companyId])
  const conditions = await matchesOf(sql, wantedOf(deliveryFilters, filterValues))
  return listQuery(
    {
      select: shownOf(reading),
      from: `${reading.table(deliveries, 'delivery')} d`,
      where: ['d.company_id = $1', ...conditions].join(' AND '),
      values: sql.values,
      order: ['-d.position'],
    },
    page,
  )
}

/** One delivery, with its `revision`. */
export function findDelivery(
  reading: Reading,
  { companyId, deliveryId }: Pick<DeliveryFacts, 'companyId' | 'deliveryId'>,
): ListQuery {
  return singleQuery({
    select: { ...shownOf(reading), revision: 'd.revision' },
    from: `${reading.table(deliveries, 'delivery')} d`,
    where: 'd.company_id = $1 AND d.delivery_id = $2',
    values: [companyId, deliveryId],
  })
}
