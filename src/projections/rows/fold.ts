import type { DomainEvent, Recorded } from '../../domain/event.ts'
import type { Handler, Key, Projection, Tables } from '../projection.ts'
import { type Declared, keyText, type Row, type WorkingRows, workingRows } from './rows.ts'

/** The one fold: events in, changed rows out. Where rows come from and go to is the caller's business. */

/** An event of a newer release than this one: it cannot be folded on half an understanding. */
export class NewerRelease extends Error {
  override readonly name = 'NewerRelease'
  readonly code = 'newer-release-running'
}

/** An event that a projection has a handler for, with the rows it will touch. */
export interface Step {
  readonly event: Recorded
  readonly handler: Handler<Tables, DomainEvent>
  readonly declared: Declared
}

/** Events up to the first that could not be handled. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly failure?: FoldFailure
}

export interface FoldFailure {
  readonly event: Recorded
  readonly error: unknown
}

/** The newest version of an event type that the projection can fold: any, where it has no handler for it. */
export const newestVersion = ({ handlers }: Projection, type: string): number =>
  Object.hasOwn(handlers, type) ? (handlers[type]!.version ?? 1) : Number.POSITIVE_INFINITY

const nothing: Declared = new Map()

const declare = (projection: Projection, handler: Step['handler'], event: Recorded): Declared => {
  const version = event.metadata?.schemaVersion ?? 1
  if (version > (handler.version ?? 1))
    throw new NewerRelease(
      `${projection.name}: ${event.type} of version ${version} comes from a newer release; ` +
        `this one knows version ${handler.version ?? 1}`,
    )
  const touched = handler.touches(event)
  let declared: Map<string, ReadonlyMap<string, Key>> | undefined
  for (const table in touched) {
    const keys = new Map<string, Key>()
    for (const key of touched[table] ?? []) keys.set(keyText(key), key)
    declared ??= new Map()
    declared.set(table, keys)
  }
  return declared ?? nothing
}

/** What the projection will do with these events; types that it has no handler for are skipped. */
export const plan = (projection: Projection, events: Iterable<Recorded>): Plan => {
  const steps: Step[] = []
  for (const event of events) {
    if (!Object.hasOwn(projection.handlers, event.type)) continue
    const handler = projection.handlers[event.type]!
    try {
      steps.push({ event, handler, declared: declare(projection, handler, event) })
    } catch (error) {
      return { steps, failure: { event, error } }
    }
  }
  return { steps }
}

/**
 * Folds the steps into the rows, in order, and stops at the first that throws: nothing of that event is
 * left behind. `onChange` is told of every event that changed a row.
 */
export const fold = (
  { steps, failure }: Plan,
  working: WorkingRows,
  onChange?: (event: Recorded) => void,
): FoldFailure | undefined => {
  for (const { event, handler, declared } of steps) {
    working.begin(declared)
    try {
      handler.apply(working.rows, event)
    } catch (error) {
      working.drop()
      return { event, error }
    }
    if (working.keep()) onChange?.(event)
  }
  return failure
}

/**
 * Folds events into rows in memory, from nothing, and gives every table's rows in the order of their first
 * events. @throws what a handler throws
 */
export const foldInMemory = (
  projection: Projection,
  events: Iterable<Recorded>,
): Readonly<Record<string, readonly Row[]>> => {
  const working = workingRows(projection, () => null)
  const failure = fold(plan(projection, events), working)
  if (failure) throw failure.error
  return Object.fromEntries(
    [...working.take()].map(([name, { changed, added }]) => [
      name,
      [...added, ...[...changed.values()].filter((row) => row !== null)],
    ]),
  )
}
