import type { Changed, Notice } from '../projector/notice.ts'
import type { ProjectionState } from '../schema/schema.ts'

/** The states of the projections that a node knows. Notices and looks into PostgreSQL change them: no time, no I/O. */

/** The newest known state of every projection, by name. */
export type KnownStates = ReadonlyMap<string, ProjectionState>

/** The read models that changed, or `*` when any may have changed. */
export type Changes = readonly Changed[] | '*'

export interface News {
  readonly knownStates: KnownStates
  readonly changes: Changes
}

/**
 * Apply a notice. It moves the projections that took part in its batch, and no others: one that a rebuild has just
 * brought back takes part only once the leader has seen it. A notice that begins beyond what is known of one of
 * them, or writes to tables that this node does not know, shows that a notice was missed. A notice of a batch that is known
 * changes nothing: the projector's own process receives each notice twice.
 */
export function applyNotice(knownStates: KnownStates, { from, to, moved, stopped, changed }: Notice): News {
  const next = new Map(knownStates)
  let isComplete = true
  let isKnown = true
  for (const [name, generation] of Object.entries(moved)) {
    const state = knownStates.get(name)
    if (!state || state.generation < generation || state.position < from) isComplete = false
    if (!state || state.generation > generation) continue
    if (state.generation === generation && state.position >= to) continue
    isKnown = false
    if (stopped.includes(name)) next.set(name, { ...state, generation, status: 'failed' })
    else next.set(name, { ...state, generation, status: 'running', position: to })
  }
  if (!isComplete) return { knownStates: next, changes: '*' }
  return { knownStates: next, changes: isKnown ? [] : changed }
}

/** True if a row is newer than all notices. */
export function isNews(knownStates: KnownStates, row: ProjectionState): boolean {
  const state = knownStates.get(row.name)
  return !state || row.generation !== state.generation || row.position > state.position
}

/**
 * Apply rows that were read from PostgreSQL. Notices that arrived since are newer, so a row that is behind a known state
 * does not count. Rows behind a state that was known `before` they were read belong to another history, and all count.
 */
export function applyRows(
  knownStates: KnownStates,
  rows: readonly ProjectionState[],
  before: KnownStates,
): News {
  const backwards = rows.some((row) => isBehind(row, before.get(row.name)))
  const news = backwards || rows.some((row) => isNews(knownStates, row))
  const next = new Map(knownStates)
  for (const row of rows) if (backwards || !isBehind(row, knownStates.get(row.name))) next.set(row.name, row)
  return { knownStates: next, changes: news ? '*' : [] }
}

/** True if a row is behind the known state of its projection. */
export function isBehind(row: Place, state: Place | undefined): boolean {
  return state !== undefined && !isBeyond(row, state)
}

/** Return the least position of these projections: 0 if one is not known. */
export function leastPosition(
  knownStates: KnownStates,
  projections: readonly { readonly name: string }[],
): number {
  let least = Number.POSITIVE_INFINITY
  for (const { name } of projections) least = Math.min(least, knownStates.get(name)?.position ?? 0)
  return least
}

/** True if all projections show the position, false if one has stopped before it, undefined while they may still reach it. */
export function reaches(
  knownStates: KnownStates,
  names: readonly string[],
  position: number,
): boolean | undefined {
  let isReached = true
  for (const name of names) {
    const state = knownStates.get(name)
    if (state && state.position >= position) continue
    if (state?.status === 'failed') return false
    isReached = false
  }
  return isReached || undefined
}

export interface Place {
  readonly generation: number
  readonly position: number
}

/** True if `state` is at or after this place. A rebuild never puts rows of an earlier position into new tables. */
function isBeyond(state: Place, { generation, position }: Place): boolean {
  return state.generation > generation || (state.generation === generation && state.position >= position)
}
