import { randomUUID } from 'node:crypto'
import { clock } from '../../lib/clocks.ts'
import { countText } from '../../lib/countText.ts'
import { rebuildTodo } from '../../projections/engine/operations/missingTables.ts'
import { prune } from '../../projections/engine/operations/prune.ts'
import { performRun, type RunKind } from '../../projections/engine/operations/runs.ts'
import { skipEvent } from '../../projections/engine/operations/skip.ts'
import type { Difference, Stopped, Verified } from '../../projections/engine/operations/verify.ts'
import type { Projection } from '../../projections/engine/projection.ts'
import type { Skip } from '../../projections/engine/schema/skips.ts'
import type { Output } from './output.ts'
import { showReplay } from './replayProgress.ts'
import { findReadModels, type Stores } from './stores.ts'

export async function rebuildProjections(
  stores: Stores,
  which: readonly Projection[],
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  const { events } = await replay(stores, which, { kind: 'rebuild', signal }, output)
  output.record(
    { rebuilt: which.map(({ name }) => name), events },
    `rebuilt ${names(which)} from ${countText(events, 'event')}`,
  )
}

/**
 * Show the differences, the first thousand with their values, and the projections that have stopped. Return false
 * when there is either.
 */
export async function verifyProjections(
  stores: Stores,
  which: readonly Projection[],
  how: { readonly asRebuilt: boolean; readonly signal: AbortSignal },
  output: Output,
): Promise<boolean> {
  const report = await replay(stores, which, { kind: 'verify', ...how }, output)
  const { events, differenceCount, differences, differing, stopped, skipped } = report
  const count = ['no difference', 'one difference'][differenceCount] ?? `${differenceCount} differences`
  const sum = `${names(which)}: ${count}, over ${countText(events, 'event')}`
  const more =
    differenceCount > differences.length ? [`the first ${differences.length} of them are shown`] : []
  // A rebuild may not help a projection that has stopped.
  const mended = differing.filter((name) => !stopped.some(({ projection }) => projection === name))
  const todo = [...mended.map((name) => `→ ${rebuildTodo(name)}`), ...stopped.map(stoppedText)]
  output.record(
    report,
    [...differences.map(textOf), sum, ...more, ...skipped.map(skipText), ...todo].join('\n'),
  )
  return differenceCount === 0 && stopped.length === 0
}

export function skipText({ projection, eventType, position, skippedAt, reason, automatic }: Skip): string {
  const by = automatic ? ' because this release cannot fold it' : ''
  return `${projection} skips ${eventType} at ${position} since ${skippedAt}${by}: ${reason}`
}

/** Advice on an event that a projection skips by itself. */
export function skipTodo({ projection, position, companyIds }: Skip): string {
  return `until then the companies ${companyIds.join(', ')} cannot decide on what these rows may hide (503 facts-incomplete). Look at the event ("heatmark events show ${position}"). Run a release that can fold it, or confirm with "heatmark projections skip ${projection} --reason …" that nothing depends on it`
}

/** Let a projection skip the event at which it has stopped, or confirm one that it skips by itself. */
export async function skipStoppedEvent(
  stores: Stores,
  projection: Projection,
  reason: string,
  output: Output,
): Promise<void> {
  const skip = await skipEvent({ ...stores, readModels: await findReadModels(stores) }, projection, reason)
  const { eventType, streamName, position } = skip
  output.record(skip, `${projection.name} skips ${eventType} of ${streamName} at ${position} for good`)
}

/** Drop the schemas of other releases; return false when one of them is still in use. */
export async function pruneSchemas(stores: Stores, output: Output): Promise<boolean> {
  const schemas = await prune(stores.postgres, await findReadModels(stores))
  const lines = [
    ...schemas.dropped.map((schema) => `dropped ${schema}`),
    ...schemas.inUse.map(
      (schema) => `kept ${schema}: a projector of that release has run within the last ten minutes`,
    ),
  ]
  output.record(schemas, lines.join('\n') || 'there was nothing to drop')
  return schemas.inUse.length === 0
}

/** Replay all events in this process, also while the service runs. */
async function replay(
  stores: Stores,
  which: readonly Projection[],
  { kind, asRebuilt = false, signal }: { kind: RunKind; asRebuilt?: boolean; signal: AbortSignal },
  output: Output,
): Promise<Verified> {
  const readModels = await findReadModels(stores)
  const shown = showReplay(output.progress)
  try {
    return await performRun({
      ...stores,
      kind,
      asRebuilt,
      signal,
      runId: randomUUID(),
      readModels: readModels.only(which),
      clock,
      onProgress: shown.progress,
    })
  } finally {
    shown.end()
  }
}

function names(which: readonly Projection[]): string {
  return which.map(({ name }) => name).join(', ')
}

function textOf({ projection, table, key, column, live, rebuilt }: Difference): string {
  return [
    `${projection}.${table} ${JSON.stringify(key)}: ${column === '*' ? 'the whole row' : column}`,
    `  live     ${JSON.stringify(live)}`,
    `  rebuilt  ${JSON.stringify(rebuilt)}`,
  ].join('\n')
}

function stoppedText({ projection, position }: Stopped): string {
  return `${projection} has stopped before position ${position} and was compared up to there: "heatmark status" says what to do`
}
