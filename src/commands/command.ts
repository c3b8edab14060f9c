import type { Aggregate, DecisionContext } from '../domain/aggregate.ts'
import type { Actor, DomainEvent, Idempotency, Stored } from '../domain/event.ts'
import type { RuleBook } from '../domain/ruleBook.ts'

/**
 * A use case as a value: what to load, what to decide, what to answer. `execute` carries it out.
 * `Consulted` is what the decision needs of other streams.
 */
export interface Command<State, Event extends DomainEvent, Answer, Consulted = undefined> {
  readonly aggregate: Aggregate<State, Event>
  /** The aggregate's id, as `aggregate.streamName` takes it. */
  readonly id: string
  /** As a rule its stream does not exist yet: it is read only if that turns out to be wrong. */
  readonly opensStream?: boolean
  /**
   * The record that the request addresses, with the revision of its own last event (its ETag); undefined
   * when it does not exist. Left out by a command that creates one.
   */
  readonly target?: (state: State) => { readonly revision: number } | undefined
  /** What the addressed record is called in a 404, its id, and where it is not when that is no company. */
  readonly addressed?: { readonly what: string; readonly id: string; readonly where?: string }
  /** Other streams: loaded to their very end before every decision. `state` may be behind; its ids are not. */
  readonly consult?: (load: Load, state: State, rules: RuleBook) => Promise<Consulted>
  /** The events to record: none when nothing changes. @throws Refusal */
  decide(state: State, context: DecisionContext, consulted: Consulted): readonly Event[]
  /** The answer, from the state after `recorded` (empty when nothing was recorded) and the events themselves. */
  answer(state: State, recorded: readonly Stored<Event>[], consulted: Consulted): Answered<Answer>
}

export interface Answered<Answer> {
  readonly body: Answer
  /** Revision of the record's own last event: its ETag. */
  readonly etag?: number
}

/** Reads another aggregate's state, forward to its present end. */
export type Load = <State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  id: string,
) => Promise<{ readonly state: State; readonly revision: number }>

/** Who asks, and under which conditions. */
export interface CommandContext {
  readonly actor: Actor
  readonly correlationId: string
  readonly idempotency?: Idempotency
  /** The ETags that the caller accepts (If-Match); undefined for any. */
  readonly ifMatch?: (etag: number) => boolean
}

export interface Outcome<Answer> extends Answered<Answer> {
  /** Position of the last event recorded, or of the stream's last event when nothing was. */
  readonly position: number
  /** Types of the events recorded: what read models have to catch up with. */
  readonly recorded: readonly string[]
  /** True when this is the answer to an earlier request under the same Idempotency-Key. */
  readonly replayed: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a command's inner types are its own; callers see the answer.
export type AnyCommand<Answer> = Command<any, any, Answer, any>
export type Execute = <Answer>(
  command: AnyCommand<Answer>,
  context: CommandContext,
) => Promise<Outcome<Answer>>

/** A use case that takes several commands: what it is about, and how; `carryOut` of carryOut.ts calls it. */
export interface Process<Answer> {
  readonly aggregate: AnyCommand<Answer>['aggregate']
  carryOut(means: ProcessMeans, context: CommandContext): Promise<Outcome<Answer>>
}

export interface ProcessMeans {
  readonly execute: Execute
  readonly newId: () => string
}
