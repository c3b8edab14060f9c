import { forbidden, notFound, Refusal } from '../../domain/kernel/refusal.ts'
import type { Check, Command, CommandContext, Load, Versioned } from './command.ts'
import type { Loaded } from './loaded.ts'
import type { Tools } from './tools.ts'

/** The record that a use case addresses, the streams that it loads, and the conditions on both. */

export type UseCase<Answer> = Command<Answer> | Check<Answer>

export function streamOf({ aggregate, id }: UseCase<unknown>): string {
  return aggregate.streamName(id)
}

/** Return the record that the use case addresses, or the whole state. @throws Refusal 404; 403 for a company */
export function findRecord({ record }: UseCase<unknown>, state: unknown) {
  if (!record) return state
  const addressed = record.find(state)
  if (addressed) return addressed
  throw record.missing ? notFound(record.missing, record.id, record.where) : forbidden()
}

/** @throws Refusal `precondition-failed`, also when there is no record at present; `precondition-required` */
export function refuseOtherRevision(
  { revision }: Versioned,
  { ifMatch, ifMatchRequired }: CommandContext,
): void {
  if (!ifMatch) {
    if (ifMatchRequired && revision !== undefined) throw preconditionRequired()
    return
  }
  if (revision !== undefined && ifMatch(revision)) return
  throw new Refusal(
    'precondition-failed',
    'The record has changed since you read it, so nothing was recorded. Read it again, and repeat the change with its new ETag.',
  )
}

export function loadWith({ states }: Tools): Load {
  return async (aggregate, id) => {
    const loaded = await states.load(aggregate, id)
    refuseBeyond(loaded)
    return loaded
  }
}

/** @throws Refusal `newer-release-running` */
export function refuseBeyond(loaded: Loaded<unknown>): void {
  if (loaded.beyond)
    throw new Refusal(
      'newer-release-running',
      `This release cannot read an event of the record, ${loaded.beyond}. Nothing was recorded. If a newer release runs beside this one, send the request to one of its nodes.`,
    )
}

function preconditionRequired(): Refusal {
  return new Refusal(
    'precondition-required',
    'This company requires If-Match for every change of a record, so nothing was recorded. Read the record, and send its ETag in If-Match.',
  )
}
