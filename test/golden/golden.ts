import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Recorded } from '../../src/domain/event.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { fold, plan } from '../../src/projections/rows/fold.ts'
import { keyOf, type Slot, workingRows } from '../../src/projections/rows/rows.ts'

/** The golden files, and what should be in them. */

const folder = (name: string) => new URL(`./${name}/`, import.meta.url).pathname
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

export const nameOf = (event: Recorded): string => `${event.type}.${event.metadata.schemaVersion}`
export const eventFile = (name: string): string => `${folder('events')}${name}.json`
export const rowsFile = ({ name, version }: Projection): string => `${folder('rows')}${name}.${version}.json`

/** Every event that any release has stored, in the order of their positions. */
export const storedEvents = (): Recorded[] =>
  readdirSync(folder('events'))
    .map((name) => read(`${folder('events')}${name}`) as Recorded)
    .sort((a, b) => a.position - b.position)

/** What an event changed: rows by table and key, null for one that is gone. */
export type Changed = Readonly<Record<string, Readonly<Record<string, unknown>>>>
/** By the event's name; no entry for one that the projection does not handle. */
export type ChangedRows = Readonly<Record<string, Changed>>

export const readRows = (projection: Projection): ChangedRows | undefined =>
  existsSync(rowsFile(projection)) ? read(rowsFile(projection)) : undefined

/** What each event changes in the rows that those before it have left. @throws what a handler throws */
export const changedRows = (projection: Projection, events: readonly Recorded[]): ChangedRows => {
  const rows = new Map<string, Slot>()
  const changed: Record<string, Changed> = {}
  for (const event of events) {
    const planned = plan(projection, [event])
    if (!planned.failure && planned.steps.length === 0) continue
    const working = workingRows(projection, (table, key) => rows.get(`${table} ${key}`) ?? null)
    const failure = fold(planned, working)
    if (failure) throw failure.error
    changed[nameOf(event)] = Object.fromEntries(
      [...working.take()].map(([name, { changed, added }]) => {
        for (const [key, row] of changed) rows.set(`${name} ${key}`, row)
        const keyed = [...changed].map(([key, row]) => [key.split('\0').join(' '), row])
        const grown = added.map((row) => [keyOf(projection.tables[name]!, row).join(' '), row])
        return [name, Object.fromEntries([...keyed, ...grown])]
      }),
    )
  }
  return changed
}

/** Writes what is not there yet; of a file of rows, the entries that are not there yet. */
export const writeMissing = (story: readonly Recorded[], projections: readonly Projection[]): string[] => {
  const written: string[] = []
  const write = (path: string, content: unknown) => {
    writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
    written.push(path)
  }
  for (const event of story) if (!existsSync(eventFile(nameOf(event)))) write(eventFile(nameOf(event)), event)
  for (const projection of projections) {
    const known = readRows(projection) ?? {}
    const rows = { ...changedRows(projection, storedEvents()), ...known }
    if (Object.keys(rows).length > Object.keys(known).length) write(rowsFile(projection), rows)
  }
  return written
}
