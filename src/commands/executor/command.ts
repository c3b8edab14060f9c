import type { Aggregate, DecisionContext } from '../../domain/kernel/aggregate.ts'
import type { Change } from '../../domain/kernel/changes.ts'
import type { DomainEvent, Idempotency, Recorded, Stored } from '../../domain/kernel/event.ts'
import type { RuleBook } from '../../domain/rulePacks/ruleBook.ts'
import type { MissingRecordCode } from '../../problems/records.ts'
import type { DryRun } from './dryRun.ts'
import type { Author } from './persons.ts'

/**
 * Use cases as values. A command decides on one stream and records; a check refuses and records nothing; a workflow
 * takes several of them. `onStream`, `onRecord` and `checkOn` build them. Their types follow from `aggregate`, `find`
 * and `dependencies`; the executor and the routes see the answer alone.
 */

/** Load another aggregate's state, forward to its present end. */
export type Load = <State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  id: string,
) => Promise<{ readonly state: State; readonly revision: number }>

export interface Answered<Answer> {
  readonly body: Answer
  /** Revision of the record's own last event: the first part of its ETag. */
  readonly etag?: number | undefined
  /** The record as GET answers it, where that is not the body. The ETag is of it. */
  readonly shown?: object
}

/** The record that a request addresses. */
export interface AddressedRecord<State, Found> {
  /**
   * The code of the 404, the id of the record, and the place where it was looked for unless that is the company. There
   * is no code for the company itself: who may act in it is told the same whether or not it exists.
   */
  readonly missing?: MissingRecordCode
  readonly id: string
  readonly where?: string
  /** Return the record with the revision that If-Match is compared with; undefined when there is none. */
  find(state: State): Found | undefined
}

export interface Versioned {
  /** Undefined when there is no such record at present, but there may be one after the command, or was one before. */
  readonly revision: number | undefined
}

interface UseCase<State, Event extends DomainEvent, Found, After, Dependencies, Answer> {
  readonly aggregate: Aggregate<State, Event>
  /** The aggregate's id, as `aggregate.streamName` takes it. */
  readonly id: string
  /** Load other streams to their very end, before every decision. The record may be behind, but its ids never change. */
  readonly dependencies?: (load: Load, record: Found, rules: RuleBook) => Promise<Dependencies>
  /** Return the record that If-Match is compared with, where that is not `record`. */
  versionOf?(record: Found, dependencies: Dependencies): Versioned
  /**
   * Return the answer, from the record or state after `recorded` (empty when nothing was recorded). Without it the
   * answer has no body. A use case after which there may be no record has none.
   */
  answer?(after: After, recorded: readonly Stored<Event>[], dependencies: Dependencies): Answered<Answer>
}

interface StreamCommand<State, Event extends DomainEvent, Dependencies, Answer>
  extends UseCase<State, Event, State, NonNullable<State>, Dependencies, Answer> {
  /** The stream usually does not exist yet, so read it only when an append shows that it does. */
  readonly opensStream?: boolean
  /** Return the companies, besides that of the stream, that keep the author's name before the events are recorded. */
  namesAuthorIn?(events: readonly NoInfer<Event>[]): readonly string[]
  /** Return the events to record, none when nothing changes. @throws Refusal */
  decide(state: State, context: DecisionContext, dependencies: Dependencies): readonly NoInfer<Event>[]
}

interface RecordCommand<State, Event extends DomainEvent, Found extends Versioned, Dependencies, Answer>
  extends UseCase<State, Event, Found, Found, Dependencies, Answer> {
  readonly record: AddressedRecord<State, Found>
  /** Return the events to record, none when nothing changes. @throws Refusal */
  decide(record: Found, context: DecisionContext, dependencies: Dependencies): readonly NoInfer<Event>[]
}

interface CheckOf<State, Event extends DomainEvent, Found, Dependencies, Answer>
  extends UseCase<State, Event, Found, Found, Dependencies, Answer> {
  readonly record?: AddressedRecord<State, Found & Versioned>
  /** @throws Refusal */
  refuse(record: Found, dependencies: Dependencies): void
}

// biome-ignore lint/suspicious/noExplicitAny: the inner types were checked where the use case was built.
type Any = any

/** A use case on one stream: what to load, decide and answer. `execute` carries it out. */
export type Command<Answer> = UseCase<Any, Any, Any, Any, Any, Answer> & {
  readonly opensStream?: boolean
  readonly record?: AddressedRecord<Any, Versioned>
  namesAuthorIn?(events: readonly Any[]): readonly string[]
  decide(record: Any, context: DecisionContext, dependencies: Any): readonly DomainEvent[]
}

