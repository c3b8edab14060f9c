import { Map as ImmutableMap } from 'immutable'
import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import { partIf } from '../audit/words.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { derivedId } from '../kernel/identifiers.ts'
import { sentence } from '../verdict/sentence.ts'

/**
 * The packs of an order: the ZIP files that were issued for its hand-over. A pack's content is its identity, so the same
 * pack is issued once. Its bytes are a document of the company, which is stored before the pack is issued.
 */
function orderPacksStream(id: string): string {
  return `orderPacks-${id}`
}
/** The aggregate's id. */
export function orderPacksKey(companyId: string, orderId: string): string {
  return `${companyId}_${orderId}`
}

export function packIdOf(orderId: string, sha256: string): string {
  return derivedId(orderId, 'pack', sha256)
}

/** The order, and the cuts that a pack is limited to. */
export interface PackScope {
  readonly companyId: string
  readonly orderId: string
  /** null: every cut of the order. */
  readonly cutIds: readonly string[] | null
}

/** A request says which cuts a pack shows, and as of which time. */
export interface PackRequest extends PackScope {
  /** The position of an event of the company; the pack shows the facts as they were there. null: the present facts. */
  readonly asOf: number | null
}

export interface PackFacts extends PackScope {
  readonly packId: string
  readonly documentId: string
  /** The hash of the ZIP file, in lower-case hexadecimal. */
  readonly sha256: string
  readonly bytes: number
  readonly fileName: string
  /** The pack shows the facts up to this position of the store. */
  readonly position: number
  /** The number of events of the company that its checkpoint covers. */
  readonly checkpointSize: number
  /** Whether the order was complete, and every Block against it overridden. */
  readonly cleared: boolean
}

export type PackIssued = DomainEvent<'PackIssued', PackFacts>

/** The ids of the issued packs. */
type OrderPacks = ImmutableMap<string, PackFacts>

export const orderPacks: AuditedAggregate<OrderPacks, PackIssued> = {
  name: 'orderPacks',
  streamName: orderPacksStream,
  initial: ImmutableMap(),
  evolve,
  events: eventsAbout('order', 'orderId', {
    PackIssued: {
      bound: 'day',
      tell: ({ fileName, sha256, cleared }) =>
        sentence('PackIssued', { file: fileName, sha256, spite: partIf(!cleared, 'not-cleared') }),
    },
  }),
}

function evolve(state: OrderPacks, event: Stored<PackIssued>): OrderPacks {
  return event.type === 'PackIssued' ? state.set(event.data.packId, event.data) : state
}

/** A pack that was issued already records nothing. */
export function issuePack(issued: OrderPacks, pack: PackFacts): readonly PackIssued[] {
  return issued.has(pack.packId) ? [] : [{ type: 'PackIssued', data: pack }]
}
