import { setTimeout as pause } from 'node:timers/promises'
import { slotsFor } from '../../admission/kinds.ts'
import { createSlots } from '../../admission/slots.ts'
import {
  type Actor,
  type DomainEvent,
  isPerson,
  type Recorded,
  type Stored,
} from '../../domain/kernel/event.ts'
import { refusePerformedAt } from '../../domain/kernel/performedAt.ts'
import { forbidden, notFound, Refusal } from '../../domain/kernel/refusal.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { noRuleBook, type RuleBook } from '../../domain/rulePacks/ruleBook.ts'
import { concurrently } from '../../lib/concurrently.ts'
import { type NewEvent, StoreUnavailable, WrongRevision } from '../../stores/eventStore.ts'
import { tolerableSkewMs } from '../../stores/postgres/clockSkew.ts'
import { type AppendMeans, appendReliably, refuseUnrecordable } from './append.ts'
import type { Check, Command, CommandContext, Executor, Load, Outcome, Versioned } from './command.ts'
import type { DryRun } from './dryRun.ts'
import { advanced, empty, isCurrent, keyIdentity, type Loaded } from './loaded.ts'
import type { Author, Persons } from './persons.ts'
import { createStates, type States, type StatesObserver } from './states.ts'

/** How often a command is decided again after another writer was first. */
const maxConflicts = 20
/** An author's name is kept in this many companies at the same time. */
const companiesAtOnce = 16

export interface ExecutorOptions extends AppendMeans {
  readonly now: () => Date
  readonly newId: () => string
  /** Bound of the folded states kept in memory. */
  readonly cacheBytes: number
  /** Keeps the names of the persons who give commands. */
  readonly persons: Pick<Persons, 'hashOf'>
  /** The rule packs that subjects are evaluated by; none by default. */
  readonly rules?: RuleBook
  /** Called with the time that each append took, in milliseconds, and whether it met a conflict. */
  readonly onAppend?: (milliseconds: number, conflict: boolean) => void
  readonly observeStates?: StatesObserver
  /**
   * Called before an event is recorded. Throws a refusal while this process must record nothing. The function that it
   * returns is given the position of the recorded event, and throws a refusal if no event may be there. By default
   * everything may be recorded.
   */
  readonly refuseToRecord?: () => (position: number) => void
}

/**
 * Create the executor: load, decide, append at the revision decided on, and decide again when another writer was
 * first. A state from memory is trusted only if the append succeeds: a refusal, or nothing to record, is decided
 * again after reading forward.
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const { store, cacheBytes, observeStates, rules = noRuleBook, refuseToRecord = () => () => {} } = options
  const states = createStates(store, cacheBytes, observeStates)
  const tools = { ...options, rules, states }
  const slots = createSlots(slotsFor.commands)
  return {
    async execute(command, context) {
      const refuseAt = refuseToRecord()
      return slots.run(streamOf(command), async () => {
        const { dryRun, requireAccess } = context
        await requireAccess?.()
        const run = dryRun ? runDry(tools, command, context, dryRun) : runCommand(tools, command, context)
        const outcome = await run.catch(refuseUnreachable)
        if (outcome.recorded.length > 0 && !outcome.replayed && !dryRun) refuseAt(outcome.position)
        return outcome
      })
    },
    async check(check, context) {
      refuseToRecord()
      return slots.run(streamOf(check), async () => {
        await context.requireAccess?.()
        return runCheck(tools, check, context).catch(refuseUnreachable)
      })
    },
  }
}

interface Tools extends ExecutorOptions {
  readonly rules: RuleBook
  readonly states: States
}

type UseCase<Answer> = Command<Answer> | Check<Answer>

/**
 * Return the time of an event that comes after one of `last`. It is not before `last`, although this node's clock may
 * be behind that of the node which recorded it. A time further ahead than clocks may differ comes from a wrong clock,
 * and does not hold up the stream.
 */
function timeAfter(last: string, now: Date): string {
  const aheadMs = Date.parse(last) - now.getTime()
  return aheadMs > 0 && aheadMs <= 2 * tolerableSkewMs ? last : now.toISOString()
}

function streamOf({ aggregate, id }: UseCase<unknown>): string {
  return aggregate.streamName(id)
}

