import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Recorded } from '../../src/domain/event.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { fold, plan } from '../../src/projections/rows/fold.ts'
import { keyOf, type Slot, workingRows } from '../../src/projections/rows/rows.ts'

/** Read the golden files, and compute their expected content. */

/** The rows that an event changed, by table and key. A deleted row is null. */
export type Changed = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** By the event's name. Events that the projection does not handle have no entry. */
export type ChangedRows = Readonly<Record<string, Changed>>

/** The name of the first golden event of a type and version. A later one has its position behind this name. */
export function nameOf(event: Recorded): string {
  return `${event.type}.${event.metadata.schemaVersion}`
}

export interface GoldenEvent {
  /** The name of its file. */
  readonly name: string
  readonly event: Recorded
}

function rowsFile({ name, version }: Projection): string {
  return `${folder('rows')}${name}.${version}.json`
}

/**
 * Return an event of every type and version that any release has stored, and of every set of fields that one version has
 * had, in the order of their positions.
 */
export function storedEvents(): GoldenEvent[] {
  return readdirSync(folder('events'))
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      event: read(`${folder('events')}${file}`) as Recorded,
    }))
    .sort((a, b) => a.event.position - b.event.position)
}

export function readRows(projection: Projection): ChangedRows | undefined {
  return existsSync(rowsFile(projection)) ? read(rowsFile(projection)) : undefined
}

/** Fold the events in turn, and return the rows that each of them changes. @throws the error of a handler */
export function changedRows(projection: Projection, events: readonly GoldenEvent[]): ChangedRows {
  const rows = new Map<string, Slot>()
  const changed: Record<string, Changed> = {}
  for (const { name, event } of events) {
    const planned = plan(projection, [event])
    if (!planned.failure && planned.steps.length === 0) continue
    const working = workingRows(projection, (table, key) => rows.get(`${table} ${key}`) ?? null)
    const failure = fold(planned, working)
    if (failure) throw failure.error
    changed[name] = Object.fromEntries(
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

/** Write the missing files, and add the missing entries to files of rows. */
export function writeMissing(story: readonly Recorded[], projections: readonly Projection[]): string[] {
  const written: string[] = []
  const write = (path: string, content: unknown) => {
    writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
    written.push(path)
  }
  for (const event of story) {
    const known = storedEvents()
    if (known.some((golden) => golden.event.position === event.position)) continue
    const first = nameOf(event)
    const name = known.some((golden) => golden.name === first) ? `${first}-${event.position}` : first
    write(`${folder('events')}${name}.json`, event)
  }
  for (const projection of projections) {
    const known = readRows(projection) ?? {}
    const rows = { ...changedRows(projection, storedEvents()), ...known }
    if (Object.keys(rows).length > Object.keys(known).length) write(rowsFile(projection), rows)
  }
  return written
}

function folder(name: string) {
  return new URL(`./${name}/`, import.meta.url).pathname
}

function read(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
