import type { Actor, DomainEvent, Stored } from './event.ts'
import type { RuleBook } from './ruleBook.ts'
import type { EventTypes } from './versions.ts'

/**
 * A consistency boundary: one stream, folded into one state that its decisions are made from.
 * Everything here is pure; states are immutable.
 */
export interface Aggregate<State, Event extends DomainEvent> extends EventTypes<Event['type']> {
  readonly name: string
  streamName(id: string): string
  readonly initial: State
  /** Takes events in the newest version of their type. Never throws, and ignores fields that it does not know. */
  evolve(state: State, event: Stored<Event>): State
}

/** What a decision may know of the world besides the facts. */
export interface DecisionContext {
  readonly actor: Actor
  /** RFC 3339 in UTC: the `occurredAt` of what will be decided. */
  readonly now: string
  newId(): string
  /** The rule packs of this release. */
  readonly rules: RuleBook
}

/** Folds events onto a state. */
export const fold = <State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  state: State,
  events: Iterable<Stored<Event>>,
): State => {
  let folded = state
  for (const event of events) folded = aggregate.evolve(folded, event)
  return folded
}
