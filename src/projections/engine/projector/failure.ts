import type { Recorded } from '../../../domain/kernel/event.ts'
import { companyOfStream } from '../../../domain/kernel/streams.ts'
import { messageOf } from '../../../lib/failure.ts'
import type { FoldFailure } from '../rows/fold.ts'
import type { ProjectionFailure } from '../schema/schema.ts'

const longest = 4_000

/** The failure that stopped a projection, as `status` shows it. */
export function failureOf({ event, error, ofFold }: FoldFailure, now: () => Date): ProjectionFailure {
  return {
    code: codeOf(error),
    message: toStorable(messageOf(error)),
    ...(error instanceof Error && error.stack && { stack: toStorable(error.stack) }),
    ofFold,
    event: {
      id: event.id,
      type: toStorable(event.type),
      streamName: toStorable(event.streamName),
      revision: event.revision,
      position: event.position,
      schemaVersion: event.metadata?.schemaVersion ?? 1,
      companyIds: companiesOf(event),
    },
    at: now().toISOString(),
  }
}

/** An event of another program may name another company in its data than its stream does: the rows follow the data. */
function companiesOf({ streamName, data }: Recorded): string[] {
  const { companyId } = (data ?? {}) as { companyId?: unknown }
  const named = [companyOfStream(streamName), companyId].filter((one) => typeof one === 'string')
  return [...new Set(named.map((one) => toStorable(one).toLowerCase()))]
}

/** Text from an event or an error, as PostgreSQL can keep it. */
function toStorable(text: string): string {
  return text.slice(0, longest).toWellFormed().replaceAll('\0', '\uFFFD')
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? toStorable(code) : 'error'
}
