/** What every event carries, whatever it is about. */

/** Who did it. `id` is the user claim of the token as it stands, or the rule pack's id. */
export interface Actor {
  readonly id: string
  readonly name: string
  readonly kind: 'user' | 'application' | 'rulePack' | 'service'
}

/**
 * The request that recorded an event under an Idempotency-Key. A repeat is found by `caller`, `request`
 * and `key`; `requestHash` tells a repeat from another request under the same key.
 */
export interface Idempotency {
  readonly key: string
  readonly caller: string
  /** Method and path, without the `/api` prefix. */
  readonly request: string
  readonly requestHash: string
}

export interface EventMetadata {
  readonly actor: Actor
  /** RFC 3339 in UTC; never earlier than the event before it in the same stream. */
  readonly occurredAt: string
  readonly correlationId: string
  readonly schemaVersion: number
  readonly idempotency?: Idempotency
  /**
   * Of a registration or correction: the revision of the company's last rule pack subscription that its
   * evaluation knew of (-1: of none, so that somebody else evaluates it).
   */
  readonly rulesAsOf?: number
}

/** A fact as the domain decides it. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type
  readonly data: Data
  /**
   * Metadata that the decision sets: the actor, if that is not the caller; a schema version older than the
   * newest, if an older release reads the event correctly.
   */
  readonly metadata?: Pick<Partial<EventMetadata>, 'actor' | 'rulesAsOf' | 'schemaVersion'>
}

/** A fact as a fold sees it: with who and when, and its places. */
export type Stored<Event extends DomainEvent> = Event extends DomainEvent
  ? Event & {
      readonly metadata: EventMetadata
      /** Its place in its stream: 0 for the first. */
      readonly revision: number
      /** Its place among all events, in `$all`: it grows, with gaps. */
      readonly position: number
    }
  : never

/** A fact as the store gives it back: also with its id and its stream. */
export type Recorded<Event extends DomainEvent = DomainEvent> = Stored<Event> & {
  readonly id: string
  readonly streamName: string
  /**
   * When the store recorded it, by the store's clock: RFC 3339 in UTC. An event that this process has just appended
   * lacks it, because the store's answer to an append does not tell.
   */
  readonly created?: string
  /** False for an event of another program whose data are not JSON: then its `data` are `{ base64 }`. */
  readonly isJson?: false
}

/** Who wrote an event that does not say so. */
const unknownActor: Actor = { id: '', name: '', kind: 'service' }

const isTime = (text: unknown): text is string =>
  typeof text === 'string' && Number.isFinite(Date.parse(text))

/** Another program's event may lack who and when: it counts as of when the event `before` it in its stream occurred. */
export const withMetadata = (event: Recorded, before: string): Recorded => {
  const metadata: Partial<EventMetadata> | undefined = event.metadata
  if (metadata?.actor && isTime(metadata.occurredAt)) return event
  const { actor, occurredAt } = { ...metadata }
  return {
    ...event,
    metadata: {
      ...{ correlationId: '', schemaVersion: 1, ...metadata },
      ...{ actor: actor ?? unknownActor, occurredAt: isTime(occurredAt) ? occurredAt : before },
    },
  }
}
