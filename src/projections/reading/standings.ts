import type { Changed, Notice } from '../projector/notice.ts'
import type { ProjectionState } from '../schema/schema.ts'

/** What a node knows of the read models, and how it changes with what it hears and sees: no time, no I/O. */

/** Every projection as last heard, by name. */
export type Standings = ReadonlyMap<string, ProjectionState>

/** What changed, or `*` when that is not known: then anything may have. */
export type Changes = readonly Changed[] | '*'

export interface News {
  readonly standings: Standings
  readonly changes: Changes
}

/** As a notice has it. One that begins beyond what is known tells that another was lost. */
export const heard = (standings: Standings, notice: Notice): News => {
  const running = [...standings.values()].filter(({ status }) => status === 'running')
  const isComplete = running.every(({ position }) => notice.from <= position)
  const next = new Map(standings)
  for (const state of running)
    next.set(
      state.name,
      notice.stopped.includes(state.name)
        ? { ...state, status: 'failed' }
        : { ...state, position: Math.max(state.position, notice.to) },
    )
  return { standings: next, changes: isComplete ? notice.changed : '*' }
}

/** Whether a row says what no notice has told. */
export const isNews = (standings: Standings, row: ProjectionState): boolean => {
  const known = standings.get(row.name)
  return !known || row.generation !== known.generation || row.position > known.position
}

/**
 * As the rows have it. What was heard since they were read is further on; only rows that are behind what was known
 * `before` they were read are of another history, and count.
 */
export const seen = (standings: Standings, rows: readonly ProjectionState[], before: Standings): News => {
  const backwards = rows.some(({ name, position }) => position < (before.get(name)?.position ?? 0))
  const news = backwards || rows.some((row) => isNews(standings, row))
  const next = new Map(standings)
  for (const row of rows) {
    const known = standings.get(row.name)
    const isOlder = known && known.status === row.status && row.position < known.position && !backwards
    if (!isOlder) next.set(row.name, row)
  }
  return { standings: next, changes: news ? '*' : [] }
}

/** The position of a projection that is not known is before all others. */
export const positionOf = (standings: Standings, name: string): number => standings.get(name)?.position ?? -1

/** Whether all of them show the position: false when one has stopped before it, undefined while they may yet. */
export const reaches = (
  standings: Standings,
  names: readonly string[],
  position: number,
): boolean | undefined => {
  const missing = names.filter((name) => positionOf(standings, name) < position)
  if (missing.length === 0) return true
  return missing.some((name) => standings.get(name)?.status === 'failed') ? false : undefined
}
