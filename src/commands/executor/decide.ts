import { boundOf } from '../../domain/eventBounds.ts'
import { type Actor, type DomainEvent, isPerson } from '../../domain/kernel/event.ts'
import { refusePerformedAt } from '../../domain/kernel/performedAt.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import { newestVersion } from '../../domain/kernel/versions.ts'
import { concurrently } from '../../lib/concurrently.ts'
import type { NewEvent } from '../../stores/eventStore.ts'
import { tolerableSkewMs } from '../../stores/postgres/clockSkew.ts'
import type { Command, CommandContext, Versioned } from './command.ts'
import type { Loaded } from './loaded.ts'
import type { Author } from './persons.ts'
import { findRecord, loadWith, refuseOtherRevision, streamOf } from './records.ts'
import type { Tools } from './tools.ts'

/** Let a command decide, and give its events their metadata. */

/** The most companies in which an author's name is stored at the same time. */
const companiesAtOnce = 16

export async function decide(
  tools: Tools,
  command: Command<unknown>,
  loaded: Loaded<unknown>,
  context: CommandContext,
) {
  const { now, newId, rules } = tools
  const record = findRecord(command, loaded.state)
  if (command.record) refuseOtherRevision(record as Versioned, context)
  const dependencies = await command.dependencies?.(loadWith(tools), record, rules)
  if (command.versionOf) refuseOtherRevision(command.versionOf(record, dependencies), context)
  const time = now()
  const { performedAt } = context
  if (performedAt !== undefined) refusePerformedAt(performedAt, time.toISOString())
  const occurredAt = timeAfter(loaded.occurredAt, time)
  const decision = command.decide(
    record,
    { actor: withoutName(context.actor), now: time.toISOString(), occurredAt, newId, rules },
    dependencies,
  )
  if (decision.length === 0) return { events: [], dependencies }
  await refuseAtBound(tools, command, decision, context)
  // A name must be kept before an event refers to it. A dry run keeps none.
  const { actor: author, dryRun } = context
  const actor = dryRun ? withoutName(author) : await resolveActor(tools, command, decision, author)
  const events: NewEvent[] = decision.map(({ type, data, metadata }: DomainEvent) => ({
    id: newId(),
    type,
    data,
    metadata: {
      actor,
      occurredAt,
      ...(performedAt !== undefined && { performedAt }),
      correlationId: context.correlationId,
      schemaVersion: newestVersion(command.aggregate.events, type)!,
      ...(context.idempotency && { idempotency: context.idempotency }),
      ...metadata,
    },
  }))
  return { events, dependencies }
}

/** Policies and operators are never refused. @throws Refusal `company-too-large` */
async function refuseAtBound(
  { dailyBytes }: Tools,
  command: Command<unknown>,
  events: readonly DomainEvent[],
  { actor, isUnderWay }: CommandContext,
): Promise<void> {
  if (!isPerson(actor) || isUnderWay) return
  const companyId = companyOfStream(streamOf(command))
  if (companyId !== undefined) await dailyBytes?.refuseAtBound(companyId, boundOf(events))
}

/** Return the author as the events hold it: a person without the name, by the hash of it. */
async function resolveActor(
  { persons }: Tools,
  command: Command<unknown>,
  events: readonly DomainEvent[],
  author: Author,
): Promise<Actor> {
  if (!isPerson(author)) return withoutName(author)
  const others = command.namesAuthorIn?.(events) ?? []
  await concurrently(companiesAtOnce, others, (companyId) => persons.hashOf(companyId, author))
  const companyId = companyOfStream(streamOf(command))
  const nameHash = companyId === undefined ? undefined : await persons.hashOf(companyId, author)
  return { ...withoutName(author), ...(nameHash !== undefined && { nameHash }) }
}

function withoutName({ id, name, kind }: Author): Actor {
  return { id, name: isPerson({ kind }) ? '' : name, kind }
}

/**
 * Return the time of an event that comes after one of `last`. It is not before `last`, although this node's clock may
 * be behind that of the node which recorded it. A time further ahead than clocks may differ comes from a wrong clock,
 * and does not hold up the stream.
 */
function timeAfter(last: string, now: Date): string {
  const aheadMs = Date.parse(last) - now.getTime()
  return aheadMs > 0 && aheadMs <= 2 * tolerableSkewMs ? last : now.toISOString()
}
