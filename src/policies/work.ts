import type { Reader } from '../projections/engine/reading/reader.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'
import type { EventStore } from '../stores/eventStore.ts'
import type { LeadingObserver, Term } from '../stores/leading/leading.ts'
import type { Renewals } from '../stores/leading/renewals.ts'
import type { Postgres } from '../stores/postgres/postgres.ts'
import type { Checkpoint } from '../stores/subscription/checkpoint.ts'
import type { Intake } from '../stores/subscription/intake.ts'
import type { Bell } from './bell.ts'
import type { Jobs } from './jobs.ts'
import type { Policy, Reaction } from './policy.ts'

export interface HostOptions {
  readonly eventStore: EventStore
  readonly intake: Intake
  /** A pool of its own, of two connections: one holds the lease, one does the rest. */
  readonly postgres: Postgres
  readonly reader: Reader
  readonly positions: Pick<Positions, 'positionOf' | 'waitFor'>
  readonly storeId: string
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Renews the lease, about once a second by default. */
  readonly renewals?: Renewals
  /** This process, among all that may lead; never the same twice. */
  readonly owner: string
  readonly observe?: PolicyObserver
  /** A process that met what its release does not know leaves the lease to others for this long, by default 5 s. */
  readonly giveUpMs?: number
  /** A process leaves the lease to others no more often than this, by default once a minute. */
  readonly makeWayEveryMs?: number
  /** The time for one portion of a company, by default 1 s. */
  readonly turnMs?: number
  /** Look for jobs again after this time without a ring, by default 1 s. */
  readonly lookAgainMs?: number
}

/** `condition` is also called for a company that is parked. */
export type PolicyObserver = LeadingObserver

/** One term of leading a policy: `hear` and `serve` share it. */
export interface Work extends Pick<Term, 'lease' | 'note'> {
  readonly policy: Policy
  readonly options: HostOptions
  readonly reaction: Reaction
  readonly jobs: Jobs
  /** The term is over, or one of the two has failed. */
  readonly over: AbortSignal
  /** Rung when jobs have been saved. */
  readonly news: Bell
  /** Whether the lease may be left to another process, because this one cannot serve a company. */
  readonly mayMakeWay: () => boolean
  /** Called with the last event that was heard and whose jobs are saved. */
  readonly onReached: (checkpoint: Checkpoint) => void
}
