import type { Aggregate } from '../../domain/kernel/aggregate.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { concurrently } from '../../lib/concurrently.ts'
import {
  type Command,
  type CommandContext,
  checkOn,
  type Execute,
  type Executor,
  type Outcome,
} from './command.ts'

/** The records that are decided on at the same time. */
const recordsAtOnce = 16

/** The result of one decision on one of many records. */
export type DecisionOnOne = { readonly id: string } & (
  | { readonly changed: boolean; readonly refusal?: undefined }
  | { readonly refusal: Refusal }
)

/** The revisions that the caller has seen of many records, by id. */
export interface Seen {
  readonly revisions?: Readonly<Record<string, number>> | undefined
}

/** Return the context of the decision on each record, which is on the condition of its revision. */
export function contextsOnSeen(
  context: CommandContext,
  revisions: Seen['revisions'] = {},
): (id: string) => CommandContext {
  return (id) => {
    const seenRevision = revisions[id]
    return seenRevision === undefined
      ? context
      : { ...context, ifMatch: (revision) => revision === seenRevision }
  }
}

/**
 * Carry out one command for each record, several at a time. A command that is refused does not hold up the others. Each
 * command is recorded by itself, so a repeat completes a request that broke off.
 * @param contextOf returns the context of the command on a record
 * @param position the position to answer when no command gives a later one
 * @throws Refusal when the refusal is of the whole request: a store cannot be reached, or the Idempotency-Key belongs
 * to another request
 */
export async function decideOnMany(
  ids: readonly string[],
  commandOf: (id: string) => Command<unknown>,
  execute: Execute,
  contextOf: (id: string) => CommandContext,
  position = 0,
): Promise<Outcome<readonly DecisionOnOne[]>> {
  const steps = await concurrently(recordsAtOnce, ids, async (id) => {
    try {
      return { id, outcome: await execute(commandOf(id), contextOf(id)) }
    } catch (error) {
      if (!(error instanceof Refusal) || isOfRequest(error)) throw error
      return { id, refusal: error }
    }
  })
  const outcomes = steps.flatMap(({ outcome }) => outcome ?? [])
  const recorded = outcomes.filter((outcome) => outcome.recorded.length > 0)
  return {
    body: steps.map(({ id, outcome, refusal }) =>
      refusal ? { id, refusal } : { id, changed: outcome.recorded.length > 0 },
    ),
    position: Math.max(position, ...outcomes.map((outcome) => outcome.position)),
    recorded: [...new Set(recorded.flatMap((outcome) => outcome.recorded))],
    // A repeat that completes the first request records something that the first one did not.
    replayed: recorded.length > 0 && recorded.every((outcome) => outcome.replayed),
  }
}

/** Return those records on whose streams an earlier request under the same Idempotency-Key has recorded something. */
export async function findEarlierDecision<State, Event extends DomainEvent>(
  check: Executor['check'],
  ids: readonly string[],
  streamOf: (id: string) => { readonly aggregate: Aggregate<State, Event>; readonly id: string },
  context: CommandContext,
): Promise<ReadonlySet<string>> {
  if (!context.idempotency) return new Set()
  const done = await concurrently(recordsAtOnce, ids, async (id) => {
    const { replayed } = await check(checkOn({ ...streamOf(id), refuse: () => {} }), context)
    return replayed ? [id] : []
  })
  return new Set(done.flat())
}

function isOfRequest({ status, code }: Refusal): boolean {
  return status === 503 || code === 'idempotency-key-reused'
}
