import { setTimeout as pause } from 'node:timers/promises'
import { tolerableSkewMs } from '../clockSkew.ts'
import type { DomainEvent, Recorded, Stored } from '../domain/event.ts'
import { notFound, Refusal } from '../domain/refusal.ts'
import { noRuleBook, type RuleBook } from '../domain/ruleBook.ts'
import { type EventStore, type NewEvent, StoreUnavailable, WrongRevision } from '../eventStore.ts'
import { appendReliably } from './append.ts'
import type { AnyCommand, CommandContext, Execute, Load, Outcome } from './command.ts'
import { createQueue } from './queue.ts'
import { createStates, empty, isCurrent, keyIdentity, type Loaded, type StatesObserver } from './states.ts'

/** How often a command is decided again because somebody else was first. */
const maxConflicts = 20
/** How many commands may wait for one stream in this process. */
const longestQueue = 500

export interface ExecutorOptions {
  readonly store: EventStore
  readonly now: () => Date
  readonly newId: () => string
  /** Bound of the folded states kept in memory. */
  readonly cacheBytes: number
  /** The rule packs that subjects are evaluated by; none unless told. */
  readonly rules?: RuleBook
  /** Called with the time that each append took, in milliseconds, and whether it met a conflict. */
  readonly onAppend?: (milliseconds: number, conflict: boolean) => void
  readonly observeStates?: StatesObserver
}

const unreachable = (error: unknown): never => {
  if (error instanceof StoreUnavailable)
    throw new Refusal(
      'unavailable',
      'store-unavailable',
      'The event store cannot be reached; this request recorded nothing.',
    )
  throw error
}

const refuseBeyond = (loaded: Loaded<unknown>): void => {
  if (loaded.beyond)
    throw new Refusal(
      'unavailable',
      'newer-release-running',
      `A newer release has recorded ${loaded.beyond} here; this one cannot decide on it.`,
    )
}

/**
 * When an event occurs that comes after one of `last`: not before it, although this node's clock may be behind that
 * of the node which recorded it. A time further ahead than clocks may differ comes from a wrong clock: it does not
 * hold up the stream.
 */
export function timeAfter(last: string, now: Date): string {
  const aheadMs = Date.parse(last) - now.getTime()
  return aheadMs > 0 && aheadMs <= 2 * tolerableSkewMs ? last : now.toISOString()
}

/**
 * Carries commands out: load, decide, append at the revision decided on, and once more when somebody else
 * was first. A state from memory is trusted only if the append succeeds: a refusal, or nothing to record,
 * decided from it is decided again after reading forward.
 */
