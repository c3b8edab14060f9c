import type { Recorded } from '../domain/kernel/event.ts'
import type { Reading } from '../projections/engine/reading/reader.ts'
import type { Named } from '../projections/engine/reading/waitFor.ts'
import type { Lease } from '../stores/leading/lease.ts'

/**
 * A policy reacts to events with commands: it has a name, the events that it hears, and what it does. The host
 * (`host.ts`) does the rest. An event asks for jobs; a job is a part of a company (its scope), which the policy
 * turns into targets, portion by portion, and brings in line one by one.
 */
export interface Policy {
  /** Names its lease, its checkpoint and its jobs, so it never changes. */
  readonly name: string
  /** The place where it starts as long as it has no checkpoint. */
  readonly startsAt: 'head' | 'first event'
  /** A job waits until these have applied the event that asked for it; `next` reads them. */
  readonly reads: readonly [Named, ...Named[]]
  /** The read models that show its events. A target counts as under way until they have applied its event. */
  readonly shows: readonly [Named, ...Named[]]
  /** The number of targets under way at once. A larger number finishes the work sooner, and slows down other commands. */
  readonly targetsAtOnce?: number
  /** After each group of so many targets, rest for as long as the group took: then other commands have the machine. */
  readonly rests?: boolean
  /** Called at the start of each term: what a reaction remembers of events is good for that term alone. */
  begin(): Reaction
}

export interface Reaction {
  /** By event type. The host passes the events in their order, one after the other. */
  readonly hears: ReadonlyMap<string, Hear>
  /**
   * Answers the next targets, at most `most` for each job, with one query for all jobs of a kind. The jobs are of one
   * company. A job without a portion is dropped: a later event has asked for the same.
   */
  next(reading: Reading, companyId: string, jobs: readonly Job[], most: number): Promise<readonly Portion[]>
  /**
   * Called once for each portion, so that its targets may share the facts that they read. The returned function brings
   * one target in line and answers the position of the event that it rests on, or 0 for none. It may be called again
   * for a target at any time, and then changes nothing. When `turn` is aborted, other companies wait: a target that is
   * slow may throw its reason, and is brought in line at the next turn.
   */
  portion(companyId: string, turn: AbortSignal): (target: string) => Promise<number>
  /** Called after each portion, before the host saves the job. It may be called again for the same portion. */
  report?(job: Job, progress: Progress, lease: Lease): Promise<void>
}

/** The scopes that an event asks for: each 1 to 200 visible ASCII characters. */
export type Hear = (event: Recorded) => readonly string[] | Promise<readonly string[]>

export interface Job {
  readonly companyId: string
  readonly scope: string
  /** Position of the last event that asked for the scope. A scope that is asked for again begins again. */
  readonly position: number
  readonly eventId: string
  /** The place after which the next portion begins; null for the first one. */
  readonly after: string | null
  /** Targets that have been brought in line. */
  readonly done: number
  /** The number of all targets known so far; never less than `done`. */
  readonly total: number
}

export interface Portion {
  readonly scope: string
  readonly targets: readonly string[]
  /** The place of each target: when a turn ends there, the next portion begins after it. By default the target itself. */
  readonly places?: readonly string[]
  /** The place after which the next portion begins; null when this is the last one. */
  readonly after: string | null
  /** The number of targets of the whole job, if it is known. */
  readonly total?: number
}

export interface Progress {
  readonly done: number
  readonly total: number
  readonly finished: boolean
}
