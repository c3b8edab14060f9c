import { randomUUID } from 'node:crypto'
import { projections } from '../../projections/all.ts'
import { rebuildTodo } from '../../projections/operations/missingTables.ts'
import { prune } from '../../projections/operations/prune.ts'
import { carryOut, type RunKind } from '../../projections/operations/runs.ts'
import { skipEvent } from '../../projections/operations/skip.ts'
import type { Difference, Stopped, Verified } from '../../projections/operations/verify.ts'
import type { Projection } from '../../projections/projection.ts'
import type { Skip } from '../../projections/schema/skips.ts'
import type { Output } from './output.ts'
import { showReplay } from './replayProgress.ts'
import { type Stores, schemaOf } from './stores.ts'

/** In this process, beside the service if it runs; progress goes to standard error. */
async function replay(
  stores: Stores,
  which: readonly Projection[],
  { kind, asRebuilt = false, signal }: { kind: RunKind; asRebuilt?: boolean; signal: AbortSignal },
): Promise<Verified> {
  const shown = showReplay(process.stderr)
  try {
    return await carryOut({
      ...stores,
      ...{ kind, asRebuilt, signal },
      runId: randomUUID(),
      schema: await schemaOf(stores),
      projections: which,
      clock: () => performance.now(),
      onProgress: shown.progress,
    })
  } finally {
    shown.end()
  }
}

function names(which: readonly Projection[]): string {
  return which.map(({ name }) => name).join(', ')
}

export async function rebuildProjections(
  stores: Stores,
  which: readonly Projection[],
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  const { events } = await replay(stores, which, { kind: 'rebuild', signal })
  output.record(
    { rebuilt: which.map(({ name }) => name), events },
    `rebuilt ${names(which)} from ${events} events`,
  )
}

function textOf({ projection, table, key, column, live, rebuilt }: Difference): string {
  return [
    `${projection}.${table} ${JSON.stringify(key)}: ${column === '*' ? 'the whole row' : column}`,
    `  live     ${JSON.stringify(live)}`,
    `  rebuilt  ${JSON.stringify(rebuilt)}`,
  ].join('\n')
}

function stoppedText({ projection, position }: Stopped): string {
  return `${projection} has stopped before ${position} and was compared up to there: "heatmark status" says what to do`
}

/**
 * Shows every difference, the first thousand with their values, and what could not be compared to its end; false
 * when there is either.
 */
export async function verifyProjections(
  stores: Stores,
  which: readonly Projection[],
  how: { readonly asRebuilt: boolean; readonly signal: AbortSignal },
  output: Output,
): Promise<boolean> {
  const found = await replay(stores, which, { kind: 'verify', ...how })
  const { events, differenceCount, differences, differing, stopped, skipped } = found
  const count = ['no difference', 'one difference'][differenceCount] ?? `${differenceCount} differences`
  const sum = `${names(which)}: ${count}, over ${events} events`
  const more =
    differenceCount > differences.length ? [`the first ${differences.length} of them are shown`] : []
  // Rebuilding one that has stopped may be to no avail yet.
  const mended = differing.filter((name) => !stopped.some(({ projection }) => projection === name))
  const todo = [...mended.map((name) => `→ ${rebuildTodo(name)}`), ...stopped.map(stoppedText)]
  output.record(
    found,
    [...differences.map(textOf), sum, ...more, ...skipped.map(skipText), ...todo].join('\n'),
  )
  return differenceCount === 0 && stopped.length === 0
}

export function skipText({ projection, eventType, position, skippedAt, reason }: Skip): string {
  return `${projection} passes over ${eventType} at ${position} since ${skippedAt}: ${reason}`
}

/** Lets a projection pass over the event at which it has stopped. */
export async function skipStoppedEvent(
  stores: Stores,
  projection: Projection,
  reason: string,
  output: Output,
): Promise<void> {
  const skip = await skipEvent({ ...stores, schema: await schemaOf(stores) }, projection, reason)
  const { eventType, streamName, position } = skip
  output.record(
    skip,
    `${projection.name} passes over ${eventType} of ${streamName} at ${position} from now on, and runs again`,
  )
}

/** Drops the schemas of other releases; false when one of them is still in use. */
export async function pruneSchemas(stores: Stores, output: Output): Promise<boolean> {
  const found = await prune(stores.postgres, await schemaOf(stores), projections)
  const lines = [
    ...found.dropped.map((schema) => `dropped ${schema}`),
    ...found.inUse.map(
      (schema) => `left ${schema}: a projector of that release runs, or did within the last ten minutes`,
    ),
  ]
  output.record(found, lines.join('\n') || 'there was nothing to drop')
  return found.inUse.length === 0
}
