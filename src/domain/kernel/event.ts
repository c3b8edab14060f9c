/** The shape that all events share. */

export const actorKinds = ['user', 'application', 'rulePack', 'service'] as const

/** The author of an event. `id` is the token's user claim as it stands, or the rule pack's id. */
export interface Actor {
  readonly id: string
  /** Empty for a person: the company keeps the name. */
  readonly name: string
  readonly kind: (typeof actorKinds)[number]
  /**
   * Tells which of the names that the company keeps of a person is meant: see `nameHashOf`. Absent when the event
   * belongs to no company, or when the company may keep no name of the person.
   */
  readonly nameHash?: string
}

/** Whether the actor is somebody whose name may be erased. Rule packs and parts of the service are not. */
export function isPerson({ kind }: Pick<Actor, 'kind'>): boolean {
  return kind === 'user' || kind === 'application'
}

/**
 * The request that recorded an event under an Idempotency-Key. A repeat is found by `caller`, `request`
 * and `key`; `requestHash` tells a repeat from another request under the same key.
 */
export interface Idempotency {
  /** Without quotes. */
  readonly key: string
  readonly caller: string
  /** Method and path, without the `/api` prefix. */
  readonly request: string
  /** The hash of the parsed body and query. */
  readonly requestHash: string
}

export interface EventMetadata {
  readonly actor: Actor
  /**
   * RFC 3339 in UTC; not earlier than the event before it in the same stream, unless that one carries the time of a
   * clock that was wrong by minutes or more.
   */
  readonly occurredAt: string
  /** When it was done on the floor, as the request says. Absent when it was recorded as it was done. */
  readonly performedAt?: string
  readonly correlationId: string
  readonly schemaVersion: number
  readonly idempotency?: Idempotency
  /**
   * On a registration, a correction, or an event of the policy: the revision of the last rule pack subscription that
   * the evaluation knew of. -1 means that there was no evaluation, so the policy has to make it.
   */
  readonly rulesAsOf?: number
}

/** An event as a decision returns it. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type
  readonly data: Data
  /** Metadata that the decision sets, such as the actor if that is not the caller. */
  readonly metadata?: Pick<Partial<EventMetadata>, 'actor' | 'rulesAsOf'>
}

/** An event as a fold sees it: with its metadata, revision and position. */
export type Stored<Event extends DomainEvent> = Event extends DomainEvent
  ? Event & {
      readonly metadata: EventMetadata
      /** Its place in its stream, from 0. */
      readonly revision: number
      /** Its place in `$all`. Positions grow, with gaps. */
      readonly position: number
    }
  : never

/** An event as the store returns it: also with its id and its stream. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Stored<Event> & {
  readonly id: string
  readonly streamName: string
  /**
   * When the store recorded it, by the store's clock: RFC 3339 in UTC. An event that this process has just appended
   * lacks it, because the store's answer to an append does not tell.
   */
  readonly created?: string
  /** The metadata as they are stored, where `metadata` says something else: see `metadata.ts`. */
  readonly written?: unknown
  /** False for an event of another program whose data are not JSON: then its `data` are `{ base64 }`. */
  readonly isJson?: false
}