/** A use case that refuses what the commands after it would refuse, and records nothing itself. */
export type Check<Answer> = UseCase<Any, Any, Any, Any, Any, Answer> & {
  readonly record?: AddressedRecord<Any, Versioned>
  refuse(record: Any, dependencies: Any): void
}

/** Build a command that decides on the whole state of its stream. */
export function onStream<State, Event extends DomainEvent, Dependencies = undefined, Answer = undefined>(
  command: StreamCommand<State, Event, Dependencies, Answer>,
): Command<Answer> {
  return command
}

/** Build a command on a record that must exist. */
export function onRecord<
  State,
  Event extends DomainEvent,
  Found extends Versioned,
  Dependencies = undefined,
  Answer = undefined,
>(command: RecordCommand<State, Event, Found, Dependencies, Answer>): Command<Answer> {
  return command
}

/** A further condition on the events of a command, with the facts that it needs. */
interface Guard<Facts> {
  /** Load the facts anew before every decision. */
  load(load: Load): Promise<Facts>
  /** @throws Refusal */
  refuse(events: readonly DomainEvent[], facts: Facts): void
}

/** Add a guard to a command: it sees the events that the command has decided on, and may refuse them. */
export function withGuard<Answer, Facts>(command: Command<Answer>, guard: Guard<Facts>): Command<Answer> {
  const { answer } = command
  return {
    ...command,
    dependencies: async (load, record, rules) => {
      const [own, facts] = await Promise.all([command.dependencies?.(load, record, rules), guard.load(load)])
      return { own, facts }
    },
    decide(record, context, { own, facts }) {
      const events = command.decide(record, context, own)
      if (events.length > 0) guard.refuse(events, facts)
      return events
    },
    ...(answer && { answer: (after, recorded, { own }) => answer(after, recorded, own) }),
  }
}

/** Build a check. */
export function checkOn<
  State,
  Event extends DomainEvent,
  Found = State,
  Dependencies = undefined,
  Answer = undefined,
>(check: CheckOf<State, Event, Found, Dependencies, Answer>): Check<Answer> {
  return check
}

/** The caller, and the conditions of the request. */
export interface CommandContext {
  readonly actor: Author
  readonly correlationId: string
  readonly idempotency?: Idempotency
  /** When it was done on the floor, if that is not now. */
  readonly performedAt?: string
  /**
   * Return true if the caller accepts the record at this revision (If-Match). Undefined when the caller accepts any.
   */
  readonly ifMatch?: (revision: number) => boolean
  /** Refuse to change an existing record without `ifMatch`. */
  readonly ifMatchRequired?: boolean
  /** Decide and answer as part of this dry run, and record nothing. */
  readonly dryRun?: DryRun
  /** Earlier steps of the request have recorded something, so no bound of size keeps it from being completed. */
  readonly isUnderWay?: boolean
  /** Called when the use case has its turn. Throws if the caller has lost access during the wait. */
  readonly requireAccess?: () => Promise<void>
}

export interface Outcome<Answer> extends Answered<Answer> {
  /** Position of the last event recorded, or of the stream's last event when nothing was. */
  readonly position: number
  /**
   * Types of the recorded events, which the read models have to apply. In a dry run, the types that would have been
   * recorded.
   */
  readonly recorded: readonly string[]
  /** The changes that the recorded events list. */
  readonly changes?: readonly Change[]
  /** True when this is the answer to an earlier request under the same Idempotency-Key. */
  readonly replayed: boolean
}

export interface Executor {
  execute<Answer>(command: Command<Answer>, context: CommandContext): Promise<Outcome<Answer>>
  check<Answer>(check: Check<Answer>, context: CommandContext): Promise<Outcome<Answer>>
}

export type Execute = Executor['execute']

/** The executor of a process that hears of the events of others. */
export interface HearingExecutor extends Executor {
  /** Take note of an event of the aggregate, in its newest version, so that a command need not read it. */
  noteEvent(aggregate: Command<unknown>['aggregate'], id: string, event: Recorded): void
}

/** A use case that spans several streams. `runWorkflow` runs it. */
export interface Workflow<Answer> {
  readonly aggregate: Command<Answer>['aggregate']
  run(tools: WorkflowTools, context: CommandContext): Promise<Outcome<Answer>>
}

export interface WorkflowTools extends Executor {
  newId(): string
  /**
   * Wait until the read models show the events of a step, as the answer to a request does. A workflow needs this when
   * it is refused after a step was recorded. Undefined if no reader follows.
   */
  waitUntilShown?(outcome: Outcome<unknown>): Promise<unknown>
}