export const createExecutor = ({
  store,
  now,
  newId,
  cacheBytes,
  rules = noRuleBook,
  onAppend,
  observeStates,
}: ExecutorOptions): Execute => {
  const states = createStates(store, cacheBytes, observeStates)
  const inTurn = createQueue(longestQueue)

  const load: Load = async (aggregate, id) => {
    const loaded = await states.load(aggregate, id)
    refuseBeyond(loaded)
    return loaded
  }

  const replay = async <Answer>(
    command: AnyCommand<Answer>,
    loaded: Loaded<unknown>,
    { idempotency }: CommandContext,
  ): Promise<Outcome<Answer> | undefined> => {
    const use = idempotency && loaded.keys.get(keyIdentity(idempotency))
    if (!use || !isCurrent(use, now().toISOString())) return undefined
    if (use.requestHash !== idempotency.requestHash)
      throw new Refusal(
        'key-reused',
        'idempotency-key-reused',
        'This Idempotency-Key belongs to another request.',
      )
    // What the answer says of other streams is as it was then, too.
    const asOfThen: Load = async (aggregate, id) => (await states.asOf(aggregate, id, use.position)).loaded
    const then = await states.asOf(command.aggregate, command.id, use.position, use.first)
    const consulted = await command.consult?.(asOfThen, then.loaded.state, rules)
    return {
      ...command.answer(then.loaded.state, then.events as never, consulted),
      position: then.loaded.position,
      recorded: then.events.map(({ type }) => type),
      replayed: true,
    }
  }

  const decide = async <Answer>(
    command: AnyCommand<Answer>,
    loaded: Loaded<unknown>,
    context: CommandContext,
  ) => {
    const target = command.target?.(loaded.state)
    if (command.target && !target) {
      const { what, id, where } = command.addressed!
      throw notFound(what, id, where)
    }
    if (target && context.ifMatch && !context.ifMatch(target.revision))
      throw new Refusal(
        'stale',
        'precondition-failed',
        'The record has changed: its ETag is not the one in If-Match.',
      )
    const consulted = await command.consult?.(load, loaded.state, rules)
    const clock = now()
    const occurredAt = timeAfter(loaded.occurredAt, clock)
    const decision = command.decide(
      loaded.state,
      { actor: context.actor, now: clock.toISOString(), occurredAt, newId, rules },
      consulted,
    )
    const events: NewEvent[] = decision.map(({ type, data, metadata }: DomainEvent) => ({
      id: newId(),
      type,
      data,
      metadata: {
        actor: context.actor,
        occurredAt,
        correlationId: context.correlationId,
        schemaVersion: command.aggregate.eventVersions[type]!,
        ...(context.idempotency && { idempotency: context.idempotency }),
        ...metadata,
      },
    }))
    return { events, consulted }
  }

  const append = async (
    stream: string,
    expected: number,
    events: readonly NewEvent[],
  ): Promise<Recorded[]> => {
    const started = performance.now()
    let conflict = false
    try {
      const { revision, position } = await appendReliably(store, stream, expected, events)
      return events.map((event, index) => ({
        ...event,
        streamName: stream,
        revision: revision - events.length + 1 + index,
        position,
      }))
    } catch (error) {
      conflict = error instanceof WrongRevision
      throw error
    } finally {
      onAppend?.(performance.now() - started, conflict)
    }
  }

  const run = async <Answer>(
    command: AnyCommand<Answer>,
    context: CommandContext,
  ): Promise<Outcome<Answer>> => {
    const { aggregate, id } = command
    const known = states.cached(aggregate, id) ?? (command.opensStream && empty(aggregate.initial))
    let toItsEnd = !known
    let loaded: Loaded<unknown> = known || (await states.load(aggregate, id))
    const readForward = async () => {
      loaded = await states.load(aggregate, id)
      toItsEnd = true
    }

    for (let conflicts = 0; ; ) {
      refuseBeyond(loaded)
      const earlier = await replay(command, loaded, context)
      if (earlier) return earlier

      const decided = await decide(command, loaded, context).catch((error) => {
        if (toItsEnd || !(error instanceof Refusal)) throw error
        return undefined
      })
      if (!decided || (decided.events.length === 0 && !toItsEnd)) {
        await readForward()
        continue
      }
      const { events, consulted } = decided
      if (events.length === 0)
        return {
          ...command.answer(loaded.state, [], consulted),
          position: loaded.position,
          recorded: [],
          replayed: false,
        }

      try {
        const recorded = await append(aggregate.streamName(id), loaded.revision, events)
        const after = states.appended(aggregate, id, loaded, recorded)
        return {
          ...command.answer(after.state, recorded as unknown as Stored<DomainEvent>[], consulted),
          position: after.position,
          recorded: recorded.map(({ type }) => type),
          replayed: false,
        }
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error
        conflicts += 1
        if (conflicts > maxConflicts)
          throw new Refusal(
            'unavailable',
            'too-busy',
            'Others keep changing the same records; nothing was recorded.',
          )
        await pause(Math.random() * 2 ** Math.min(conflicts, 6))
        await readForward()
      }
    }
  }

  return (command, context) =>
    inTurn(command.aggregate.streamName(command.id), () => run(command, context).catch(unreachable))
}
