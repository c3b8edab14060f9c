import type { Change } from '../../domain/kernel/changes.ts'
import type { DomainEvent, Recorded, Stored } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { CommandContext, Load, Outcome } from './command.ts'
import { isCurrent, keyIdentity, type Loaded } from './loaded.ts'
import { findRecord, type UseCase } from './records.ts'
import type { Tools } from './tools.ts'

/** The outcome of a use case, and of an earlier request under the same Idempotency-Key. */

/** Return the answer to an earlier request under the same Idempotency-Key, if there was one. */
export async function replay<Answer>(
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
      'This Idempotency-Key belongs to another request, so nothing was done. Use a new key for a new request.',
    )
  const then = await states.asOf(useCase.aggregate, useCase.id, use.position, use.first)
  // The answer shows other streams as they were then, too.
  const asOfThen: Load = async (aggregate, id) => (await states.asOf(aggregate, id, use.position)).loaded
  const dependencies =
    useCase.answer && (await useCase.dependencies?.(asOfThen, findRecord(useCase, then.loaded.state), rules))
  return { ...outcomeOf(useCase, then.loaded, then.events, dependencies), replayed: true }
}

export function outcomeOf<Answer>(
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
    changes: recorded.flatMap(({ data }) => (data as { changes?: readonly Change[] }).changes ?? []),
    replayed: false,
  }
}
