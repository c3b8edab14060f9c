import type { FoldFailure } from '../rows/fold.ts'
import type { Failure } from '../schema/schema.ts'

const longest = 4_000

/** The failure that stopped a projection, as `status` shows it. */
export function failureOf({ event, error }: FoldFailure, now: () => Date): Failure {
  return {
    code: codeOf(error),
    message: storable(error instanceof Error ? error.message : String(error)),
    ...(error instanceof Error && error.stack && { stack: storable(error.stack) }),
    event: {
      id: event.id,
      type: storable(event.type),
      streamName: storable(event.streamName),
      revision: event.revision,
      position: event.position,
      schemaVersion: event.metadata?.schemaVersion ?? 1,
    },
    at: now().toISOString(),
  }
}

/** Text from an event or an error, as PostgreSQL can keep it. */
function storable(text: string): string {
  return text.slice(0, longest).toWellFormed().replaceAll('\0', '\uFFFD')
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? storable(code) : 'error'
}
