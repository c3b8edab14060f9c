import type { z } from 'zod'
import type { Command, Outcome } from '../../../commands/executor/command.ts'
import { Refusal } from '../../../domain/kernel/refusal.ts'
import type { Reader } from '../../../projections/engine/reading/reader.ts'
import { PostgresUnavailable } from '../../../stores/postgres/postgres.ts'
import type { Services } from '../services.ts'
import { etagOfRecord, etagOfRevision } from './etags.ts'
import { prefersRecord } from './prefer.ts'
import { send } from './respond.ts'
import type { Exchange } from './route.ts'

/** The answer to a command: its decision, sent when the read models show it or after a time limit. */

export interface CommandAnswer<Answer> {
  /** The schema of the answer. Without a schema, the status is 204. */
  readonly record?: z.ZodType
  /** The status is 204, unless the caller prefers the record. */
  readonly isMinimal?: boolean
  /** Complete the answer with state from the read models. `reader` is missing while they cannot be reached. */
  readonly present?: (answer: Answer, reader?: Reader) => unknown
  /** Return members of the answer that a GET of the record does not return. The ETag does not cover them. */
  readonly beside?: (answer: Answer) => object | undefined
  /** Return the path of the created record. The status is 201 if the request recorded events. */
  readonly location?: (answer: Answer) => string
  /** The answer holds a secret, so it is never compressed. */
  readonly holdsSecret?: boolean
}

/** The longest time that the answer waits until the read models have applied the recorded events. */
const readModelsWithinMs = 2_000

/** Wait for the read models that apply these events. A repeat waits for the events of the first request. */
export function waitUntilShown(
  { aggregate }: Pick<Command<unknown>, 'aggregate'>,
  { recorded, position }: Outcome<unknown>,
  { readModels, positions }: Services,
  withinMs = readModelsWithinMs,
): Promise<boolean> {
  const types = recorded.length > 0 ? recorded : Object.keys(aggregate.events)
  return positions.waitFor(readModels.handling(types), position, withinMs)
}

/** @param isFollowed whether the read models have applied the events of the outcome */
export async function sendOutcome<Answer>(
  { req, res }: Exchange,
  { record, isMinimal, present, beside, location, holdsSecret = false }: CommandAnswer<Answer>,
  outcome: Outcome<Answer>,
  isFollowed: boolean,
  { reader }: Services,
): Promise<void> {
  const isShort = !record || (isMinimal && !prefersRecord(req.headers))
  const { answer, shown } = isShort
    ? { answer: undefined, shown: true }
    : await presentAnswer(outcome.body, reader, present)
  const bytes = answer !== undefined ? serialise(answer) : undefined
  const created = location && outcome.recorded.length > 0
  const more = beside?.(outcome.body)
  await send(res, {
    status: created ? 201 : bytes ? 200 : 204,
    headers: {
      'Cache-Control': 'no-store',
      'Commit-Position': outcome.position,
      'Projection-Status': isFollowed && shown ? undefined : 'pending',
      'Idempotent-Replayed': outcome.replayed ? 'true' : undefined,
      ETag: etagOf(outcome, bytes),
      Location: created ? location(outcome.body) : undefined,
    },
    body: more ? serialise({ ...(answer as object), ...more }) : bytes,
    isSecret: holdsSecret,
  })
}

/** The events are recorded, so the answer must succeed even if the read models cannot be reached, or are busy. */
async function presentAnswer<Answer>(
  decided: Answer,
  reader: Reader,
  present: (answer: Answer, reader?: Reader) => unknown = (same) => same,
): Promise<{ answer: unknown; shown: boolean }> {
  try {
    return { answer: await present(decided, reader), shown: true }
  } catch (error) {
    const isBusy = error instanceof Refusal && error.code === 'too-busy'
    if (!isBusy && !(error instanceof PostgresUnavailable)) throw error
    return { answer: await present(decided), shown: false }
  }
}

/** Return the ETag that a GET of the record would answer with. */
function etagOf({ etag, shown }: Outcome<unknown>, body: Buffer | undefined): string | undefined {
  if (etag === undefined) return undefined
  if (body === undefined) return etagOfRevision(etag)
  return etagOfRecord(etag, shown ? serialise(shown) : body)
}

function serialise(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
