import type { Aggregate, DecisionContext } from '../../src/domain/kernel/aggregate.ts'
import type { Actor, DomainEvent, EventMetadata, Stored } from '../../src/domain/kernel/event.ts'
import { newestVersion } from '../../src/domain/kernel/versions.ts'
import type { RuleBook } from '../../src/domain/rulePacks/ruleBook.ts'
import type { Chance } from './chance.ts'

/** An event to write to the store. */
export interface PastEvent {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: object
  readonly metadata: EventMetadata
}

/** The actors, the clock and the random numbers of a history. */
export interface Past {
  readonly chance: Chance
  readonly rules: RuleBook
  readonly actors: readonly Actor[]
  /** RFC 3339; every call answers a later time. */
  now(): string
  /** Put between two commands what may happen to a state between them; by default nothing. */
  between?<State>(state: State): State
}

/** Share of commands that carry an Idempotency-Key. */
const keyed = 0.2

/** Run an aggregate's own decisions in order, and pass their events to `record`. */
export function createStream<State, Event extends DomainEvent>(
  { chance, rules, actors, now, between = (same) => same }: Past,
  record: (event: PastEvent) => void,
  aggregate: Aggregate<State, Event>,
  id: string,
) {
  let state = aggregate.initial
  let revision = -1
  return {
    get state() {
      return state
    },
    decide(decision: (state: State, context: DecisionContext) => readonly Event[]): void {
      state = between(state)
      const occurredAt = now()
      const actor = chance.pick(actors)
      const common = {
        actor,
        occurredAt,
        correlationId: chance.uuid(),
        ...(chance.of(keyed) && {
          idempotency: {
            key: chance.uuid(),
            caller: actor.id,
            request: `POST /company/${aggregate.name}/${id}`,
            requestHash: chance.uuid().replaceAll('-', ''),
          },
        }),
      }
      for (const { type, data, metadata } of decision(state, {
        actor,
        now: occurredAt,
        occurredAt,
        newId: chance.uuid,
        rules,
      })) {
        revision += 1
        const event = {
          stream: aggregate.streamName(id),
          revision,
          id: chance.uuid(),
          type,
          data,
          metadata: { ...common, schemaVersion: newestVersion(aggregate.events, type)!, ...metadata },
        }
        state = aggregate.evolve(state, event as unknown as Stored<Event>)
        record(event)
      }
    },
  }
}

export type Stream<State, Event extends DomainEvent> = ReturnType<typeof createStream<State, Event>>