async function runCommand<Answer>(
  tools: Tools,
  command: Command<Answer>,
  context: CommandContext,
): Promise<Outcome<Answer>> {
  const { states } = tools
  const { aggregate, id } = command
  const known = states.cached(aggregate, id) ?? (command.opensStream ? empty(aggregate.initial) : undefined)
  let atItsEnd = !known
  let loaded: Loaded<unknown> = known ?? (await states.load(aggregate, id))
  const readForward = async () => {
    loaded = await states.load(aggregate, id)
    atItsEnd = true
  }

  for (let conflicts = 0; ; ) {
    refuseBeyond(loaded)
    const earlier = await replay(tools, command, loaded, context)
    if (earlier) return earlier

    const decided = await decide(tools, command, loaded, context).catch((error) => {
      if (atItsEnd || !(error instanceof Refusal)) throw error
      return undefined
    })
    if (!decided || (decided.events.length === 0 && !atItsEnd)) {
      await readForward()
      continue
    }
    const { events, dependencies } = decided
    if (events.length === 0) return outcomeOf(command, loaded, [], dependencies)

    try {
      const recorded = await append(tools, streamOf(command), loaded.revision, events)
      return outcomeOf(command, states.appended(aggregate, id, loaded, recorded), recorded, dependencies)
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
      conflicts += 1
      if (conflicts > maxConflicts) throw tooBusy()
      await pause(Math.random() * 2 ** Math.min(conflicts, 6))
      await readForward()
    }
  }
}

/** Decide on the end of the stream and on what the dry run would have recorded after it. */
async function runDry<Answer>(
  tools: Tools,
  command: Command<Answer>,
  context: CommandContext,
  dryRun: DryRun,
): Promise<Outcome<Answer>> {
  const { aggregate, id } = command
  const stream = streamOf(command)
  const loaded = dryRun.stateOf(stream) ?? (await tools.states.load(aggregate, id))
  refuseBeyond(loaded)
  const { events, dependencies } = await decide(tools, command, loaded, context)
  if (events.length === 0) return outcomeOf(command, loaded, [], dependencies)
  refuseUnrecordable(events)
  const { revision, position } = loaded
  const unrecorded = recordedFrom(stream, revision + 1, position, events)
  const after = advanced(aggregate, loaded, unrecorded)
  dryRun.keep(stream, after)
  return outcomeOf(command, after, unrecorded, dependencies)
}

async function runCheck<Answer>(
  tools: Tools,
  check: Check<Answer>,
  context: CommandContext,
): Promise<Outcome<Answer>> {
  const loaded = await tools.states.load(check.aggregate, check.id)
  refuseBeyond(loaded)
  const earlier = await replay(tools, check, loaded, context)
  if (earlier) return earlier
  const found = findRecord(check, loaded.state)
  if (check.record) refuseOtherRevision(found as Versioned, context)
  const dependencies = await check.dependencies?.(loadWith(tools), found, tools.rules)
  check.refuse(found, dependencies)
  return outcomeOf(check, loaded, [], dependencies)
}

/** Return the record that the use case addresses, or the whole state. @throws Refusal 404; 403 for a company */
function findRecord({ record }: UseCase<unknown>, state: unknown) {
  if (!record) return state
  const found = record.find(state)
  if (found) return found
  throw record.missing ? notFound(record.missing, record.id, record.where) : forbidden()
}

/** @throws Refusal `precondition-failed`, also when there is no record at present; `precondition-required` */
function refuseOtherRevision({ revision }: Versioned, { ifMatch, ifMatchRequired }: CommandContext): void {
  if (!ifMatch) {
    if (ifMatchRequired && revision !== undefined) throw preconditionRequired()
    return
  }
  if (revision !== undefined && ifMatch(revision)) return
  throw new Refusal(
    'precondition-failed',
    'The record has changed since you read it: its ETag is not the one in If-Match. Read it again and repeat the change.',
  )
}

/** Return the answer to an earlier request under the same Idempotency-Key, if there was one. */
async function replay<Answer>(
  { states, rules, now }: Tools,
  useCase: UseCase<Answer>,
  loaded: Loaded<unknown>,
  { idempotency }: CommandContext,
): Promise<Outcome<Answer> | undefined> {
  const use = idempotency && loaded.keys.get(keyIdentity(idempotency))
  if (!use || !isCurrent(use, now().toISOString())) return undefined
  if (use.requestHash !== idempotency.requestHash)
    throw new Refusal(
      'idempotency-key-reused',
      'This Idempotency-Key belongs to another request. Use a new key for a new request.',
    )
  const then = await states.asOf(useCase.aggregate, useCase.id, use.position, use.first)
  // The answer shows other streams as they were then, too.
  const asOfThen: Load = async (aggregate, id) => (await states.asOf(aggregate, id, use.position)).loaded
  const dependencies =
    useCase.answer && (await useCase.dependencies?.(asOfThen, findRecord(useCase, then.loaded.state), rules))
  return { ...outcomeOf(useCase, then.loaded, then.events, dependencies), replayed: true }
}

