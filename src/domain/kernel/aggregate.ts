import type { RuleBook } from '../rulePacks/ruleBook.ts'
import type { Actor, DomainEvent, Stored } from './event.ts'
import type { EventVersions } from './versions.ts'

/**
 * A consistency boundary: one stream, folded into the state that decisions on it are made from.
 * Aggregates are pure, and states are immutable.
 */
export interface Aggregate<
  State,
  Event extends DomainEvent,
  Types = Readonly<Record<Event['type'], EventVersions>>,
> {
  readonly name: string
  /** The type checker names a type that is not declared. */
  readonly events: Types
  streamName(id: string): string
  readonly initial: State
  /** Takes events in the newest version of their type. Never throws, and ignores fields that it does not know. */
  evolve(state: State, event: Stored<Event>): State
}

/** The facts about the world that a decision may use besides the state. */
export interface DecisionContext {
  /** Without the name of a person. */
  readonly actor: Actor
  /** The clock of the node that decides: RFC 3339 in UTC. */
  readonly now: string
  /** The time of the events that will be decided: `now`, or the last event's time if that node's clock was ahead. */
  readonly occurredAt: string
  newId(): string
  /** The rule packs of this release. */
  readonly rules: RuleBook
}

/** Fold events onto a state. */
export function fold<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  state: State,
  events: Iterable<Stored<Event>>,
): State {
  let folded = state
  for (const event of events) folded = aggregate.evolve(folded, event)
  return folded
}
