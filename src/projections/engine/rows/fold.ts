import type { DomainEvent, Recorded } from '../../../domain/kernel/event.ts'
import { toNewestVersion, versionOf } from '../../../domain/kernel/versions.ts'
import { Failure } from '../../../lib/failure.ts'
import {
  type Handler,
  handlerOf,
  type Key,
  newestFolded,
  type Projection,
  type Tables,
} from '../projection.ts'
import { type Declared, keyText } from './rows.ts'
import type { WorkingRows } from './workingRows.ts'

/** The one fold: events in, changed rows out. Where rows come from and go to is the caller's business. */

/** An event that a projection has a handler for, with the rows it will touch. */
export interface Step {
  readonly stored: Recorded
  /** The same as the handler sees it. */
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
  /** In the version that it is stored in. */
  readonly event: Recorded
  readonly error: unknown
  /** Whether the fold threw. Otherwise its rows could not be written. */
  readonly ofFold: boolean
}

/**
 * Plan what the projection does with these events, whose metadata were read with `withMetadata`. Those that it has no
 * handler for are skipped.
 */
export function plan(projection: Projection, events: Iterable<Recorded>): Plan {
  const steps: Step[] = []
  for (const stored of events) {
    try {
      const step = stepOf(projection, stored)
      if (step) steps.push(step)
    } catch (error) {
      return { steps, failure: { event: stored, error, ofFold: true } }
    }
  }
  return { steps }
}

/**
 * Fold the steps into the rows, in order, and stop at the first that throws: nothing of that event is
 * left behind. `onChange` is told of every event that changed a row.
 */
export function fold(
  { steps, failure }: Plan,
  working: WorkingRows,
  onChange?: (event: Recorded) => void,
): FoldFailure | undefined {
  for (const { stored, event, handler, declared } of steps) {
    working.begin(declared, event.position)
    try {
      handler.apply(working.rows, event)
    } catch (error) {
      working.drop()
      return { event: stored, error, ofFold: true }
    }
    if (working.keep()) onChange?.(event)
  }
  return failure
}

/** Undefined for an event that the projection has no handler for. */
function stepOf(projection: Projection, stored: Recorded): Step | undefined {
  const handler = handlerOf(projection, stored)
  if (!handler) return undefined
  const event = handler === projection.anyEvent ? stored : upcast(projection, stored)
  return { stored, event, handler, declared: declare(handler, event) }
}

/** The event in the newest version of its type. @throws Failure `newer-release-running`, `upcast-failed` */
function upcast(projection: Projection, stored: Recorded): Recorded {
  const version = versionOf(stored)
  const newest = newestFolded(projection, stored.type)
  if (version > newest)
    throw new Failure(
      'newer-release-running',
      `${projection.name}: ${stored.type} of version ${version} comes from a newer release; ` +
        `this one knows version ${newest}`,
    )
  return version < newest && projection.events ? toNewestVersion(projection.events, stored) : stored
}

const nothing: Declared = new Map()

function declare(handler: Step['handler'], event: Recorded): Declared {
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