async function decide(
  tools: Tools,
  command: Command<unknown>,
  loaded: Loaded<unknown>,
  context: CommandContext,
) {
  const { now, newId, rules } = tools
  const found = findRecord(command, loaded.state)
  if (command.record) refuseOtherRevision(found as Versioned, context)
  const dependencies = await command.dependencies?.(loadWith(tools), found, rules)
  if (command.seen) refuseOtherRevision(command.seen(found, dependencies), context)
  const time = now()
  const { performedAt } = context
  if (performedAt !== undefined) refusePerformedAt(performedAt, time.toISOString())
  const occurredAt = timeAfter(loaded.occurredAt, time)
  const decision = command.decide(
    found,
    { actor: unnamed(context.actor), now: time.toISOString(), occurredAt, newId, rules },
    dependencies,
  )
  if (decision.length === 0) return { events: [], dependencies }
  // A name must be kept before an event refers to it. A dry run keeps none.
  const { actor: author, dryRun } = context
  const actor = dryRun ? unnamed(author) : await recordedActor(tools, command, decision, author)
  const events: NewEvent[] = decision.map(({ type, data, metadata }: DomainEvent) => ({
    id: newId(),
    type,
    data,
    metadata: {
      actor,
      occurredAt,
      ...(performedAt !== undefined && { performedAt }),
      correlationId: context.correlationId,
      schemaVersion: command.aggregate.eventVersions[type]!,
      ...(context.idempotency && { idempotency: context.idempotency }),
      ...metadata,
    },
  }))
  return { events, dependencies }
}

/** Return the author as the events hold it: a person without the name, by the hash of it. */
async function recordedActor(
  { persons }: Tools,
  command: Command<unknown>,
  events: readonly DomainEvent[],
  author: Author,
): Promise<Actor> {
  if (!isPerson(author)) return unnamed(author)
  const others = command.namesAuthorIn?.(events) ?? []
  await concurrently(companiesAtOnce, others, (companyId) => persons.hashOf(companyId, author))
  const companyId = companyOfStream(streamOf(command))
  const nameHash = companyId === undefined ? undefined : await persons.hashOf(companyId, author)
  return { ...unnamed(author), ...(nameHash !== undefined && { nameHash }) }
}

function unnamed({ id, name, kind }: Author): Actor {
  return { id, name: isPerson({ kind }) ? '' : name, kind }
}

async function append(
  { store, clock, onAppend }: Tools,
  stream: string,
  expected: number,
  events: readonly NewEvent[],
): Promise<Recorded[]> {
  const started = clock()
  let conflict = false
  try {
    const { revision, position } = await appendReliably({ store, clock }, stream, expected, events)
    return recordedFrom(stream, revision - events.length + 1, position, events)
  } catch (error) {
    conflict = error instanceof WrongRevision
    throw error
  } finally {
    onAppend?.(clock() - started, conflict)
  }
}

/** @param first the revision of the first event */
function recordedFrom(
  streamName: string,
  first: number,
  position: number,
  events: readonly NewEvent[],
): Recorded[] {
  return events.map((event, index) => ({ ...event, streamName, revision: first + index, position }))
}

function outcomeOf<Answer>(
  useCase: UseCase<Answer>,
  { state, position }: Loaded<unknown>,
  recorded: readonly Recorded[],
  dependencies: unknown,
): Outcome<Answer> {
  const answered = useCase.answer?.(
    findRecord(useCase, state),
    recorded as unknown as Stored<DomainEvent>[],
    dependencies,
  )
  return {
    // A use case without an answer was built for callers that expect no body.
    ...(answered ?? { body: undefined as Answer }),
    position,
    recorded: recorded.map(({ type }) => type),
    replayed: false,
  }
}

function loadWith({ states }: Tools): Load {
  return async (aggregate, id) => {
    const loaded = await states.load(aggregate, id)
    refuseBeyond(loaded)
    return loaded
  }
}

/** @throws Refusal `newer-release-running` */
function refuseBeyond(loaded: Loaded<unknown>): void {
  if (loaded.beyond)
    throw new Refusal(
      'newer-release-running',
      `A newer release has recorded ${loaded.beyond} here, so this release cannot decide on it. Send the request to a node of the newer release.`,
    )
}

function refuseUnreachable(error: unknown): never {
  if (error instanceof StoreUnavailable)
    throw new Refusal(
      'store-unavailable',
      'The event store cannot be reached; this request recorded nothing.',
    )
  throw error
}

function preconditionRequired(): Refusal {
  return new Refusal(
    'precondition-required',
    'This company requires If-Match for every change of a record, so nothing was recorded. Read the record, and send its ETag in If-Match.',
  )
}

function tooBusy(): Refusal {
  return new Refusal(
    'too-busy',
    'Other callers keep changing the same records; nothing was recorded. Try again in a moment.',
  )
}
