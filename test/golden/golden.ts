import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { advanced, empty, type Loaded } from '../../src/commands/loaded.ts'
import { toContent } from '../../src/commands/snapshots/content.ts'
import type { Aggregate } from '../../src/domain/aggregate.ts'
import type { DomainEvent, Recorded } from '../../src/domain/event.ts'
import { current } from '../../src/domain/versions.ts'
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

export type AnyAggregate = Aggregate<unknown, DomainEvent>

/** The state and the Idempotency-Keys of a stream after an event, as snapshots hold them. By the event's name. */
export type GoldenStates = Readonly<Record<string, unknown>>

function statesFile({ name, stateVersion }: AnyAggregate): string {
  return `${folder('states')}${name}.${stateVersion}.json`
}

export function readStates(aggregate: AnyAggregate): GoldenStates | undefined {
  return existsSync(statesFile(aggregate)) ? read(statesFile(aggregate)) : undefined
}

/** Fold the events of an aggregate's streams in turn. */
export function foldedStates(aggregate: AnyAggregate, events: readonly GoldenEvent[]): GoldenStates {
  const streams = new Map<string, Loaded<unknown>>()
  const states: Record<string, unknown> = {}
  for (const { name, event } of events) {
    if (!event.streamName.startsWith(aggregate.streamName(''))) continue
    const before = streams.get(event.streamName) ?? empty(aggregate.initial)
    const loaded = advanced(aggregate, before, [current(aggregate, event)])
    streams.set(event.streamName, loaded)
    const { state, keys } = loaded
    states[name] = JSON.parse(toContent({ state, keys }))
  }
  return states
}

/** Write the missing files, and add the missing entries to files of rows and states. */
export function writeMissing(
  story: readonly Recorded[],
  projections: readonly Projection[],
  aggregates: readonly AnyAggregate[],
): string[] {
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
  for (const aggregate of aggregates) {
    const known = readStates(aggregate) ?? {}
    const states = { ...foldedStates(aggregate, storedEvents()), ...known }
    if (Object.keys(states).length > Object.keys(known).length) write(statesFile(aggregate), states)
  }
  return written
}

function folder(name: string) {
  return new URL(`./${name}/`, import.meta.url).pathname
}

function read(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
