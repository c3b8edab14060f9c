import { setTimeout as pause } from 'node:timers/promises'
import { slotsFor } from '../../admission/kinds.ts'
import { createSlots } from '../../admission/slots.ts'
import type { Recorded } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { noRuleBook } from '../../domain/rulePacks/ruleBook.ts'
import { type Failure, isFailure } from '../../lib/failure.ts'
import { type NewEvent, StoreUnavailable } from '../../stores/eventStore.ts'
import { appendReliably, outcomeUnknown, refuseUnrecordable } from './append.ts'
import type { Check, Command, CommandContext, HearingExecutor, Outcome, Versioned } from './command.ts'
import { decide } from './decide.ts'
import type { DryRun } from './dryRun.ts'
import { empty, foldOn, type Loaded } from './loaded.ts'
import { findRecord, loadWith, refuseBeyond, refuseOtherRevision, streamOf } from './records.ts'
import { outcomeOf, replay } from './replay.ts'
import { createStates } from './states.ts'
import type { ExecutorOptions, Tools } from './tools.ts'

/** The most times that a command is decided again because another writer appended first. */
const maxConflicts = 20

/**
 * Create the executor: load, decide, append at the revision decided on, and decide again when another writer was
 * first. A state from memory is trusted only if the append succeeds: a refusal, or nothing to record, is decided
 * again after reading forward.
 */
export function createExecutor(options: ExecutorOptions): HearingExecutor {
  const { store, cacheBytes, observeStates, rules = noRuleBook, refuseToRecord = () => () => {} } = options
  const states = createStates(store, cacheBytes, observeStates)
  const tools = { ...options, rules, states }
  const slots = createSlots(slotsFor.commands)
  return {
    noteEvent: states.noteEvent,
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

async function runCommand<Answer>(
  tools: Tools,
  command: Command<Answer>,
  context: CommandContext,
): Promise<Outcome<Answer>> {
  const { states } = tools
  const { aggregate, id } = command
  const cached = states.find(aggregate, id) ?? (command.opensStream ? empty(aggregate.initial) : undefined)
  let atItsEnd = !cached
  let loaded: Loaded<unknown> = cached ?? (await states.load(aggregate, id))
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
      return outcomeOf(command, states.noteAppended(aggregate, id, loaded, recorded), recorded, dependencies)
    } catch (error) {
      if (!isConflict(error)) throw error
      conflicts += 1
      if (conflicts > maxConflicts) throw tooBusy()
      await pause(Math.random() * 2 ** Math.min(conflicts, 6))
      await readForward().catch((fault) => {
        throw isFailure(error, 'wrong-revision-after-silence') ? outcomeUnknown() : fault
      })
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
  const unrecorded = asRecorded(stream, revision + 1, position, events)
  const after = foldOn(aggregate, loaded, unrecorded)
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
  const record = findRecord(check, loaded.state)
  if (check.record) refuseOtherRevision(record as Versioned, context)
  const dependencies = await check.dependencies?.(loadWith(tools), record, tools.rules)
  check.refuse(record, dependencies)
  return outcomeOf(check, loaded, [], dependencies)
}

async function append(
  { store, clock, onAppend, dailyBytes }: Tools,
  stream: string,
  expected: number,
  events: readonly NewEvent[],
): Promise<Recorded[]> {
  const started = clock()
  let conflict = false
  try {
    const { revision, position, bytes } = await appendReliably({ store, clock }, stream, expected, events)
    const companyId = companyOfStream(stream)
    if (companyId !== undefined) dailyBytes?.add(companyId, bytes)
    return asRecorded(stream, revision - events.length + 1, position, events)
  } catch (error) {
    conflict = isConflict(error)
    throw error
  } finally {
    onAppend?.(clock() - started, conflict)
  }
}

function isConflict(error: unknown): error is Failure {
  return isFailure(error, 'wrong-revision', 'wrong-revision-after-silence')
}

/** @param first the revision of the first event */
function asRecorded(
  streamName: string,
  first: number,
  position: number,
  events: readonly NewEvent[],
): Recorded[] {
  return events.map((event, index) => ({ ...event, streamName, revision: first + index, position }))
}

function refuseUnreachable(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error
  const message = 'The event store cannot be reached, so this request recorded nothing. Try again later.'
  const refusal = new Refusal('store-unavailable', message)
  refusal.cause = error
  throw refusal
}

function tooBusy(): Refusal {
  return new Refusal(
    'too-busy',
    'Other callers keep changing the same records, so nothing was recorded. Try again in a moment.',
  )
}
