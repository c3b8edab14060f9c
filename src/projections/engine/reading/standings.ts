import type { Changed, Notice } from '../projector/notice.ts'
import type { ProjectionState } from '../schema/schema.ts'

/** How far a node knows the read models to be, and how notices and looks change that: no time, no I/O. */

/** Every projection as last heard, by name. */
export type Standings = ReadonlyMap<string, ProjectionState>

/** The read models that changed, or `*` when any may have changed. */
export type Changes = readonly Changed[] | '*'

export interface News {
  readonly standings: Standings
  readonly changes: Changes
}

/**
 * Apply a notice. It moves the projections that took part in its batch, and no others: one that a rebuild has just
 * brought back takes part only once the leader has seen it. A notice that begins beyond what is known of one of
 * them, or writes to tables not heard of yet, tells that something was missed. A notice of a batch that is known
 * changes nothing: the projector's own process hears of each batch twice.
 */
export function heard(standings: Standings, { from, to, moved, stopped, changed }: Notice): News {
  const next = new Map(standings)
  let isComplete = true
  let isKnown = true
  for (const [name, generation] of Object.entries(moved)) {
    const known = standings.get(name)
    if (!known || known.generation < generation || known.position < from) isComplete = false
    if (!known || isBeyond(known, { generation, position: to })) continue
    isKnown = false
    if (stopped.includes(name)) next.set(name, { ...known, generation, status: 'failed' })
    else next.set(name, { ...known, generation, status: 'running', position: to })
  }
  if (!isComplete) return { standings: next, changes: '*' }
  return { standings: next, changes: isKnown ? [] : changed }
}

/** Whether a row says what no notice has told. */
export function isNews(standings: Standings, row: ProjectionState): boolean {
  const known = standings.get(row.name)
  return !known || row.generation !== known.generation || row.position > known.position
}

/**
 * Apply the rows as they were read. What was heard since then is further on; only rows that are behind what was
 * known `before` they were read are of another history, and count.
 */
export function seen(standings: Standings, rows: readonly ProjectionState[], before: Standings): News {
  const backwards = rows.some((row) => isBehind(row, before.get(row.name)))
  const news = backwards || rows.some((row) => isNews(standings, row))
  const next = new Map(standings)
  for (const row of rows) if (backwards || !isBehind(row, standings.get(row.name))) next.set(row.name, row)
  return { standings: next, changes: news ? '*' : [] }
}

/** Whether a row is behind what is known of its projection. */
export function isBehind(row: Place, known: Place | undefined): boolean {
  return known !== undefined && !isBeyond(row, known)
}

/** The position of a projection that is not known is before all others. */
export function positionOf(standings: Standings, name: string): number {
  return standings.get(name)?.position ?? -1
}

/** Whether all of them show the position: false when one has stopped before it, undefined while they may yet. */
export function reaches(
  standings: Standings,
  names: readonly string[],
  position: number,
): boolean | undefined {
  const missing = names.filter((name) => positionOf(standings, name) < position)
  if (missing.length === 0) return true
  return missing.some((name) => standings.get(name)?.status === 'failed') ? false : undefined
}

export interface Place {
  readonly generation: number
  readonly position: number
}

/** Whether what is known is as new as that: a rebuild never puts rows of an earlier position into new tables. */
function isBeyond(known: Place, { generation, position }: Place): boolean {
  return known.generation > generation || (known.generation === generation && known.position >= position)
}
