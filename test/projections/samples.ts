import { randomUUID } from 'node:crypto'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import {
  bigint,
  boolean,
  date,
  defineProjection,
  double,
  integer,
  json,
  nullable,
  type Projection,
  table,
  text,
  timestamptz,
  uuid,
} from '../../src/projections/engine/projection.ts'

/** Small projections of the engine's own specs, with every column type, and events for them. */

export type SampleEvent =
  | {
      type: 'ItemPut'
      data: { companyId: string; item: number; label: string; tags: unknown; weight?: number }
    }
  | { type: 'ItemCounted'; data: { companyId: string; items: readonly number[]; by: number } }
  | { type: 'ItemRemoved'; data: { companyId: string; item: number } }
  | { type: 'ItemNoted'; data: { companyId: string; item: number; note: string } }

export const items = defineProjection<SampleEvent>()({
  name: 'items',
  version: 1,
  tables: {
    item: table({
      columns: {
        companyId: uuid,
        item: integer,
        label: text,
        tags: json<unknown>(),
        weight: nullable(double),
        counted: integer,
        heavy: boolean,
        changedAt: timestamptz,
        changedOn: nullable(date),
        position: bigint,
      },
      key: ['companyId', 'item'],
      indexes: [['companyId', 'label'], '(company_id, lower(label)) WHERE heavy'],
      versioned: true,
    }),
    companyTotal: table({
      columns: { companyId: uuid, total: integer },
      key: ['companyId'],
      versioned: true,
    }),
  },
  handlers: {
    ItemPut: {
      touches: ({ data }) => ({ item: [[data.companyId, data.item]], companyTotal: [[data.companyId]] }),
      apply: (rows, { data, metadata, position }) => {
        const before = rows.item.get([data.companyId, data.item])
        rows.item.put({
          companyId: data.companyId,
          item: data.item,
          label: data.label,
          tags: data.tags,
          weight: data.weight ?? null,
          counted: before?.counted ?? 0,
          heavy: (data.weight ?? 0) > 100,
          changedAt: metadata.occurredAt,
          changedOn: metadata.occurredAt.slice(0, 10),
          position,
        })
        const total = rows.companyTotal.get([data.companyId])?.total ?? 0
        rows.companyTotal.put({ companyId: data.companyId, total: before ? total : total + 1 })
      },
    },
    ItemCounted: {
      touches: ({ data }) => ({ item: data.items.map((item) => [data.companyId, item]) }),
      apply: (rows, { data, position }) => {
        for (const item of data.items)
          rows.item.update([data.companyId, item], ({ counted }) => ({
            counted: counted + data.by,
            position,
          }))
      },
    },
    ItemRemoved: {
      touches: ({ data }) => ({ item: [[data.companyId, data.item]], companyTotal: [[data.companyId]] }),
      apply: (rows, { data }) => {
        if (!rows.item.get([data.companyId, data.item])) return
        rows.item.delete([data.companyId, data.item])
        rows.companyTotal.update([data.companyId], ({ total }) => ({ total: total - 1 }))
      },
    },
  },
}) as unknown as Projection

export const log = defineProjection<SampleEvent>()({
  name: 'log',
  version: 1,
  tables: {
    entry: table({
      columns: { companyId: uuid, position: bigint, ordinal: integer, note: text },
      key: ['companyId', 'position', 'ordinal'],
      appendOnly: true,
    }),
  },
  handlers: {
    ItemNoted: {
      touches: () => ({}),
      apply: (rows, { data, position }) => {
        for (const [ordinal, note] of data.note.split('|').entries())
          rows.entry.put({ companyId: data.companyId, position, ordinal, note })
      },
    },
    ItemRemoved: {
      touches: () => ({}),
      apply: (rows, { data, position }) =>
        rows.entry.put({ companyId: data.companyId, position, ordinal: 0, note: `removed ${data.item}` }),
    },
  },
}) as unknown as Projection

export const samples: readonly Projection[] = [items, log]

export const company = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export const metadata = (occurredAt = '2026-01-02T03:04:05.678Z', schemaVersion = 1) => ({
  actor: { id: 'tester', name: 'Tester', kind: 'user' as const },
  occurredAt,
  correlationId: 'correlation',
  schemaVersion,
})

/** An event as the store would give it back. */
export const recorded = (event: SampleEvent, position: number): Recorded =>
  ({
    ...event,
    metadata: metadata(),
    id: randomUUID(),
    streamName: `samples-${event.data.companyId}`,
    revision: position,
    position,
  }) as Recorded
